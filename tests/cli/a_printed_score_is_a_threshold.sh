# Regression: nine digits round down, so -t with a printed score missed the match of that score: 7 of
# 15 in the README's example.
sensor=$SRC/examples/sensor
search() {
    sigrep -d cpu --time-column 1 --columns 2,3 -p diff "$@" "G=$sensor/g.csv" "$sensor/pen.csv"
}
search -b 15 >best
found=0
while read -r start end score label; do
    search -t "$score" >matches
    grep -qx "$start	$end	$score	$label" matches && found=$((found + 1))
    [ "$(cut -f 3 matches | sort -g | tail -n 1)" = "$score" ] || echo "$score finds worse ones"
done <best
echo "$found of 15"
echo "- in all formats, and in the variables of a command"
score=$(head -n 1 best | cut -f 3)
search -b 1 -o json | grep -o '"score":[0-9.]*'
search -b 1 -o csv | tail -n 1 | cut -d , -f 7
search -t "$score" -o csv | tail -n 1 | cut -d , -f 7,8
search -q -b 1 --exec 'echo "$SIGREP_SCORE"' 2>&1
search -q -t "$score" --exec 'echo "$SIGREP_SCORE of $SIGREP_THRESHOLD"' 2>&1
