# The threshold of a template, from the gap in the scores of a recording.
. "$SRC/tests/cli/signals"
# bumps N EVERY SEED: noise, and N bumps of changing size and length among it.
bumps() {
    awk -v n="$1" -v every="$2" -v seed="$3" '
        function noise() {
            seed = (seed * 1103515245 + 12345) % 2147483648
            return int(seed / 65536) % 201 / 500 - 0.2
        }
        BEGIN {
            for (i = 0; i < n; i++) {
                for (k = 0; k < every; k++) printf "%.3f\n", noise()
                length_ = 8 + i % 5
                for (k = 0; k <= length_; k++)
                    printf "%.3f\n", (3 + i % 3 / 10) * sin(3.14159 * k / length_) + noise()
            }
        }'
}
calibrate() { ran sigrep-calibrate "$@" 2>&1; }
short() { calibrate "$@" | tail -n 2; }
lines 0 1 2 3 3 2 1 0 >bump.txt
bumps 40 50 1 >bumps.txt

echo "- a histogram, the gap and a threshold; sigrep finds as many matches at it"
calibrate bump.txt bumps.txt
sigrep-calibrate -q bump.txt bumps.txt
sigrep -c -t "$(sigrep-calibrate -q bump.txt bumps.txt)" bump.txt bumps.txt
echo "- a pipe, threads, several recordings, a part of the recording as the template"
sigrep-calibrate -j 2 bump.txt <bumps.txt >piped
sigrep-calibrate bump.txt bumps.txt | cmp - piped && echo the same
bumps 30 60 2 >more.txt
calibrate bump.txt bumps.txt more.txt | tail -n 2
calibrate -g 0.6,1.8 -p resample=0.5 bump=bumps.txt@50-58 bumps.txt | tail -n 2
echo "- no clear gap: nothing, the template alone, two matches, too few places"
awk 'BEGIN { for (i = 0; i < 2000; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    y = 0.9 * y + int(seed / 65536) % 201 / 100 - 1
    printf "%.3f\n", y } }' >wander.txt
short bump.txt wander.txt
short wander.txt@100-130 wander.txt
bumps 1 400 3 >one.txt
short bump.txt one.txt
{ bumps 1 400 3; bumps 1 200 4; } >two.txt
short bump.txt two.txt
calibrate -q bump.txt one.txt
bumps 4 10 5 >few.txt
short bump.txt few.txt
echo "- bad inputs"
lines 1 2 3 >short.txt
calibrate bump.txt short.txt
calibrate bump.txt bumps.txt short.txt
awk 'BEGIN { for (i = 0; i < 900; i++) print 4 }' >constant.txt
calibrate bump.txt constant.txt
lines 1,2 3,4 5,6 >wide.txt
calibrate bump.txt wide.txt
lines 1,2 3,4 5,6 >narrow.csv
calibrate --columns 1,2 narrow.csv bumps.txt
lines 1 2 x >bad.txt
calibrate bump.txt bad.txt
calibrate bump.txt missing.txt
calibrate missing.txt bumps.txt
calibrate bump.txt empty.txt
: >empty.txt
calibrate bump.txt empty.txt
calibrate -p resample=8000 -r 1 bump.txt bumps.txt
mkdir takes && cp bump.txt takes/a.txt && cp bump.txt takes/b.txt
calibrate takes bumps.txt
echo "- options of the other kind"
sigrep-train -o w.sigrep bump.txt >quiet
calibrate -q w.sigrep bumps.txt
calibrate -p diff w.sigrep bumps.txt
calibrate -n 1 bump.txt bumps.txt
calibrate -o w.sigrep bump.txt bumps.txt
echo "- a_histogram_of_scores_far_from_zero_did_not_end"
awk '{ print $1 + 1e12 }' bump.txt >far.txt
calibrate far.txt bumps.txt
echo "- gaps_alone_were_called_constant"
lines nan nan nan nan nan nan nan nan nan >gaps.txt
calibrate bump.txt gaps.txt
echo "- an_interrupted_recording_lost_those_before_it, or was not reported"
bumps 400 50 6 >long.txt # more than a pipe holds, so bumps.txt has been searched
mkfifo in
env --default-signal=INT sigrep-calibrate -q bump.txt bumps.txt - <in >part.out 2>part.err &
exec 3>in
cat long.txt >&3
kill -INT $!
wait $!
echo "status $?, $(wc -l <part.out) line"
cat part.err
exec 3>&-
echo "- a_rate_was_asked_for_an_unknown_front_end"
calibrate -p nonsense bump.txt bumps.txt
calibrate -p mfcc bump.txt bumps.txt
