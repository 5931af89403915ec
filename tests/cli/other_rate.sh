# A word cut at 16 kHz is found in the same recording at other rates, at its time. The other
# rates are made by a windowed sinc in awk, which has nothing in common with sigrep's own.
. "$SRC/tests/cli/signals"
audio=$SRC/examples/audio
word="word=$audio/manzana.wav@1.3-1.6"

# The recording from 5.2 to 5.8 s, which holds a part of the word from 0.1 to 0.4 s.
tail -c +166445 "$audio/multiple_keywords_es.wav" | head -c 19200 |
    od -An -v -t d2 -w2 >16000.txt

at_rate() { # HZ: 16000.txt at that rate
    awk -v to="$1" '
    { x[n++] = $1 }
    END {
        pi = 3.14159265358979; from = 16000; half = 12
        low = to < from ? 0.9 * to / from : 1
        for (j = 0; j * from / to < n; j++) {
            at = j * from / to; sum = 0
            for (i = int(at - half / low) + 1; i <= at + half / low; i++) {
                if (i < 0 || i >= n) continue
                d = (at - i) * low
                weight = d ? sin(pi * d) / (pi * d) : 1
                sum += x[i] * low * weight * (0.5 + 0.5 * cos(pi * d / half))
            }
            printf "%d\n", sum < 0 ? sum - 0.5 : sum + 0.5
        }
    }' 16000.txt
}

# wav_of HZ: a WAV file of the samples in HZ.txt.
wav_of() {
    wav "$1" 1 | head -c 40
    u32 $((2 * $(wc -l <"$1.txt")))
    awk '{ v = ($1 + 65536) % 65536; printf "%c%c", v % 256, int(v / 256) }' "$1.txt"
}

# The times, or how far off they are.
near() {
    awk -v start="$1" -v end="$2" '{
        good = ($1 - start) ^ 2 < 0.005 ^ 2 && ($2 - end) ^ 2 < 0.005 ^ 2
        print good ? "at its time" : $0
    }'
}

for hz in 8000 11025 44100 48000; do at_rate $hz >$hz.txt; done
for hz in 16000 8000 11025 44100 48000; do
    wav_of $hz >$hz.wav
    echo "- $hz Hz"
    sigrep -p raw -b 1 "$word" $hz.wav | near 0.1 0.4
    sigrep -p envelope -b 1 "$word" $hz.wav | near 0.1 0.4
    sigrep -p raw -b 1 "$word" <$hz.wav | near 0.1 0.4
    awk '{ print $1 / 32768 }' $hz.txt |
        sigrep -p raw -r $hz -b 1 "$word" - | near 0.1 0.4
done
echo "- below a threshold"
sigrep -p raw -t 0.001 -o csv "$word" 16000.wav 48000.wav 44100.wav | sed 1d | cut -d , -f 1,2
echo "- positions are samples of the input"
sigrep -p raw -b 1 -o json "$word" 48000.wav |
    sed 's/.*"start_sample":\([0-9]*\),"end_sample":\([0-9]*\),.*/\1 \2/' |
    awk '{ print ($1 - 4800) ^ 2 < 240 ^ 2 && ($2 - 19200) ^ 2 < 240 ^ 2 ? "right" : $0 }'
echo "- as a step of the front end"
sigrep -p resample=4000+diff -b 1 "$word" 8000.wav | near 0.1 0.4
sigrep --kernel portable -v -p raw -b 1 "$word" 44100.wav 2>&1 | grep -E 'front end|resampled'
echo "- templates of different rates: the lowest counts"
sigrep --kernel portable -v -p raw -b 2 -e 48k=48000.wav@0.1-0.4 -e 8k=8000.wav@0.1-0.4 16000.wav 2>err | near 0.1 0.4
grep resampled err
echo "- too far apart"
ran sigrep -p raw -f s16 -r 10 -b 1 "$word" 8000.wav 16000.txt 2>&1
