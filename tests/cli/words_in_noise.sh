# A phrase said three times over loud noise: any one of six takes finds the three places and
# no other, as examples/words says; and its check does fail where it should.
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
