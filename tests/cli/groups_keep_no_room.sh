# Each group of --group-by kept room for its largest batch of rows, 8 MiB and more. So a table of
# many groups, one after the other, needed as much memory as the whole of it.
. "$SRC/tests/cli/signals"
hill >p.txt
awk 'BEGIN {
    note = sprintf("%1000s", "")
    gsub(" ", "x", note)
    print "device,note,flow"
    for (g = 1; g <= 30; g++) for (i = 0; i < 8500; i++) printf "%d,%s,%d\n", g, note, i % 7
}' | gzip -1 >log.gz
# A sanitizer reserves memory without end.
# shellcheck disable=SC3045 # dash and bash have these
[ -n "${SAN:-}" ] || { ulimit -s 1024 && ulimit -v 163840; }
MALLOC_ARENA_MAX=1 sigrep --group-by device --columns flow -c -t 0.1 p.txt log.gz | wc -l
