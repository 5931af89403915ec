# A table as spreadsheets and loggers write it: columns by name, joined files, empty cells.
. "$SRC/tests/cli/signals"
awk 'BEGIN {
    print "\"time (s)\",x,y,engine-2,note"
    for (i = 0; i < 60; i++) {
        hill = i % 20 == 5 || i % 20 == 9 ? 1 : i % 20 == 6 || i % 20 == 8 ? 3 : i % 20 == 7 ? 6 : 0
        printf "%.1f,%d,%d,%s,%s\n", i / 10, hill, 2 * hill, i % 7 ? i : "null", i % 9 ? "" : "a, b"
    }
}' | sed 's/a, b/"a, b"/' >log.csv
head -n 3 log.csv
tr , '\t' <log.csv | sed 's/"a\t b"/"a, b"/' >log.tsv
awk -F, '{ print $2 "," $3 }' log.csv | sed -n '1p;6,11p' >xy.csv
look() { ran sigrep --time-column "time (s)" -t 0 "$@" 2>&1; }
look --columns x,y log.csv@0.4-1.1 log.csv
look --columns y,2 log.csv@0.4-1.1 log.csv
look --columns 3,x log.csv@0.4-1.1 log.tsv
look -f csv --columns x,y log.csv@0.4-1.1 log.csv
look -f tsv --columns x,y log.csv@0.4-1.1 log.tsv
echo "- a template that was cut out already, with and without its header"
look --columns x,y xy.csv log.csv
sed 1d xy.csv >bare.csv
look --columns x,y bare.csv log.csv
echo "- joined files"
cat log.csv log.csv >joined.csv
look -c --columns x,y xy.csv joined.csv
sigrep --columns x,y -c -t 0 xy.csv joined.csv
echo "- empty cells and null"
ran sigrep --columns note -t 0 log.csv log.csv 2>&1
look --columns x,engine-2 log.csv@0.5-0.9 log.csv
look --fill 0.1 --columns x,engine-2 log.csv@0.5-0.9 log.csv
lines 1,2, 3,4, 5,6, >trailing.csv
lines 1,2,0 3,4,0 >template.csv
ran sigrep -t 0 template.csv trailing.csv 2>&1
ran sigrep --columns 1,2 -t 0 template.csv trailing.csv 2>&1
echo "- names that are not there"
look --columns x,z log.csv@0.4-1.1 log.csv
ran sigrep --time-column when --columns x,y -t 0 xy.csv log.csv 2>&1
ran sigrep --columns x,y -t 0 xy.csv bare.csv log.csv 2>&1
ran sigrep --columns x,,y -t 0 xy.csv log.csv 2>&1
echo "- names in another order are no other names" # regression: compared by position
lines x,y 1,10 3,11 >a.csv
lines y,x 10,1 11,3 >b.csv
lines '{"y":10,"x":1}' '{"y":11,"x":3}' >b.jsonl
lines v,w 1,10 3,11 >other.csv
ran sigrep -t 0 a.csv b.csv b.jsonl other.csv a.csv 2>&1
ran sigrep --columns x,y -t 0 a.csv b.csv b.jsonl 2>&1
ran sigrep -t 0 -e a.csv -e b.csv a.csv 2>&1
