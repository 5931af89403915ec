# [LABEL=]FILE[@START-END], as in the manual.
. "$SRC/tests/cli/signals"
mkdir d
lines 7 7 0 1 3 1 0 7 >t.txt
cp t.txt d/t.txt
cp t.txt a@b.txt
cp t.txt a=b.txt
cp t.txt x@1-2
stream >s.txt
for t in t.txt@2-7 d/t.txt@2-7 yes=t.txt@2-7 yes=d/t.txt@2.0-7.00 a@b.txt@2-7 ./a=b.txt@2-7 \
    'two words=t.txt@1.6-6.7' a=b=t.txt l=a@b.txt@2-7 x@1-2@2-7 x@1-2; do
    echo "- $t"
    sigrep -o csv -m 1 -t 0.1 "$t" s.txt 2>&1 | tail -n 1
done
# Seconds, if there is a rate.
wav 1000 1 70 70 0 10 30 10 0 70 >t.wav
wav 1000 1 90 90 90 0 10 30 10 0 90 90 >s.wav
sigrep -p raw -t 0.00001 -e t.wav@0.002-0.007 s.wav
sigrep -r 1000 -t 0.1 -e t.txt@0.002-0.007 s.txt
# From standard input, under its name.
sed -n 3,7p t.txt | sigrep -t 0.1 - s.txt
