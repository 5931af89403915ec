# A closed standard descriptor never becomes a file of the program's, so no line lands in one.
. "$SRC/tests/cli/signals"
digits=$SRC/tests/data/digits
sigrep-train -l seven -o whole.sigrep "$digits"/7_george_[01].wav >/dev/null
sigrep-train -l seven -o train.sigrep "$digits"/7_george_[01].wav >&-
echo "train: status $?, $(find . -name 'train.sigrep*' | wc -l) bundles"
sigrep-train -l seven -o train.sigrep "$digits"/7_george_[01].wav 2>&- >/dev/null
echo "train without standard error: status $?, $(cmp train.sigrep whole.sigrep && echo the same)"
sigrep-train -l seven -o train.sigrep "$digits"/7_george_[01].wav <&- 2>&- >&-
echo "train without any: status $?"
head -c 16000 /dev/zero | cat - "$digits/1_george_0.wav" >words.raw
head -c 16000 /dev/zero >>words.raw
sigrep-record -f s16 -r 8000 -o cut- words.raw >&-
echo "record: status $?"
tail -c 100 cut-1.wav | grep -a -c cut- || true
