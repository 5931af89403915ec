# With several threads a file is read while its samples are searched, and threads share the front end.
# The bytes and words are those of one thread, whatever ends the file.
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=t.s16 bs=2 skip=100000 count=32 2>/dev/null
head -c 400001 "$ecg" >cut.s16
head -c 400000 "$ecg" >whole.s16
same() {
    for j in 1 3; do
        sigrep -j $j -T samples --scores scores.$j "$@" >out.$j 2>err.$j <whole.s16
        echo "exit $?" >>out.$j
    done
    cmp out.1 out.3 && cmp err.1 err.3 && cmp scores.1 scores.3 &&
        echo "$(wc -l <out.3) lines: $(tail -n 1 out.3), $(cat err.3)"
}
same -f s16 -t 0.025 t.s16 whole.s16
same -f s16 -t 0.025 t.s16 -
same -f s16 -t 0.025 t.s16 cut.s16
same -f s16 -t 0.025 t.s16 whole.s16 cut.s16 nosuch whole.s16
same -f s16 -t 0.025 --duration 150000 t.s16 whole.s16
same -f s16 -b 5 t.s16 cut.s16
# The best of a packed file.
for pack in gzip zstd; do
    $pack -qc whole.s16 >packed
    same -f s16 -b 5 t.s16 packed
done
# Text with values that are no numbers.
printf '1\n5\n2\n' >x.txt
awk 'BEGIN { for (i = 0; i < 150000; i++) print i % 70000 == 5 ? "bad" : i % 9000 == 1 ? 1 : i % 9000 == 2 ? 5 : i % 9000 == 3 ? 2 : 0 }' >y.txt
same -t 0.1 --skip-bad x.txt y.txt
same -t 0.1 x.txt y.txt
# More than a minute of sound, then the same cut short.
samples=$SRC/examples/audio/multiple_keywords_es.wav
tail -c +45 "$samples" >once.s16
for _ in 1 2 3 4 5 6 7 8; do cat once.s16; done >long.s16
for front_end in mfcc speech logmel+diff; do
    same -f s16 -r 16000 -p $front_end -t 3 apple="$SRC/examples/audio/manzana.wav@1.3-1.9" long.s16
done
{ head -c 40 "$samples"; printf '\0\0\100\0'; cat long.s16; } >cut.wav
same -t 3 apple="$SRC/examples/audio/manzana.wav@1.3-1.9" cut.wav
