# A match is printed while the stream is still open.
. "$SRC/tests/cli/signals"
hill >t.txt
mkfifo in out scores
sigrep -T samples -t 0.1 --scores scores t.txt <in >out &
exec 3>in 4<out 5<scores
lines 9 9 0 1 3 >&3
lines 1 0 9 9 9 9 >&3
read -r line <&4
echo "$line, and the stream goes on"
lines 0 1 >&3
head -c $((13 * 4)) <&5 >/dev/null # all 13 samples have scores
lines 3 1 0 >&3
exec 3>&-
cat <&4
wait $!
echo "status $?"
# Also if half of the next sample or line has come.
s16 0 1 3 1 0 >t.s16
sigrep -T samples -t 0 -f s16 t.s16 <in >out &
exec 3>in 4<out
s16 9 9 0 1 3 1 0 9 9 9 9 9 >&3
bytes 9 >&3
read -r line <&4
echo "$line, and half a sample waits"
bytes 0 >&3
s16 0 1 3 1 0 9 >&3
exec 3>&-
cat <&4
wait $!
echo "status $?"
sigrep -T samples -t 0.1 t.txt <in >out &
exec 3>in 4<out
printf '9\n9\n0\n1\n3\n1\n0\n9\n9\n9\n9\n9\n0\n1\n3' >&3
read -r line <&4
echo "$line, and half a line waits"
printf '.5\n1\n0\n9\n' >&3
exec 3>&-
cat <&4
wait $!
echo "status $?"
# A named pipe is an input like any other.
stream >in &
sigrep -c -t 0.1 t.txt in
