# -b 3 is three of each label. A match that overlaps a better one of its label is dropped and does
# not count. -m prints the first of all. --min-matches is an error.
. "$SRC/tests/cli/signals"
hill >a.txt
lines 0 1 3 1 1 >b.txt
lines 9 9 0 1 2 1 0 9 9 9 0 1 3 1 0 9 9 9 0 2 4 2 0 9 >s.txt
ran sigrep -b 3 -e x=a.txt -e y=b.txt s.txt
ran sigrep -b 3 -e x=a.txt -e x=b.txt s.txt
ran sigrep -b 3 -m 2 -e x=a.txt -e x=b.txt s.txt
ran sigrep -b 3 --min-matches 2 -e x=a.txt -e x=b.txt s.txt 2>&1
