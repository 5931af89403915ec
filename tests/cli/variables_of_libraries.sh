# Regression: SOXR_USE_SIMD changed the last digits of scores after resampling. Variables of libsoxr
# that choose its code are removed by each program.
if [ "${SAN-}" ]; then
    echo "SKIP it takes minutes under sanitizers"
    exit 77
fi
. "$SRC/tests/cli/signals"
digits=$SRC/tests/data/digits
recording=$SRC/examples/audio/multiple_keywords_es.wav
variables='SOXR_USE_SIMD=0 SOXR_USE_SIMD=1 SOXR_USE_SIMD32=0 SOXR_USE_SIMD64=0 SOXR_NUM_THREADS=4
    SOXR_COEFS_SIZE=100 SOXR_COEF_INTERP=1 SOXR_MIN_DFT_SIZE=8 SOXR_LARGE_DFT_SIZE=8
    SOXR_NOSMALLINTOPT=1 SOXR_STRICT_BUF=1 SOXR_TRACE=9'

# same WHAT COMMAND...: the bytes of its output are those without such variables.
same() {
    what=$1
    shift
    "$@" >expected 2>/dev/null || echo "status $?"
    [ -s expected ] || echo "no output"
    for variable in $variables; do
        env "$variable" LANG=de_DE.UTF-8 "$@" >actual 2>said || echo "$variable: status $?"
        cmp expected actual || echo "with $variable"
        ! grep . said | grep -v '^sigrep' || echo "with $variable"
    done
    echo "$what: the same"
}

same search sigrep -p resample=7000 -o json -b 5 "$digits/7_george_5.wav" "$recording"
same templates sigrep -p raw -o json -t 1 "$recording@1-1.1" "$digits/7_george_5.wav" "$recording"
same train sh -c "sigrep-train -p resample=7000+mfcc -o word.sigrep $digits/7_george_[01].wav && cat word.sigrep"
# Values that are no sound serve as a minute of background.
same calibrate sigrep-calibrate -f s16 -r 8000 -n 60 -o made.sigrep word.sigrep "$SRC/examples/ecg/100.dat"
