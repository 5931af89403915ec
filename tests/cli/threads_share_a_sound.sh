# A recording on two threads, which share reading, front end and search, as on one.
audio=$SRC/examples/audio
tail -c +45 "$audio/multiple_keywords_es.wav" >once.s16
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat once.s16; done >long.s16
for front_end in mfcc speech; do
    for j in 1 2; do
        sigrep -j $j -p $front_end -t 3 -f s16 -r 16000 apple="$audio/manzana.wav@1.3-1.9" long.s16 >out.$j
    done
    cmp out.1 out.2 && wc -l <out.2
done
