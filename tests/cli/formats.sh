# Output formats and styles of time.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
for format in text json csv labels; do
    echo "- $format"
    sigrep -o $format -t 0.125 t.txt s.txt
    sigrep -o $format -t 0.125 -r 8000 -T samples t.txt <s.txt
    sigrep -o $format -t 0.125 -r 44100 -T hms "two words=t.txt" s.txt
    sigrep -o $format -b 1 -r 1000 t.txt s.txt
    [ $format = labels ] || sigrep -o $format -t 0.125 t.txt t.txt s.txt
    sigrep -o $format -t 0 t.txt - </dev/null
done 2>/dev/null
echo '- the margin: json alone, of sounds alone; 1 of a perfect copy'
apple=$SRC/examples/audio/manzana.wav
for format in text csv json; do
    sigrep -o $format -t 3 "apple=$apple@1.3-1.9" "${apple%/*}/multiple_keywords_es.wav" | sed 's/.*examples/examples/'
done
sigrep -o json -b 2 "apple=$apple@1.3-1.9" "${apple%/*}/multiple_keywords_es.wav" | sed 's/.*"score"/"score"/; s/\.[0-9]*/.../g'
# The clock of a stream begins when it is opened.
cat s.txt | sigrep -T clock -t 0.1 -r 8000 t.txt | sed 's/[0-9]/0/g'
cat s.txt | sigrep -T clock -o json -m 1 -t 0.1 t.txt | sed 's/[0-9]/0/g'
before=$(date -u +%Y-%m-%dT%H:%M)
cat s.txt | sigrep -T clock -m 1 -t 0.1 -r 8000 t.txt | cut -c 1-16 >clock
after=$(date -u +%Y-%m-%dT%H:%M)
grep -q -e "$before" -e "$after" clock && echo "now"
