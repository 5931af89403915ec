# With a GPU and several threads the next samples of a file are read while others are searched. The
# bytes and words are those of one thread, whatever ends the file.
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
export FAKE_CUDA=1
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=t.s16 bs=2 skip=100000 count=16 2>/dev/null
head -c 400001 "$ecg" >cut.s16
head -c 400000 "$ecg" >whole.s16
same() {
    for j in 1 3; do
        sigrep-fake-gpu -d cuda -j $j -T samples "$@" >out.$j 2>err.$j <whole.s16
        echo "exit $?" >>out.$j
    done
    cmp out.1 out.3 && cmp err.1 err.3 && echo "$(wc -l <out.3) lines: $(tail -n 1 out.3), $(cat err.3)"
}
raw='-f s16 -t 0.025 t.s16'
# shellcheck disable=SC2086 # cut into words
{
    same $raw whole.s16
    same $raw -
    same $raw cut.s16
    same $raw whole.s16 cut.s16 nosuch whole.s16
    same -m 3 $raw whole.s16
    same --duration 150000 $raw whole.s16
    same --duration 131072 $raw cut.s16
    same -q $raw cut.s16
}
# Values that are no numbers, in text and in raw; a WAV file that is cut short.
awk 'BEGIN { print "0 1 0"; print "1 5 0"; print "2 2 0" }' | cut -d ' ' -f 2 >x.txt
awk 'BEGIN { for (i = 0; i < 150000; i++) print i % 70000 == 5 ? "bad" : i % 9000 == 1 ? 1 : i % 9000 == 2 ? 5 : i % 9000 == 3 ? 2 : 0 }' >y.txt
same -t 0.1 --skip-bad x.txt y.txt
same -t 0.1 x.txt y.txt
{ head -c 330000 /dev/zero; printf '\0\0\300\177'; head -c 330000 /dev/zero; } >y.f32
head -c 16 /dev/zero >x.f32
same -f f32 -t 0.1 -c x.f32 y.f32
{ printf 'RIFF\044\102\017\0WAVEfmt \020\0\0\0\001\0\001\0\200\076\0\0\0\175\0\0\002\0\020\0data\0\102\017\0'; cat whole.s16; } >cut.wav
{ head -c 36 cut.wav; printf 'data\040\0\0\0'; cat t.s16; } >t.wav
same -p raw -t 0.02 t.wav cut.wav
