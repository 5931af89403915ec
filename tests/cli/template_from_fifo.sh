# A template that comes from a named pipe is opened once, whatever -f.
. "$SRC/tests/cli/signals"
s16 0 1000 3000 1000 0 >t.s16
s16 9000 9000 0 1000 3000 1000 0 9000 >s.s16
mkfifo t
cat t.s16 >t &
sigrep -f s16 -t 0 t s.s16
wait $!
echo "writer $?"
