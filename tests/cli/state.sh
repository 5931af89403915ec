# --state: runs that go on where another ended print together what one run prints.
. "$SRC/tests/cli/signals"
hill >t.txt
# run FILE: one more run of it, appended to the output.
run() {
    sigrep -t 0.1 --state S t.txt "$1" >>out
    echo "status $?, $(wc -l <out) lines"
}
whole() { # FILE: is the output that of one run?
    sigrep -t 0.1 t.txt "$1" | cmp - out && echo "the same as one run"
}

echo "- a file that does not grow"
stream >s.txt
run s.txt
run s.txt
whole s.txt

echo "- a file that grows: a match at its end may become another"
rm S out
lines 9 9 0 1 3 1 >s.txt
run s.txt
cat out
lines 0 9 9 9 0 1 3 >>s.txt
run s.txt
printf '1\n0.0' >>s.txt # half a line
run s.txt
printf '3\n9\n' >>s.txt
run s.txt
whole s.txt

echo "- to a pipe: nothing twice that was printed because the input ended"
rm S out
lines 9 9 0 1 3 1 0 >s.txt
for more in '' '9 0 1 3 1 0' '' '9 9 9'; do
    # shellcheck disable=SC2086 # words
    lines $more | sed '/^$/d' >>s.txt
    sigrep -t 0.1 --state S t.txt s.txt | tee -a out
    echo "-"
done
whole s.txt

echo "- a table with a header of its own, times, counts"
rm S out
for o in '-o csv' '-o json' '-c' '-T samples --hold 5'; do
    rm -f S out
    stream >s.txt
    for _ in 1 2 3; do
        # shellcheck disable=SC2086 # options
        sigrep -t 0.1 $o --state S t.txt s.txt >>out
        stream >>s.txt
    done
    # shellcheck disable=SC2086
    sigrep -t 0.1 $o --state S t.txt s.txt >>out
    # shellcheck disable=SC2086
    sigrep -t 0.1 $o t.txt s.txt | cmp - out && echo "$o: the same as one run"
done

echo "- -m counts over all runs; then nothing is left to do"
rm S out
stream >s.txt
ran sigrep -t 0.1 -m 3 --state S t.txt s.txt | cat
stream >>s.txt
ran sigrep -t 0.1 -m 3 --state S t.txt s.txt | cat
ran sigrep -t 0.1 -m 3 --state S t.txt s.txt | cat

echo "- WAV: the header is rewritten; the mean of two channels"
rm -f S out
hill | awk '{ print $1 * 1000 }' >h.txt
# shellcheck disable=SC2046 # words
wav 100 1 $(cat h.txt) >h.wav
for n in 6 9 12 19; do
    # shellcheck disable=SC2046
    wav 100 2 $(stream | head -n $n | awk '{ print $1 * 900, $1 * 1100 }') >s.wav
    sigrep -t 0.005 -p raw --state S h.wav s.wav >>out
done
sigrep -t 0.005 -p raw h.wav s.wav | cmp - out && cat out
echo "- times of a column, a gap, and its bridge"
rm S
stream | awk '{ print NR + (NR > 6 ? 3 : 0) "," $1 }' >s.csv
for lines in 3 6 7 12 19; do
    head -n "$lines" s.csv >part.csv
    sigrep -t 0.1 --time-column 1 --fill 4 -r 1 --state S t.txt part.csv >>starts 2>/dev/null
done
sigrep -t 0.1 --time-column 1 --fill 4 -r 1 t.txt s.csv 2>/dev/null | cmp - starts && cat starts
ls
