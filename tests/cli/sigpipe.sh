# SIGPIPE ends it quietly, as it ends grep; if it is ignored, EPIPE is an error.
. "$SRC/tests/cli/signals"
hill >t.txt
{
    (
        yes 0 | env --default-signal=PIPE sigrep -t 9 t.txt
        echo "status $?" >&2
    ) | head -n 1
    (
        yes 0 | env --ignore-signal=PIPE sigrep -t 9 t.txt
        echo "status $?" >&2
    ) | head -n 1
} 2>printed
grep -v '^yes:' printed
