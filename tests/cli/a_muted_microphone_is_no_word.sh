# A muted microphone or a noise gate gives zeros without any noise. `speech` made frames of zeros of
# them, which lie nearer to a word than other sounds do, so a calibrated bundle found its word there.
# Nor is it found where sound stops and begins again.
words=$SRC/examples/words
for take in 1 2 3 4 5 6; do
    sigrep-record -o cut_${take}_ "$words/take_$take.flac" >quiet
done
sigrep-train -p resample=8000+speech -t 6.6 -l casa -o casa.sigrep cut_?_1.wav >quiet

zeros() { # rate, seconds, in 16 bits
    head -c $(($1 * $2 * 2)) /dev/zero
}

echo "- zeros, of several rates and kinds"
for rate in 8000 16000 44100 48000; do
    zeros $rate 10 | sigrep -c -f s16 -r $rate casa.sigrep
done
zeros 8000 10 | tr '\0' '\200' | sigrep -c -f u8 -r 8000 casa.sigrep
echo "- the word, then zeros: it alone, and the same by any piece of code"
for take in 1 4; do
    { tail -c +45 cut_${take}_1.wav; zeros 24000 5; tail -c +45 cut_${take}_1.wav; zeros 24000 1; } >both.s16
    sigrep -f s16 -r 24000 casa.sigrep both.s16 | tee found | cut -f 4
    sigrep --chunk 3 --kernel scalar -f s16 -r 24000 casa.sigrep <both.s16 | cmp - found
done
echo "- noise, muted for 20 ms to 2 s"
awk 'BEGIN {
    x = 1
    for (length_ms = 20; length_ms <= 2000; length_ms *= 1.5)
        for (i = 0; i < 8 * (500 + length_ms); i++) {
            x = (x * 16807) % 2147483647
            print i < 4000 ? (x / 2147483647 - 0.5) / 10 : 0
        }
}' >muted.txt
sigrep -c -f text -r 8000 casa.sigrep muted.txt
echo "- one take by itself, and with zeros around it: as many, and the same places"
sigrep-train -p speech -t 6.8 -l casa -o one.sigrep cut_4_1.wav >quiet
{ zeros 24000 1; tail -c +45 cut_4_1.wav; zeros 24000 1; } >padded.s16
sigrep-train -p speech -t 6.8 -l casa -f s16 -r 24000 -o padded.sigrep padded.s16 >quiet
for bundle in one padded; do
    zeros 24000 5 | sigrep -c -f s16 -r 24000 $bundle.sigrep
    sigrep $bundle.sigrep "$words/real_sample.flac" | awk -f "$words/places.awk" "$words/truth.csv" -
done
