# A long recording on several threads, which share reading, front end and search: output, messages and
# exit status are those of one thread, whatever the format, and whatever stops the search.
if [ "${SAN-}" ]; then
    echo "SKIP it takes minutes under sanitizers; threads_share_a_sound does not"
    exit 77
fi
. "$SRC/tests/cli/signals"
audio=$SRC/examples/audio
tail -c +45 "$audio/multiple_keywords_es.wav" >once.s16
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do cat once.s16; done >long.s16
size=$(($(wc -c <long.s16)))
declared() { # BYTES: a WAV header
    printf RIFF
    u32 $((36 + $1))
    printf 'WAVEfmt '
    u32 16
    s16 1 1
    u32 16000
    u32 32000
    s16 2 16
    printf data
    u32 "$1"
}
{ declared $size && cat long.s16; } >long.wav
gzip -1 -c long.wav >long.wav.gz
{ declared $((size + 5000)) && cat long.s16; } >cut.wav
head -c 5000000 long.wav.gz >cut.wav.gz
# Text: numbers, a line that is none, and gaps.
od -An -v -w2 -td2 once.s16 | awk '{ printf "%.9g\n", $1 / 32768 }' >once.txt
{ cat once.txt && echo nan && cat once.txt && echo nonsense && cat once.txt; } >bad.txt
compare() {
    for j in 1 2 3; do
        sigrep -j $j -e apple="$audio/manzana.wav@1.3-1.9" "$@" >out.$j 2>err.$j <long.s16
        echo "status $?" >>out.$j
    done
    for j in 2 3; do cmp out.$j out.1 && cmp err.$j err.1; done
    echo "$(wc -l <out.1) lines, $(tail -n 1 out.1), $(wc -l <err.1) messages: $*"
}
for front_end in mfcc speech; do
    for input in long.wav long.wav.gz cut.wav cut.wav.gz; do
        compare -p $front_end -b 3 $input
        compare -p $front_end -t 3 $input
    done
done
compare -t 3 -f s16 -r 16000 -
compare -t 3 -m 5 long.wav
compare -t 3 --duration 100 long.wav
compare -t 3 --chunk 5000 long.wav
compare -t 3 -q long.wav
compare -t 3 -c long.wav cut.wav long.wav.gz
compare -t 3 -f text -r 16000 bad.txt
sigrep -j 1 -t 3 --save one -C 1 apple="$audio/manzana.wav@1.3-1.9" long.wav >one.out
sigrep -j 2 -t 3 --save two -C 1 apple="$audio/manzana.wav@1.3-1.9" long.wav >two.out
cmp one.out two.out && diff -r one two && echo "$(ls two | wc -l) saved"
echo "- a signal: what was found is the beginning of all, but for a match that was pending"
mkfifo pipe
sigrep -j 2 -t 3 -f s16 -r 16000 apple="$audio/manzana.wav@1.3-1.9" pipe >got 2>said &
search=$!
exec 3>pipe
cat long.s16 >&3
until [ -s got ]; do sleep 0.01; done
kill $search
wait $search
echo "status $?"
sed 's/after [0-9.]* s$/after some s/' said
exec 3>&-
sigrep -t 3 -f s16 -r 16000 apple="$audio/manzana.wav@1.3-1.9" long.s16 >all
sed '$d' got >final
head -n "$(wc -l <final)" all | cmp - final
