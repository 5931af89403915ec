# A take that spoils a bundle is named: refused, or warned of.
. "$SRC/tests/cli/signals"
cp "$SRC"/tests/data/digits/*.wav .
george() { echo "7_george_$1.wav"; }
# wav_of RATE CHANNELS FILE: a WAV file of 16 bits of the numbers in FILE, all at once.
wav_of() {
    wav_n=$(wc -l <"$3")
    printf RIFF
    u32 $((36 + 2 * wav_n))
    printf 'WAVEfmt '
    u32 16
    s16 1 "$2"
    u32 "$1"
    u32 $(($1 * 2 * $2))
    s16 $((2 * $2)) 16
    printf data
    u32 $((2 * wav_n))
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$(awk '{ x = $1 < 0 ? $1 + 65536 : $1; printf "\\%03o\\%03o", x % 256, int(x / 256) }' "$3")"
}
seq 4000 | sed 's/.*/0/' >zeros
seq 200 | sed 's/.*/0\n900\n-300\n500/' >waves
lines 0 1 2 3 >few
wav_of 8000 1 zeros >silent.wav
wav_of 8000 1 few >short.wav
wav_of 8000 2 waves >stereo.wav
tail -c +45 "$(george 5)" | od -An -v -t d2 -w2 | awk '{ x = $1 * 8; print (x > 32767 ? 32767 : x < -32768 ? -32768 : x) }' >loud
awk 'NR > 1 { print int((before + $1) / 2) } { print $1; before = $1 }' loud >twice
wav_of 8000 1 loud >clipped.wav
wav_of 16000 1 twice >other_rate.wav
train() { ran sigrep-train -o x.sigrep "$@" 2>&1 | grep -v "$(printf '\t')"; } # without scores
echo "- refused"
for take in silent.wav short.wav stereo.wav missing.wav; do
    train "$(george 0)" $take --channel each
    ls x.sigrep 2>&1 | sed 's/.*: //'
done
echo "- warnings"
train "$(george 0)" "$(george 1)" "$(george 2)"
for take in clipped.wav other_rate.wav 3_george_3.wav; do
    train "$(george 0)" "$(george 1)" "$(george 2)" "$(george 4)" "$take" |
        sed 's/score is .*/score is .../; s/clipped: .* % of/clipped: ... % of/'
done
train "$(george 0)" "$(george 1)" "$(george 2)@0.2-0.35" | grep -v different
echo "- the_same_take_twice_brought_no_warning"
cp "$(george 0)" copy.wav
train "$(george 0)" copy.wav "$(george 1)" "$(george 0)" | grep -v different
echo "- noise instead of a word, or beside it: any speech fits it"
awk 'BEGIN { for (x = 1; n++ < 8000;) { x = x * 69069 % 65537; print int(x / 16 - 2048) } }' >hiss
{ cat hiss; tail -c +45 "$(george 2)" | od -An -v -t d2 -w2; } | awk '{ print int($1 / (NR > 8000 ? 1 : 100)) }' >late
wav_of 8000 1 hiss >hiss.wav
wav_of 8000 1 late >late.wav
for take in hiss late; do
    train "$(george 0)" "$take.wav" | sed 's/[0-9.]* frames.*is [0-9.]*;/... frames;/; s/is [0-9]\.[0-9]*/is N/g'
done
ran sigrep-train -p raw -o x.sigrep "$(george 0)" hiss.wav 2>&1 | grep fits
echo "- pauses_around_every_take_brought_no_warning: one line, of the longest; none once they are cut"
room() { head -n "$1" hiss | awk '{ print int($1 / 100) }'; }
for take in 0 1 2; do
    { room $((4000 + 1200 * take)); tail -c +45 "$(george $take)" | od -An -v -t d2 -w2; room 4000; } >pauses
    wav_of 8000 1 pauses >pauses_$take.wav
done
train pauses_0.wav
train pauses_?.wav
sigrep-record -o cut_ pauses_1.wav >quiet
train cut_1.wav
train pauses_1.wav@0.65-1.15
echo "- a click before a pause is no sound, nor an offset; the numbers of a table have no pauses"
{ lines 20000 -20000; cat pauses; } >click
wav_of 8000 1 click >click.wav
train click.wav
awk '{ print $1 + 3000 }' pauses >offset
wav_of 8000 1 offset >offset.wav
train offset.wav
awk '{ print $1 / 32768 }' pauses >numbers.txt
train -r 8000 -p speech numbers.txt
echo "- a_bundle_among_takes_is_refused: also one in their folder"
mkdir takes
lines 0 1 2 3 2 1 >takes/up.txt
sigrep-train -o takes/up.sigrep takes >quiet
cp takes/up.sigrep before.sigrep
ran sigrep-train -o takes/up.sigrep takes 2>&1
cmp takes/up.sigrep before.sigrep && echo unchanged
echo "- the command line"
train
ran sigrep-train a.wav 2>&1
ran sigrep-train -o x.wav a.wav 2>&1
ran sigrep-train -o x.sigrep x.sigrep 2>&1
ran sigrep-train -o x.sigrep -l "$(printf 'a\tb')" a.wav 2>&1
ran sigrep-train -o takes/.sigrep a.wav 2>&1
echo "- labels_that_steer_terminals_and_spreadsheets_are_refused"
for label in "$(printf 'a\033[2J')" "$(printf 'a\302\233')" "$(printf '\342\200\256a')" "$(printf 'a\377')" \
    =1 +1 -1 @1 ''; do
    sigrep-train -o x.sigrep --label="$label" a.wav 2>&1 || echo "status $?"
    sigrep-train -o x.sigrep "$label=a.wav" 2>&1 | grep -v "^Try\|^sigrep-train: unknown option"
done
ran sigrep-train -o @x.sigrep "$(george 0)" 2>&1
ran sigrep-train -o @x.sigrep seven="$(george 0)" 2>&1
ran sigrep-train -o x.sigrep -t auto a.wav 2>&1
ran sigrep-train -o x.sigrep --min-matches 2 "$(george 0)" 2>&1
ran sigrep-train -o x.sigrep -p nothing "$(george 0)" 2>&1
ran sigrep-train -o missing/x.sigrep "$(george 0)" 2>&1
ran sigrep-train -o x.sigrep -r 1 -p "resample=$(printf '%05000d' 2)" takes/up.txt 2>&1
ran sigrep-train --verbatim 2>&1
ran sigrep-train -o 2>&1
ran sigrep-train --version
echo "- a_missing_LABEL_names_the_way_out: directories of several words"
mkdir yes no
hill >yes/1.txt
lines 5 -4 3 0 -2 >no/1.txt
train_words() { ran sigrep-train -o words.sigrep "$@" 2>&1; }
train_words yes no
train_words yes=yes no=no
train_words --label word yes no
train_words yes no=no
