# --state with -m: a match that only the end of a file decided may become another, and is not the
# last one. With -c each run prints the count, also once -m is reached.
. "$SRC/tests/cli/signals"
lines 0 3 6 >t.txt
grow() { # OPTION...: two runs print together what one run prints
    rm -f S out
    lines 9 9 9 0 3 4 >s.txt
    sigrep -t 0.7 "$@" --state S t.txt s.txt >>out
    lines 6 9 9 9 >>s.txt
    sigrep -t 0.7 "$@" --state S t.txt s.txt >>out
    sigrep -t 0.7 "$@" t.txt s.txt | cmp - out && cat out
}
echo "- a match at the end becomes another"
grow -m 1
echo "- it stays if the file does not grow, or was rotated"
rm S
lines 9 9 9 0 3 4 >s.txt
for _ in 1 2; do ran sigrep -t 0.7 -m 1 --state S t.txt s.txt >>kept; done
lines 8 8 8 0 3 6 8 >s.txt
for _ in 1 2; do ran sigrep -t 0.7 -m 1 --state S t.txt s.txt >>kept 2>&1; done
cat kept
echo "- counts, to a pipe and to a file"
rm S
hill >t.txt
stream >s.txt
for _ in 1 2 3; do ran sigrep -t 0 -c -m 1 --state S t.txt s.txt; done | cat
for _ in 1 2 3; do
    sigrep -t 0 -c -m 2 --state F -e a=t.txt -e b=t.txt s.txt >>counts
    echo "status $?, counts: $(tr '\n' ' ' <counts)"
done
echo "- ... of other templates: refused"
sigrep -t 0 -c -m 2 --state F t.txt s.txt 2>said >>counts
echo "status $?, $(cat said), counts: $(tr '\n' ' ' <counts)"
