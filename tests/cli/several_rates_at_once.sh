# Several inputs at once, of several rates, each with its estimated threshold; and a template of a
# higher rate than some. As tests/cli/several_at_once.sh.
if [ "${SAN-}" ]; then
    echo "SKIP it takes minutes under sanitizers; several_at_once does not"
    exit 77
fi
. "$SRC/tests/cli/signals"
. "$SRC/tests/cli/at_once"
stream >s.txt
words=$SRC/examples/words
mkdir tree
for n in 1 3 4; do cp "$words/take_$n.flac" tree/; done
slower() { # the samples of a WAV file, at another rate
    head -c 24 "$SRC/examples/audio/manzana.wav"
    u32 "$1"
    u32 $((2 * $1))
    tail -c +33 "$SRC/examples/audio/manzana.wav"
}
slower 8000 >tree/low.wav
slower 11025 >tree/middle.wav
slower 8000 >tree/take_4_low.wav
compare --recursive -v "$words/take_3.flac" tree
compare --recursive -v -p resample=8000+speech "$words/take_3.flac" tree
compare --recursive -c -b 2 a="$words/take_3.flac" b="$words/take_1.flac" tree
