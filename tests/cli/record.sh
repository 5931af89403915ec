# A recording is cut into takes by its pauses; they are trimmed, and nothing is overwritten.
. "$SRC/tests/cli/signals"
for take in 3_george_3 7_george_4 1_george_0; do
    head -c 11000 /dev/zero
    tail -c +45 "$SRC/tests/data/digits/$take.wav"
done >said.raw
record() { ran sigrep-record -f s16 -r 8000 "$@" 2>&1; }
record -o take said.raw
echo "- numbers of existing files are skipped; a pipe"
cat said.raw | sigrep-record -f s16 -r 8000 -n 1 -o take -
ls
echo "- the takes hold the spoken words"
sigrep -c -t 6 take2.wav "$SRC/tests/data/digits/7_george_5.wav"
echo "- --pause, --shortest, --longest"
record -o long --pause 1 said.raw
record -o short --shortest 0.7 said.raw
record -o cut --longest 0.3 said.raw
echo "- clipped"
od -An -v -t d2 -w2 said.raw | awk '{ x = $1 * 9; print (x > 32767 ? 32767 : x < -32768 ? -32768 : x) / 32768 }' >loud.txt
ran sigrep-record -r 8000 -n 1 -o loud loud.txt 2>&1 | sed 's/clipped: [0-9.]* /clipped: ... /'
echo "- a_value_that_is_not_finite_lost_every_later_take: an infinity in a pause, a NaN in the second word"
od -An -v -t d2 -w2 said.raw | awk 'NR == 2000 { print "inf"; next } NR == 18000 { print "nan"; next } { print $1 / 32768 }' >gaps.txt
ran sigrep-record -r 8000 -o gap gaps.txt 2>&1
echo "- errors"
head -c 16000 /dev/zero >silence.raw
record -o s silence.raw
record -o s missing.raw
record -o missing/s said.raw
record said.raw
record -o s said.raw said.raw
record -o s -n 0 said.raw
record -o s --pause 0 said.raw
record -o s --above 99 said.raw
record --channels 2 -o s said.raw
lines 1 2 3 >three.txt
ran sigrep-record -o s three.txt 2>&1
wav 8000 2 1 2 3 4 >stereo.wav
ran sigrep-record --channel each -o s stereo.wav 2>&1
{ sigrep-record -f s16 -r 8000 -o s said.raw >/dev/full; } 2>&1
echo "status $?"
echo "- a signal: the takes that are written stay"
mkfifo endless
sigrep-record -f s16 -r 8000 -o part endless >parts 2>said &
exec 3>endless
cat said.raw >&3
until grep -q part2 parts; do sleep 0.05; done
kill -TERM $!
wait $!
echo "status $?"
exec 3>&-
sed 's/after [0-9.]* s/after some s/' said
