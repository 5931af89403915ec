# gzip and zstd: a user's packed files of every format, several members, damage, what needs a file.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sensor=$SRC/examples/sensor audio=$SRC/examples/audio

same() { # NAME: the output is as before
    cmp -s got want && echo "$1: $(wc -l <got) matches" || { echo "$1 differs"; cat got; }
}

echo "- a log, a recording, raw samples, an array, templates"
sigrep --time-column 1 --columns 2,3 -p diff -t 3 G="$sensor/g.csv" "$sensor/pen.csv" >want
for pack in gzip zstd; do
    $pack -qc <"$sensor/pen.csv" >pen.packed
    $pack -qc <"$sensor/g.csv" >G
    sigrep --time-column 1 --columns 2,3 -p diff -t 3 G pen.packed >got
    same "$pack text"
    cat pen.packed | sigrep --time-column 1 --columns 2,3 -p diff -t 3 G >got
    same "$pack text from a pipe"
done
sigrep -p raw -t 0.001 "$audio/manzana.wav@1.5-1.52" "$audio/multiple_keywords_es.wav" >want
for pack in gzip zstd; do
    $pack -qc <"$audio/manzana.wav" >manzana.wav
    $pack -qc <"$audio/multiple_keywords_es.wav" | sigrep -p raw -t 0.001 manzana.wav@1.5-1.52 >got
    same "$pack WAV"
done
s16 0 8192 16384 8192 0 >t.s16
s16 32000 0 8192 16384 8192 0 32000 32000 >s.s16
sigrep -t 0.001 -f s16 t.s16 s.s16 >want
for pack in gzip zstd; do
    $pack -qc <s.s16 >s.packed
    $pack -qc <t.s16 >packed.s16
    sigrep -t 0.001 -f s16 packed.s16 s.packed | sed s/packed/t/ >got
    same "$pack raw"
    sigrep -b 1 -f s16 t.s16 <s.packed >got
    same "$pack raw -b"
done
gzip -c t.s16 >t.s16.gz
sigrep -t 0.001 t.s16.gz s.s16 2>&1
gzip -c s.s16 >s.s16.gz
sigrep -t 0.001 t.s16 s.s16.gz 2>&1
sigrep -r 100 -p diff -t 3 "$SRC/tests/data/numpy/g.npy" "$SRC/tests/data/numpy/pen.npy" >want
gzip -c "$SRC/tests/data/numpy/pen.npy" | sigrep -r 100 -p diff -t 3 "$SRC/tests/data/numpy/g.npy" >got
same "gzip NPY"

gzip -c s.txt >s.gz
zstd -qc s.txt >s.zst
echo "- members are joined, but not of both kinds"
cat s.gz s.gz s.gz | ran sigrep -c -t 0.1 t.txt 2>&1
cat s.zst s.zst s.zst | ran sigrep -c -t 0.1 t.txt 2>&1
cat s.gz s.zst | ran sigrep -c -t 0.1 t.txt 2>&1
echo "- trailing_garbage_is_reported and zeros are padding"
{ cat s.gz; head -c 512 /dev/zero; } | ran sigrep -t 0.1 t.txt 2>&1
{ cat s.gz; echo more; } | ran sigrep -t 0.1 t.txt 2>&1
{ cat s.zst; echo more; } | ran sigrep -t 0.1 t.txt 2>&1
echo "- cut short or damaged: what was found before is printed"
seq 1 20000 | cat s.txt - >long.txt
gzip -c long.txt | head -c 20000 >cut.gz
zstd -qc long.txt | head -c 20000 >cut.zst
{ gzip -c s.txt | head -c -8; bytes 0 0 0 0 0 0 0 0; } >bad.gz # no checksum
{ zstd -qc s.txt | head -c -4; bytes 0 0 0 0; } >bad.zst
ran sigrep -t 0.1 t.txt cut.gz cut.zst s.txt 2>&1
ran sigrep -t 0.1 t.txt bad.gz bad.zst 2>&1
head -c 5 s.gz >begun
ran sigrep -t 0.1 t.txt begun 2>&1
ran sigrep -t 0.1 begun t.txt 2>&1
: | gzip | ran sigrep -t 0.1 t.txt 2>&1
echo "- FLAC inside and from a pipe, what is packed twice, and what is refused inside"
gzip -c "$SRC/examples/words/take_3.flac" >take.flac
ran sigrep take.flac "$SRC/examples/words/take_3.flac" 2>&1
cat take.flac | ran sigrep "$SRC/examples/words/take_3.flac" 2>&1
gzip -c s.zst >twice.gz
gzip -c cut.zst | ran sigrep -t 0.1 t.txt twice.gz - 2>&1
printf '{"x":\n1}\n' | gzip >x.json.gz
ran sigrep -t 0.1 t.txt x.json.gz 2>&1
