# --state: which stream is it? A pipe that begins anew, one that goes on, a rotated file.
. "$SRC/tests/cli/signals"
hill >t.txt
numbers() { # FROM TO: a stream that is nowhere constant, with a hill at each hundred
    awk -v from="$1" -v to="$2" 'BEGIN { split("0 1 3 1 0", hill, " ")
        for (i = from; i < to; i++) print i % 100 < 5 ? hill[i % 100 + 1] : 20 + (i * i) % 97 }'
}
search() { # [SUFFIX] of the state, with standard input
    sigrep -t 0.1 -T samples --state "S$1" t.txt >>out
    echo "status $?"
}
one_run() { # of a stream, with gaps
    sigrep -t 0.1 -T samples t.txt | cmp - out && echo "the same as one run: $(wc -l <out) matches"
}

echo "- a pipe that begins anew, longer each time"
for n in 50 333 702 1000; do numbers 0 $n | search; done
numbers 0 1000 | one_run

echo "- packed: sigrep unpacks it"
rm S out
for n in 333 1000; do numbers 0 $n | gzip | search; done
numbers 0 1000 | one_run

echo "- a pipe that goes on: a gap of one sample"
rm S out
numbers 0 402 | search
numbers 777 1003 | search
numbers 1500 2000 | search
{ numbers 0 402; echo nan; numbers 777 1003; echo nan; numbers 1500 2000; } | one_run

echo "- ... and the last of these, again"
numbers 1500 2500 | search
{ numbers 0 402; echo nan; numbers 777 1003; echo nan; numbers 1500 2500; } | one_run

echo "- a rotated file"
rm S out
numbers 0 402 >log
sigrep -t 0.1 -T samples --state S t.txt log >>out
numbers 0 502 >log
sigrep -t 0.1 -T samples --state S t.txt log >>out
numbers 777 1003 >log
sigrep -t 0.1 -T samples --state S t.txt log >>out
numbers 777 1400 >log
sigrep -t 0.1 -T samples --state S t.txt log >>out
{ numbers 0 502; echo nan; numbers 777 1400; } | one_run

echo "- another file"
numbers 50 300 >other
sigrep -t 0.1 -T samples --state S t.txt other >>out
echo "status $?"

echo "- silence could be either"
rm S out
yes 7 | head -n 200 | search
yes 7 | head -n 300 | search
{ yes 7 | head -n 300; numbers 0 200; } | search ,replay
{ yes 7 | head -n 300; numbers 0 200; } | one_run
rm S out
yes 7 | head -n 200 | search
{ yes 7 | head -n 300; numbers 0 200; } | search ,continue
{ yes 7 | head -n 200; echo nan; yes 7 | head -n 300; numbers 0 200; } | one_run

echo "- so could a few samples"
rm S out
numbers 0 20 | search
numbers 0 40 | search
numbers 30 60 | search ,replay
numbers 0 40 | search ,replay
numbers 0 40 | one_run
