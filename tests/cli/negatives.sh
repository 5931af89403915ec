# --not: words that sound like the word, and saved false alarms, keep its threshold below their scores.
. "$SRC/tests/cli/signals"
cp "$SRC"/tests/data/digits/*.wav .
for take in 3_george_3 7_george_4 1_george_0 7_george_5; do
    tail -c +45 "$take.wav"
    head -c 3200 /dev/zero
done >said.raw
takes='7_george_0.wav 7_george_1.wav 7_george_2.wav'
# shellcheck disable=SC2086 # several words
train() { ran sigrep-train -o x.sigrep -l seven "$@" $takes 2>&1 | grep -v '	'; }
found() { sigrep -f s16 -r 8000 x.sigrep said.raw | cut -f 1,2,4; }
at_most() { sigrep --show x.sigrep | sed -n 's/^seven	3	\([^	]*\)	.*	\([^	]*\)$/\1, at most \2/p'; }
short() { sed 's/\([0-9]\.[0-9]\)[0-9]*/\1/g'; } # last digits depend on the machine's FFT

echo "- at a high threshold another word is taken for it; as a negative it is gone"
train -t 7.2
found
train -t 7.2 --not 3_george_3.wav | short
found
echo "- a saved false alarm, with what was around it"
train -t 7.2
sigrep -q --save heard -C 0.3 -f s16 -r 8000 -m 1 x.sigrep said.raw
train -t 7.2 --not heard | short
found
echo "- a threshold that is low enough stays; so does an estimate"
train -t 5 --not 3_george_3.wav | short
at_most | short
train --not 3_george_3.wav | short
at_most | short
echo "- an estimate is bounded, and a calibration; a_saved_match_of_the_word_itself_brought_no_warning"
train --not 3_george_3.wav --not 7_george_4.wav | short
at_most | short
sigrep -c -f s16 -r 8000 x.sigrep said.raw 2>&1 | grep -c 'threshold 3\.5'
sigrep-calibrate --force -n 1000 x.sigrep "$SRC/examples/whale/humpback.ogg" >quiet 2>&1
at_most | short
sigrep -c -t auto -f s16 -r 8000 x.sigrep said.raw 2>&1 | grep -c 'threshold 3\.5'
echo "- one that takes away takes of the word"
train --not 7_george_1.wav@0-0.4 | short
sigrep-calibrate -n 1000 x.sigrep "$SRC/examples/whale/humpback.ogg" 2>&1 | sed -n 's/.*refused: //p'
echo "- of one label alone"
ran sigrep-train -o two.sigrep --not seven=1_george_0.wav seven=7_george_0.wav one=1_george_0.wav 2>&1 | grep -v '	' | short
echo "- an average; a negative by another rate"
train --average --not 3_george_3.wav | short
sigrep-train -o y.sigrep -p resample=8000+speech -l seven --not "$SRC/examples/audio/manzana.wav" 7_george_0.wav 2>&1 | grep -v '	' | sed 's/at most.*of/at most ... of/; s|of .*/|of |' | short
echo "- bad negatives"
rm x.sigrep
head -c 44 7_george_0.wav >silent.wav
tail -c +45 7_george_0.wav | tr '\0-\377' '\0' >>silent.wav
for bad in 7_george_1.wav missing.wav silent.wav eight=1_george_0.wav y.sigrep; do
    train --not "$bad"
done
ls x.sigrep 2>&1 | sed 's/.*: //'
train --not 1_george_0.wav@0-0.05 | short
train --not ''
lines 0 1 2 3 2 1 >one.txt
lines 9 0 1 2 3 2 1 9 >holds.txt
ran sigrep-train -o n.sigrep -t 1 --not holds.txt one.txt 2>&1 | grep -v '	'
echo "- of numbers"
lines 9 0 1 2 3.5 2 1 9 >near.txt
ran sigrep-train -o n.sigrep -t 1 --not near.txt one.txt 2>&1 | grep -v '	'
sigrep -c n.sigrep near.txt holds.txt
