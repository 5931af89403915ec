# SIGTERM and SIGINT: what is pending is decided and printed, other inputs are left alone.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
mkfifo in out scores
for signal in TERM INT; do
    # A shell ignores SIGINT for what it starts in the background: take that back.
    env --default-signal=INT sigrep -T samples -t 0.1 --scores scores t.txt - s.txt <in >out &
    exec 3>in 4<out 5<scores
    lines 0 1 3 1 0 9 9 9 9 9 9 9 9 9 9 9 >&3
    read -r line <&4
    echo "$line"
    lines 9 0 1 3 1 0 >&3              # may still grow: pending
    head -c $((22 * 4)) <&5 >/dev/null # all 22 samples have scores
    kill -$signal $!
    cat <&4
    wait $!
    echo "$signal: status $?"
    exec 3>&- 4<&- 5<&-
done
mkfifo err
sigrep -q -v -t 0.1 t.txt <in 2>err &
exec 3>in 4<err
lines 9 >&3
while read -r line <&4; do
    case $line in *': text, 1 Hz, '*) break ;; esac # the input is open
done
kill -TERM $!
wait $!
echo "nothing found: status $?"
