# A word of 16 kHz is found in a telephone call of 8 kHz, though the call has no band above 4 kHz.
. "$SRC/tests/cli/signals"
audio=$SRC/examples/audio

# Every second sample of a windowed sinc's output.
half_the_rate() {
    awk '{ x[n++] = $1 }
    END {
        pi = 3.14159265358979
        for (i = 0; i < n; i += 2) {
            sum = 0
            for (k = -23; k <= 23; k++) {
                if (i + k < 0 || i + k >= n) continue
                weight = k ? sin(0.45 * pi * k) / (pi * k) : 0.45
                sum += x[i + k] * weight * (0.5 + 0.5 * cos(pi * k / 24))
            }
            printf "%d\n", sum
        }
    }'
}

tail -c +45 "$audio/multiple_keywords_es.wav" | od -An -v -t d2 -w2 | half_the_rate >call.txt
{
    wav 8000 1 | head -c 40
    u32 $((2 * $(wc -l <call.txt)))
    awk '{ v = ($1 + 65536) % 65536; printf "%c%c", v % 256, int(v / 256) }' call.txt
} >call.wav
word="manzana=$audio/manzana.wav@1.22-1.85"
echo "- in the recording"
ran sigrep "$word" "$audio/multiple_keywords_es.wav" 2>&1 | sed 's/threshold.*//'
echo "- in the call"
ran sigrep "$word" call.wav 2>&1 | sed 's/threshold.*//'
echo "- as the warning says"
sigrep -b 3 "$word" call.wav 2>/dev/null >found
sigrep -p resample=8000+mfcc -b 3 "$word" call.wav | awk '{ getline line <"found"; split(line, at)
    print ($1 - at[1]) ^ 2 < 0.02 ^ 2 && ($3 / at[3] - 1) ^ 2 < 0.1 ^ 2 ? "near" : $0 " " line }'
echo "- a front end that was asked for stays, and so does that of a bundle"
ran sigrep -p mfcc -t 3 "$word" call.wav 2>&1
sigrep-train -p mfcc -o word.sigrep "$word" >/dev/null
ran sigrep -t 3 word.sigrep call.wav 2>&1
echo "- made as the warning says"
sigrep-train -p resample=8000+mfcc -o low.sigrep "$word" >/dev/null
ran sigrep -b 3 low.sigrep call.wav 2>&1
