# A match is printed while the stream is still open.
. "$SRC/tests/cli/signals"
hill >t.txt
mkfifo in out
sigrep -T samples -t 0.1 t.txt <in >out &
exec 3>in 4<out
lines 9 9 0 1 3 >&3
lines 1 0 9 9 9 9 >&3
read -r line <&4
echo "$line, and the stream goes on"
lines 0 1 >&3
sleep 0.2
lines 3 1 0 >&3
exec 3>&-
cat <&4
wait $!
echo "status $?"
# A named pipe is an input like any other.
stream >in &
sigrep -c -t 0.1 t.txt in
