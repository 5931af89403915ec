# -j searches several inputs at once. Its output, its messages and their order are those of -j 1,
# for good and bad inputs, short and long ones, files, pipes and standard input.
# shellcheck disable=SC2086 # options are cut into words
. "$SRC/tests/cli/signals"
. "$SRC/tests/cli/at_once"
hill >t.txt
lines 3 1 0 9 >u.txt
stream >s.txt
lines 9 9 9 >none.txt
lines 9 9 1e60 0 1 3 1 0 9 >warns.txt
lines 0 1 3 1 0 9 9 9 x 0 1 3 1 0 >bad.txt
printf 'RIFF\044\0\0\0WAVEfmt ' >cut.wav
: >empty.txt
# More than an input may hold back: 400 matches of a long label, 1.2 MB.
for _ in 1 2 3 4 5 6 7 8 9 10; do cat s.txt s.txt s.txt s.txt s.txt; done >some.txt
cat some.txt some.txt some.txt some.txt >long.txt
label=$(printf '%03000d' 0)
files='s.txt warns.txt nosuch none.txt some.txt bad.txt s.txt cut.wav empty.txt some.txt none.txt s.txt'

compare -t 0.1 -e "$label=t.txt" -e u.txt s.txt long.txt nosuch long.txt - some.txt
for options in '' -c -l -L -s '-m 1' '-o csv' '-b 3' -v; do
    threshold='-t 0.1'
    case $options in -b*) threshold= ;; esac
    compare $options $threshold -e t.txt -e u.txt $files - nosuch some.txt
done
compare -t auto t.txt $files
compare -q -t 0.1 t.txt none.txt none.txt none.txt
compare -q -t 0.1 t.txt none.txt long.txt s.txt
compare --scores scores -t 0.1 t.txt s.txt none.txt s.txt
compare --duration 10 -t 0.1 t.txt $files
echo "- statistics"
for j in 1 3; do
    sigrep -j $j --stats -t 0.1 t.txt s.txt none.txt long.txt s.txt 2>&1 >/dev/null |
        grep -v 'time\|per second\|kernel'
done
echo "- pipes: one after the other, each at once"
mkfifo first second
sigrep -j 3 -h -t 0.1 t.txt s.txt first none.txt second s.txt >got &
search=$!
exec 3>first
stream >&3
lines 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 >&3
until [ "$(wc -l <got)" -ge 4 ]; do sleep 0.01; done
echo "4 matches, though the first pipe is open"
exec 3>&-
stream >second
wait $search
echo "status $?, $(wc -l <got) matches"
echo "- others are searched to the end while the first is open, far more than there are threads"
for n in 1 2 3 4 5 6 7 8 9; do cp s.txt "short_$n.txt"; done
sigrep -j 2 -t 0.1 --output-dir apart t.txt first short_?.txt &
search=$!
exec 3>first
until [ "$(cat apart/short_9* 2>/dev/null | wc -l)" -ge 1 ]; do sleep 0.01; done
echo "$(ls apart | wc -l) files"
stream >&3
exec 3>&-
wait $search
echo "status $?"
# A signal comes while the pipe `first`, which is among the inputs, has given two matches.
signalled() {
    sigrep -h -t 0.1 "$@" >got 2>said &
    search=$!
    exec 3>first
    stream >&3
    until [ "$(wc -l <got)" -ge 2 ]; do sleep 0.01; done
    kill $search
    wait $search
    echo "status $?, $(sort -u got | wc -l) kinds of lines"
    # Which inputs were being read is chance.
    sed -n 's/.*: \(ended by a signal\) after .*/\1/p' said | sort -u
    exec 3>&-
}
echo "- a signal meanwhile: what they left is printed"
signalled -j 2 t.txt first short_?.txt
echo "- -q ends while a pipe is read"
sigrep -j 2 -q -t 0.1 t.txt first s.txt &
search=$!
exec 3>first
wait $search
echo "status $?"
exec 3>&-
echo "- a signal: what was found is printed"
signalled -j 3 t.txt s.txt first s.txt s.txt
echo "- a full disk"
[ -e /dev/full ] || exit 0
sigrep -j 3 -t 0.1 t.txt long.txt long.txt long.txt 2>printed >/dev/full
echo "status $?, $(cat printed)"
