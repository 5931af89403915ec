# SIGTERM, SIGINT and SIGHUP: what is pending is decided and printed, other inputs are left alone, and
# both is said.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
mkfifo in out scores
for signal in TERM INT HUP; do
    # A shell ignores SIGINT for what it starts in the background: take that back.
    env --default-signal=INT sigrep -T samples -t 0.1 --scores scores t.txt - s.txt <in >out 2>said &
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
    cat said
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
grep signal <&4
exec 3>&- 4<&-

# Regression: -L named the input of which a part was read, and -c printed a count of it.
partly() { # FIRST OPTION...: first an input that is read, then a part of standard input
    first=$1
    shift
    echo "$ sigrep $*"
    sigrep "$@" -v -t 0.1 t.txt $first - t.txt <in >out 2>said &
    exec 3>in 4<out
    lines 9 9 9 >&3
    read -r line <&4 # the first input is done
    echo "$line"
    until grep -q 'input): text, ' said; do sleep 0.05; done
    kill -TERM $!
    cat <&4
    wait $!
    echo "status $?"
    sed -n '/signal/s/after [0-9.]* s/after some s/p; /not read/p' said
    exec 3>&- 4<&-
}
lines 9 9 9 >other.txt
partly s.txt -c
partly s.txt -l
partly other.txt -L
partly other.txt -L -j 2 | grep -v 'not read' # t.txt may be searched ahead
echo "- inputs that nobody writes to"
mkfifo silent
for option in -c -L; do
    sigrep $option -t 0.1 t.txt other.txt silent s.txt 2>said >out &
    exec 4<out
    read -r line <&4
    echo "$line"
    kill -TERM $!
    cat <&4
    wait $!
    echo "status $?"
    cat said
    exec 4<&-
done
echo "- a signal that is ignored stays so (nohup)"
env --ignore-signal=HUP sh -c 'kill -HUP $$; exec sigrep -c -t 0.1 t.txt s.txt'
