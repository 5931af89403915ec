# A text of which a part was read has no count, and is not named by -L. Nor has one that was left.
. "$SRC/tests/cli/signals"
lines abc xabcx >whole
lines xyz >other
mkfifo in out silent
partly() { # FIRST OPTION...: first an input that is read, then a part of standard input
    first=$1
    shift
    echo "$ sigrep-text $*"
    sigrep-text -k 0 "$@" abc $first - other <in >out 2>said &
    exec 3>in 4<out
    lines xyz >&3
    read -r line <&4 # the first input is done
    echo "$line"
    sleep 1 # what is read of the next one by then
    kill -TERM $!
    cat <&4
    wait $!
    echo "status $?"
    cat said
    exec 3>&- 4<&-
}
partly whole -c
partly other -L
echo "- inputs that nobody writes to"
sigrep-text -k 0 -c abc whole silent other >out 2>said &
exec 4<out
read -r line <&4
sleep 1 # until the next one is open
echo "$line"
kill -HUP $!
cat <&4
wait $!
echo "status $?"
cat said
