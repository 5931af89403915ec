# A whale sings a phrase four times (examples/whale). Each of them, as the template, finds all four
# and nothing else, at one threshold.
song=$SRC/examples/whale/humpback.ogg
phrases="1-6.5 8.7-14.1 15.3-20.2 21.6-26.5"

# Which phrase holds at least three quarters of a match?
held_by() {
    awk -v list="$phrases" 'BEGIN { n = split(list, phrase, " ") }
        {
            by = "none"
            for (i = 1; i <= n; i++) {
                split(phrase[i], edge, "-")
                from = $1 > edge[1] ? $1 : edge[1]
                to = $2 < edge[2] ? $2 : edge[2]
                if (to - from >= 0.75 * ($2 - $1)) by = i
            }
            print by
        }' | xargs
}

for phrase in $phrases; do
    sigrep -p resample=8000+mfcc -t 3.9 "phrase=$song@$phrase" "$song" | held_by
done
echo "- the fifth best is none"
sigrep -p resample=8000+mfcc -b 5 "phrase=$song@15.3-20.2" "$song" | held_by
