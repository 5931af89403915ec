# Two takes of a label hold the value of constant input, and its score is below the threshold. So a
# match is pending at any time. Lines come while the stream is open, within 20 s.
. "$SRC/tests/cli/signals"
s16 0 1 3 1 0 >a.s16
s16 0 1 1 3 2 0 >b.s16
mkfifo in out
timeout 60 sigrep -T samples -p raw -f s16 -t 2 -e x=a.s16 -e x=b.s16 <in >out &
exec 3>in 4<out
head -c 20000 /dev/zero >&3
timeout 20 head -n 3 <&4
echo "the stream is open"
exec 3>&-
timeout 20 tail -n 1 <&4
wait $!
echo "status $?"
# A hundred thousand zeros, one take and two, and two that agree: all end.
head -c 200000 /dev/zero >zeros.s16
set -- -f s16 -p raw -t 2 -c -e x=a.s16
timeout 60 sigrep "$@" zeros.s16
timeout 60 sigrep "$@" -e x=b.s16 zeros.s16
timeout 60 sigrep "$@" -e x=b.s16 --min-matches 2 zeros.s16
