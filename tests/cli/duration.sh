# --duration ends every kind of input, and what is pending then is decided.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep -T samples -t 0.1 t.txt s.txt
echo "half of it:"
sigrep -T samples -t 0.1 --duration 8 t.txt s.txt
sigrep -T samples -t 0.1 -r 4 --duration 2 t.txt - <s.txt
echo "too little:"
ran sigrep -t 0.1 --duration 7 t.txt s.txt
sigrep --stats -t 0.1 --duration 7 t.txt s.txt 2>&1 | grep 'stats: samples'
ran sigrep -t 0.1 --duration 0.1 t.txt s.txt
ran sigrep -t 0.1 --duration 1e300 -c t.txt s.txt
echo "a pipe that stays open:"
mkfifo pipe
sigrep -T samples -b 1 --duration 10 t.txt - <pipe &
exec 3>pipe
stream >&3
wait $!
echo "status $?"
