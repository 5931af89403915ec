# A take that spoils a bundle is named: refused, or warned of.
. "$SRC/tests/cli/signals"
cp "$SRC"/tests/data/digits/*.wav .
george() { echo "7_george_$1.wav"; }
repeat() { # N WORD...
    repeat_n=$1
    shift
    while [ "$repeat_n" -gt 0 ]; do
        printf '%s ' "$@"
        repeat_n=$((repeat_n - 1))
    done
}
# shellcheck disable=SC2046 # words are samples
{
    wav 8000 1 $(repeat 4000 0) >silent.wav
    wav 8000 1 0 1 2 3 >short.wav
    wav 8000 2 $(repeat 200 0 900 -300 500) >stereo.wav
}
tail -c +45 "$(george 5)" | od -An -v -t d2 -w2 | awk '{ x = $1 * 8; print (x > 32767 ? 32767 : x < -32768 ? -32768 : x) }' >loud
# shellcheck disable=SC2046 # words are samples
{
    wav 8000 1 $(cat loud) >clipped.wav
    wav 16000 1 $(awk 'NR > 1 { print int((before + $1) / 2) } { print $1; before = $1 }' loud) >other_rate.wav
}
train() { ran sigrep-train -o x.sigrep "$@" 2>&1 >quiet | grep -v '^status 0'; }
echo "- refused"
for take in silent.wav short.wav stereo.wav missing.wav; do
    train "$(george 0)" $take --channel each
    ls x.sigrep 2>&1 | sed 's/.*: //'
done
echo "- warned of"
train "$(george 0)" "$(george 1)" "$(george 2)"
for take in clipped.wav other_rate.wav 3_george_3.wav; do
    train "$(george 0)" "$(george 1)" "$(george 2)" "$(george 4)" "$take" |
        sed 's/scores .*/scores .../; s/clipped: .* % of/clipped: ... % of/'
done
train "$(george 0)" "$(george 1)" "$(george 2)@0.2-0.35" | grep -v different
echo "- the command line"
train
ran sigrep-train a.wav 2>&1
ran sigrep-train -o x.wav a.wav 2>&1
ran sigrep-train -o x.sigrep x.sigrep 2>&1
ran sigrep-train -o x.sigrep -l "$(printf 'a\tb')" a.wav 2>&1
ran sigrep-train -o x.sigrep -t auto a.wav 2>&1
ran sigrep-train -o x.sigrep --min-matches 2 "$(george 0)" 2>&1
ran sigrep-train -o x.sigrep -p nothing "$(george 0)" 2>&1
ran sigrep-train -o missing/x.sigrep "$(george 0)" 2>&1
ran sigrep-train --verbatim 2>&1
ran sigrep-train -o 2>&1
ran sigrep-train --version
