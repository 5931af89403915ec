# Templates of one label are one label group; --min-matches asks several to agree.
. "$SRC/tests/cli/signals"
hill >a.txt
lines 0 1 2 1 0 >b.txt
lines 0 1 3 1 0 9 9 9 0 1 2 1 0 9 9 9 0 2 3 2 0 9 9 9 >s.txt
echo "- two labels"
sigrep -t 0.2 -e a.txt -e b.txt s.txt
echo "- one label"
sigrep -t 0.2 -e x=a.txt -e x=b.txt s.txt
echo "- two must agree"
ran sigrep -t 0.2 --min-matches 2 -e x=a.txt -e x=b.txt s.txt
ran sigrep -t 0.1 --min-matches 2 -e x=a.txt -e x=b.txt s.txt
echo "- more than there are of one of two labels"
ran sigrep -t 0.2 --min-matches 2 -e y=a.txt -e x=a.txt -e x=b.txt s.txt 2>&1
