# A phrase, spoken three times over loud noise, as in examples/words. Each of six takes finds the
# three places and no other. The check there fails if it should.
words=$SRC/examples/words
places() {
    awk -f "$words/places.awk" "$words/truth.csv" -
    echo "exit $?"
}

for take in 1 2 3 4 5 6; do
    sigrep -p mfcc -b 3 "casa=$words/take_$take.flac" "$words/real_sample.flac" >found.tsv
    places <found.tsv
done
echo "- one place is missing"
head -n 2 found.tsv | places
echo "- one place twice"
{
    head -n 2 found.tsv
    head -n 1 found.tsv
} | places
echo "- the next best is no place"
sigrep -p mfcc -b 4 "casa=$words/take_1.flac" "$words/real_sample.flac" | places
echo "- a third of a second late"
awk '{ print $1, $2 + 0.33 }' OFS='\t' found.tsv | places
echo "- nothing at all"
places </dev/null
echo "- a bundle of takes without their silence: the places, and nothing in other words but one"
for take in 1 2 3 4 5 6; do
    sigrep-record -o cut_${take}_ "$words/take_$take.flac" | cut -f 1
done
sigrep-train -p resample=8000+speech -t 6.6 -l casa -o casa.sigrep cut_?_1.wav >quiet
sigrep casa.sigrep "$words/real_sample.flac" | places
for other in noise alexa_1 alexa_2 alexa_3 ok_casa; do
    sigrep -c casa.sigrep "$words/$other.flac"
done
echo "- any one of them, at one threshold; the second match of the first ends 0.29 s early"
for take in 1 2 3 4 5 6; do
    sigrep-train -p resample=8000+speech -t 7.3 -o one.sigrep cut_${take}_1.wav >quiet
    sigrep one.sigrep "$words/real_sample.flac" | places
done
