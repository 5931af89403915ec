# Samples beyond the size that a header declares: found, with status 2 unless the size means
# "unknown". The bug: they were dropped, with status 0 or 1. Files and pipes alike.
. "$SRC/tests/cli/signals"
wav 8000 1 1000 -20000 30000 5 -7000 12000 -32000 400 >t.wav
# declared SIZE: WAV of 4096 bytes of silence, then the template.
declared() {
    head -c 40 t.wav
    u32 "$1"
    head -c 4096 /dev/zero
    tail -c 16 t.wav
}
both() {
    ran sigrep -p raw -t 0.001 t.wav "$1" 2>&1
    # shellcheck disable=SC2002 # a pipe is meant
    cat "$1" | ran sigrep -p raw -t 0.001 t.wav - 2>&1
}
for size in 0 16 1000 0x7ffff000 0xffffffff; do
    echo "- $size"
    declared $((size)) >s.wav
    both s.wav
done
echo "- two files"
cat t.wav t.wav >two.wav
both two.wav
echo "- with a chunk after the samples"
{ cat t.wav && printf LIST && u32 4 && printf abcd; } >chunk.wav
both chunk.wav
echo "- with half a chunk"
head -c -2 chunk.wav >half.wav
both half.wav
echo "- AU, which libsndfile reads"
# au SIZE: the template's samples, after a header of 24 bytes.
au() {
    printf '.snd'
    bytes 0 0 0 24 0 0 0 "$1" 0 0 0 3 0 0 31 64 0 0 0 1
    tail -c 16 t.wav | dd conv=swab
}
for size in 16 8 0; do
    au $size >a.au 2>dd.err
    both a.au
done
