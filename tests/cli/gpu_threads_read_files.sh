# With a GPU and several threads a file of plain samples is read by all threads. They print the same
# bytes and words as one thread, for all formats and gaps, whatever ends the file.
# shellcheck disable=SC2086,SC2002 # what is cut into words; a pipe
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
export FAKE_CUDA=1
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=t.s16 bs=2 skip=100000 count=16 2>/dev/null
cat "$ecg" "$ecg" | head -c 600000 >whole.s16
head -c 500001 whole.s16 >cut.s16
same() {
    for j in $threads; do
        sigrep-fake-gpu -d cuda -j $j -T samples "$@" >out.$j 2>err.$j <whole.s16
        echo "exit $?" >>out.$j
        cmp out.1 out.$j && cmp err.1 err.$j
    done
    echo "$(wc -l <out.1) lines: $(tail -n 1 out.1), $(cat err.1)"
}
raw='-f s16 -t 0.02 t.s16'
threads='1 2 3 4 5'
same $raw whole.s16
threads='1 3'
same $raw -
same $raw cut.s16 nosuch whole.s16
same -m 7 $raw whole.s16
same --duration 200000 $raw whole.s16
same --duration 262145 $raw cut.s16
same --chunk 1000 $raw whole.s16
same -f s16be --channels 2 -t 0.06 t.s16 whole.s16
same -p diff $raw whole.s16
# What is not read is left for who comes next.
for j in 1 4; do
    { sigrep-fake-gpu -d cuda -j $j $raw - | wc -l; wc -c; } <whole.s16
    { sigrep-fake-gpu -d cuda -j $j --duration 200000 $raw - | wc -l; wc -c; } <whole.s16
done
# Values that are no numbers, where the parts of threads meet: a float has 4 bytes, a part 2^17.
nan='\0\0\300\177' one='\0\0\200\077\0\0\0\100\0\0\200\077\0\0\0\0'
gap() { printf '%b' "$nan$nan$one$nan$one"; }
{ printf '%b' "$nan"; head -c 131068 /dev/zero; gap; head -c 131028 /dev/zero; gap; head -c 700000 /dev/zero; gap
    head -c 200000 /dev/zero; printf '%b' "$one$nan"; } >y.f32
printf '%b' "$one" >x.f32
same -f f32 -t 0.1 x.f32 y.f32
# WAV: floats, and one that is cut short.
printf 'RIFF\044\0\020\0WAVEfmt \020\0\0\0\003\0\001\0\200\076\0\0\0\372\0\0\004\0\040\0data\0\0\020\0' >head.wav
{ cat head.wav; head -c 1048576 y.f32; } >y.wav
{ cat head.wav; head -c 1000000 y.f32; } >cut.wav
{ head -c 40 head.wav; printf '\020\0\0\0'; cat x.f32; } >x.wav
same -p raw -t 0.1 x.wav y.wav
same -p raw -t 0.1 x.wav cut.wav
# A GPU that is lost on the way: the CPU goes on. (A pipe, whose length is not known, is worth
# its waking.)
lose() {
    cat cut.s16 | FAKE_CUDA="1 cudaMemcpyAsync $1" sigrep-fake-gpu -T samples -j "$2" --chunk 70000 $raw whole.s16 - whole.s16 2>&1
}
lose 100000 1 >want
wc -l <want
for j in 2 4; do
    for after in 5 15 30; do
        lose $after $j >got
        grep -v 'CPU is used' got | cmp - want
        grep 'CPU is used' got
    done
done
