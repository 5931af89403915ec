# Backgrounds of words, whose takes have levels in foreign speech.
. "$SRC/tests/cli/signals"
words=$SRC/examples/words
audio=$SRC/examples/audio
calibrate() { ran sigrep-calibrate "$@" 2>&1; }
for i in 1 2 3 4 5; do sigrep-record -o casa- "$words/take_$i.flac" >quiet; done
sigrep-train -p resample=8000+speech -o casa.sigrep casa-?.wav >quiet
cp casa.sigrep before.sigrep

echo "- two_minutes_of_room_are_enough for a threshold at one false alarm an hour, with a warning"
sigrep-calibrate -o one.sigrep casa.sigrep "$SRC/examples/whale/humpback.ogg" "$audio"/multiple_keywords_* >one
cut -f 1,7-9 one
awk -F '\t' 'NR == 2 { print ($11 > 0.5 && $11 < 1.5 ? "about" : "not about"), "one an hour in foreign speech" }' one
echo "- the_prior_moves_the_threshold: it lies between those of the background and of foreign speech"
sigrep-calibrate -n 60 -o many.sigrep casa.sigrep "$SRC/examples/whale/humpback.ogg" "$audio"/multiple_keywords_* >many
awk -F '\t' 'NR == 2 { print ($2 < $10 && $3 < $2 && $2 < $4 ? "between" : "not between") }' many
sigrep -c many.sigrep "$words/real_sample.flac" "$words/noise.flac" | sed "s:$SRC/::"
echo "- takes that must agree have no prior, and other front ends have none"
sigrep-train --min-matches 2 -p resample=8000+speech -o agree.sigrep -l casa casa-?.wav >quiet
calibrate -n 60 agree.sigrep "$SRC/examples/whale/humpback.ogg" "$audio"/multiple_keywords_* | cut -f 1,10,11
sigrep-train -p logmel=10 -o logmel.sigrep -l casa casa-?.wav >quiet
sigrep-calibrate --force -n 60 logmel.sigrep "$SRC/examples/whale/humpback.ogg" "$audio"/multiple_keywords_* 2>quiet | cut -f 1,10,11
echo "- a background that holds the word"
sigrep-calibrate -n 60 -o x.sigrep casa.sigrep "$SRC/examples/whale/humpback.ogg" casa-1.wav 2>&1 >quiet |
    grep -o 'warning: it seems to hold .casa. [0-9]* time'
echo "- bad backgrounds leave the bundle as it is: silent, too short, of a lower rate for mfcc"
head -c 320000 /dev/zero >silence.s16
calibrate -f s16 -r 16000 casa.sigrep silence.s16
calibrate --duration 2 casa.sigrep "$audio/multiple_keywords_es.wav"
sigrep-train -p mfcc -o mfcc.sigrep casa-?.wav >quiet
tail -c +45 "$audio/multiple_keywords_es.wav" >es.s16
sigrep-calibrate -f s16 -r 8000 --duration 1 mfcc.sigrep es.s16 2>&1 | head -n 1
cmp casa.sigrep before.sigrep && echo unchanged
