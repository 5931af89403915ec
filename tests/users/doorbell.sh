# Someone who rarely hears the bell keeps a list of its rings, each with a clip. The "bell" is a
# spoken phrase under noise; a recording stands for the microphone.
for take in 1 2 3 4 5; do
    sigrep-record -o take- "$SRC"/examples/words/take_$take.flac | tail -n 1
done
echo '- a take of another sound is noticed'
sigrep-record -o other- "$SRC"/examples/words/alexa_1.flac | tail -n 1
sigrep-train -p resample=8000+speech -o bell.sigrep take-?.wav other-1.wav 2>&1 |
    grep different | cut -d ';' -f 2
echo '- without it; the threshold comes from a background'
sigrep-train -p resample=8000+speech -l bell -o bell.sigrep take-?.wav | cut -f 1-3
sigrep-calibrate -n 1 -o bell.sigrep bell.sigrep "$SRC"/examples/words/noise.flac
echo "status $?"
sigrep --show bell.sigrep | grep -A 1 calibrated
sigrep-calibrate -n 1 -o strict.sigrep bell.sigrep "$SRC"/examples/whale/humpback.ogg \
    "$SRC"/examples/audio/multiple_keywords_* >printed
sigrep-calibrate -n 60 bell.sigrep "$SRC"/examples/whale/humpback.ogg \
    "$SRC"/examples/audio/multiple_keywords_* | cut -f 1,7-9
sigrep --show bell.sigrep | grep -A 1 calibrated | cut -f 1,2,4,5
echo '- each ring is listed, at most one in five seconds'
cat >ring.sh <<'END'
# $SIGREP_SAVED is there when this runs.
test -s "$SIGREP_SAVED" && echo "$SIGREP_LABEL at $SIGREP_START: $SIGREP_SAVED" >>rings
END
sigrep --hold 5 --save clips -C 0.5 --exec 'sh ring.sh' bell.sigrep \
    "$SRC"/examples/words/real_sample.flac >printed
cat rings
sigrep -c bell.sigrep clips/*
echo '- only the first ring: -q prints nothing, and the command runs'
sigrep -q --exec 'echo "$SIGREP_LABEL"' bell.sigrep "$SRC"/examples/words/real_sample.flac
echo "status $?"
echo '- a command that fails is reported'
sigrep --exec 'exit 3' bell.sigrep "$SRC"/examples/words/real_sample.flac >printed
echo "status $?"
