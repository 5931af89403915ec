# Without -t and -b, or with -t auto, the threshold is estimated for each template. It is
# reported once, with all digits that count.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
lines 0 2 6 2 0 >twice.txt
lines 5 5 5 5 5 >flat.txt
echo "- alone"
ran sigrep t.txt s.txt 2>&1
echo "- the same by name"
sigrep -t auto t.txt s.txt 2>&1
sigrep -t 9 -t auto t.txt s.txt 2>&1
echo "- the same as the number that was reported"
number=$(sigrep t.txt s.txt 2>&1 >/dev/null | sed 's/.*threshold \([^ ]*\) .*/\1/')
sigrep -o json -t "$number" t.txt s.txt >with
sigrep -o json t.txt s.txt 2>/dev/null | cmp - with
cat with
echo "- whatever the kernel, the chunks and the input"
for how in '--kernel scalar' '--kernel portable' '--chunk 1' '--chunk 3'; do
    # shellcheck disable=SC2086 # cut into words
    sigrep -c $how t.txt s.txt 2>&1
done
sigrep -c t.txt - 2>&1 <t.txt
echo "- reported once for all inputs, at any rate"
wav 8000 1 9 9 0 100 300 100 0 9 9 >s.wav
sigrep -c t.txt s.txt s.txt s.wav s.txt 2>&1
echo "- of each template, by label if that distinguishes them"
sigrep -c -e hill=t.txt -e twice.txt -e x=t.txt -e x=twice.txt s.txt 2>&1
echo "- of many, the range"
mkdir many
for i in 1 2 3 4 5 6; do cp t.txt many/a$i && cp twice.txt many/b$i; done
sigrep -c many s.txt 2>&1
sigrep -v -c many s.txt 2>&1 | grep -c 'threshold .* (estimated'
echo "- nothing with -q, with a number, with -b"
ran sigrep -q t.txt s.txt 2>&1
sigrep -c -t 1 t.txt s.txt 2>&1
sigrep -c -b 1 t.txt s.txt 2>&1
echo "- what has none"
ran sigrep flat.txt s.txt 2>&1
ran sigrep -e t.txt -e flat.txt s.txt 2>&1
ran sigrep -c -t 0 flat.txt s.txt 2>&1
echo "- audio"
audio=$SRC/examples/audio
sigrep -m 1 manzana="$audio/manzana.wav@1.22-1.85" "$audio/multiple_keywords_es.wav" 2>printed | cut -f 1,2,4
sed 's/threshold [0-9.]* (/threshold N (/' printed
