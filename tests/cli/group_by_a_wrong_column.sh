# --group-by, with more groups than there may be. Alone, since ThreadSanitizer has no memory for so
# many threads.
. "$SRC/tests/cli/signals"
hill >p.txt
awk 'BEGIN { for (i = 0; i < 5000; i++) print i + 7 ",1" }' >many.csv
ran sigrep --group-by 1 -t 0.1 p.txt many.csv 2>&1
