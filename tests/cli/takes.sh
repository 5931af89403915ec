# Takes of a spoken word in a directory are one label group. They find new takes of the word among
# other words, if several must agree and at other rates, too.
. "$SRC/tests/cli/signals"
digits=$SRC/tests/data/digits
mkdir seven
cp "$digits/7_george_0.wav" "$digits/7_george_1.wav" "$digits/7_george_2.wav" seven

# three seven one seven, 0.2 s apart: the sevens from 0.73 to 1.35 and from 2.32 to 2.94 s
for take in 3_george_3 7_george_4 1_george_0 7_george_5; do
    tail -c +45 "$digits/$take.wav"
    head -c 3200 /dev/zero
done >said.raw

# Scores may differ in the last bits from machine to machine.
search() {
    sigrep -f s16 -r 8000 -p resample=1000+envelope=0.02 "$@" said.raw | cut -f 1,2,4
}
echo "- one class"
search -t 0.008 seven=seven
echo "- all three agree"
search -t 0.008 --min-matches 3 seven=seven/
echo "- with a lower threshold one take alone finds one of them"
search -t 0.006 seven=seven
search -t 0.006 --min-matches 2 seven=seven
echo "- each file by itself"
search -t 0.008 seven | sort
echo "- too many takes asked for"
search -t 0.008 --min-matches 4 seven=seven
echo "- at twice the rate"
od -An -v -t d2 -w2 said.raw | awk '
    { x = $1 / 32768; if (NR > 1) print (before + x) / 2; print x; before = x }' >twice.txt
sigrep -r 16000 -p resample=1000+envelope=0.02 -t 0.008 seven=seven twice.txt | cut -f 1,2,4
