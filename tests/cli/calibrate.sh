# A background and a wanted rate of false alarms into the threshold of a bundle.
if [ "${SAN-}" = thread ]; then
    echo "SKIP it takes minutes under ThreadSanitizer"
    exit 77
fi
. "$SRC/tests/cli/signals"
# walk SEED N: a leaky random walk, at 1 Hz.
walk() {
    awk -v seed="$1" -v n="$2" 'BEGIN {
        for (i = 0; i < n; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            x = 0.9 * x + int(seed / 65536) % 201 / 100 - 1
            printf "%.3f\n", x
        }
    }'
}
lines 0 1 2 3 2 1 0 -1 -2 -1 0 >one.txt
lines 0 1.2 2 3 3 2 1 0 -1 -2 -2 -1 0 >two.txt
lines 0 1 2 3 2 1 0 -1 -2.5 -1 0 0 >three.txt
walk 1 72000 >walk.txt # 20 hours
walk 2 72000 >other.txt
calibrate() { ran sigrep-calibrate "$@" 2>&1; }
sigrep-train -o w.sigrep one.txt two.txt three.txt >quiet

echo "- the wanted number of false alarms; about as many in another background"
calibrate -n 2 w.sigrep walk.txt
sigrep -c w.sigrep walk.txt
sigrep -c w.sigrep other.txt
echo "- sigrep uses the printed threshold; a lower one gives fewer"
sigrep -v -q w.sigrep walk.txt 2>&1 | grep -c 'threshold 0\.'
calibrate -n 0.2 -o rare.sigrep w.sigrep walk.txt
sigrep -v -q rare.sigrep walk.txt 2>&1 | grep calibrated
echo "- hours of several inputs add up; a pipe, threads and a rate change nothing else"
calibrate -o a.sigrep w.sigrep walk.txt other.txt
cat walk.txt | sigrep-calibrate -j 2 -o b.sigrep w.sigrep | cut -f 7,8
calibrate -o c.sigrep --duration 36000 w.sigrep walk.txt | cut -f 7,8
calibrate -r 10 -o d.sigrep w.sigrep walk.txt | cut -f 7
echo "- duration_is_exact: to the sample, not to a whole read"
head -n 36000 walk.txt >half.txt
sigrep-calibrate -o half.sigrep w.sigrep half.txt >by_half
sigrep-calibrate -o c.sigrep --duration 36000 w.sigrep walk.txt | cmp - by_half && cmp c.sigrep half.sigrep && echo the same
echo "- several labels"
sigrep-train -o both.sigrep a=one.txt b=two.txt >quiet
calibrate -n 1 both.sigrep walk.txt
echo "- a background that holds the word"
{ cat walk.txt; lines 0 1 2 3 3 2 1 0 -1 -2 -1 0; cat other.txt; lines 0 0 1 2 3 2 1 0 -1 -2 -1 0; } >said.txt
calibrate -n 1 -o e.sigrep w.sigrep said.txt
echo "- too short for the wanted rate"
head -n 3000 walk.txt >short.txt
calibrate -n 0.1 -o f.sigrep w.sigrep short.txt
calibrate -n 1e-30 -o f.sigrep w.sigrep walk.txt
echo "- errors leave the bundle unchanged"
cp w.sigrep before.sigrep
head -n 300 walk.txt >tiny.txt
calibrate w.sigrep tiny.txt
calibrate w.sigrep missing.txt
calibrate w.sigrep two.csv
lines 1,2 3,4 >two.csv
calibrate w.sigrep two.csv
lines 1 2 x >bad.txt
calibrate w.sigrep walk.txt bad.txt
calibrate missing.sigrep walk.txt
calibrate -n 1 walk.txt walk.txt
calibrate
calibrate -n 0 w.sigrep walk.txt
calibrate -o missing/x.sigrep w.sigrep walk.txt
echo "- more_false_alarms_than_candidates: no infinite threshold, which a bundle cannot hold"
calibrate -n 1e5 w.sigrep walk.txt
calibrate -n 1e308 w.sigrep walk.txt
echo "- a_constant_background has no rare candidates"
awk 'BEGIN { for (i = 0; i < 9000; i++) print 0 }' >constant.txt
calibrate w.sigrep constant.txt
sigrep-train -p diff+znorm=8 -r 2 -o hz.sigrep one.txt >quiet
calibrate hz.sigrep walk.txt
cmp w.sigrep before.sigrep && echo unchanged
echo "- takes_that_must_agree: the wanted number; about as many in another background"
for n in 2 3; do
    sigrep-train --min-matches $n -o agree.sigrep -l w one.txt two.txt three.txt >quiet 2>&1
    calibrate -n 2 agree.sigrep walk.txt
    sigrep -c agree.sigrep walk.txt
    sigrep -c agree.sigrep other.txt
done
calibrate -n 2 -o shared.sigrep agree.sigrep walk.txt walk.txt | cut -f 7,8 # no agreement across inputs
echo "- the_median_of_an_even_number is the mean of the two in the middle"
lines 0 1 2 3 2 1 0 -1 -2 -1.5 0 >four.txt
sigrep-train -o four.sigrep -l w one.txt two.txt three.txt four.txt 2>quiet
calibrate -n 1 four.sigrep said.txt
echo "- a_background_that_holds_the_word, if takes must agree"
sigrep-train --min-matches 2 -o agree.sigrep -l w one.txt two.txt three.txt >quiet 2>&1
calibrate -n 1 agree.sigrep said.txt
echo "- an_interrupted_background is reported, with the hours that count"
mkfifo in
for signal in INT TERM; do
    env --default-signal=INT sigrep-calibrate -o part.sigrep w.sigrep walk.txt - other.txt <in >part.out 2>part.err &
    exec 3>in
    cat walk.txt >&3 # more than a pipe holds, so walk.txt has been searched
    kill -$signal $!
    wait $!
    echo "$signal: status $?, $(wc -l <part.out) lines"
    sed 's/[0-9.][0-9.]* hours/N hours/' part.err
    exec 3>&-
done
