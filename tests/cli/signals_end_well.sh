# SIGTERM and SIGINT: what is pending is decided and printed, other inputs are left alone.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
mkfifo in out
for signal in TERM INT; do
    # A shell ignores SIGINT for what it starts in the background: take that back.
    env --default-signal=INT sigrep -T samples -t 0.1 t.txt - s.txt <in >out &
    exec 3>in 4<out
    lines 0 1 3 1 0 9 9 9 9 9 9 9 9 9 9 9 >&3
    read -r line <&4
    echo "$line"
    lines 9 0 1 3 1 0 >&3 # may still grow: pending
    sleep 0.3
    kill -$signal $!
    cat <&4
    wait $!
    echo "$signal: status $?"
    exec 3>&- 4<&-
done
sigrep -q -t 0.1 t.txt <in &
exec 3>in
sleep 0.2
kill -TERM $!
wait $!
echo "nothing found: status $?"
