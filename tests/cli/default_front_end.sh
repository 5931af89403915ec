# What is compared without -p: mfcc for audio templates, samples for numbers.
. "$SRC/tests/cli/signals"
audio=$SRC/examples/audio
word="word=$audio/manzana.wav@1.3-1.9"
stream=$audio/multiple_keywords_es.wav
hill >t.txt
wav 8000 1 0 100 300 100 0 >t.wav
wav 8000 1 9 9 0 100 300 100 0 9 9 >s.wav
wav 100 1 0 100 300 100 0 >slow.wav
lines 0 100 300 100 0 | awk '{ printf "%.10g\n", $1 / 32768 }' >w.txt

used() { # ARGUMENT...: the front end that -v reports
    sigrep -v -b 1 "$@" 2>&1 >found | sed -n 's/.*\(front end [^ ]*\) at \([0-9]*\) Hz.*/\1 \2/p'
    cut -f 1,2,4 found
}
echo "- audio"
used "$word" "$stream"
echo "- audio, raw samples from a pipe"
tail -c +45 "$stream" | used -f s16 -r 16000 "$word"
echo "- audio, numbers in lines"
tail -c +163245 "$stream" | head -c 32000 | od -An -v -t d2 -w2 | used -r 16000 "$word"
echo "- audio, raw samples of unknown rate"
head -c 100 "$stream" | ran sigrep -f s16 -b 1 "$word"
echo "- numbers, audio"
used w.txt s.wav
echo "- numbers, numbers"
used t.txt t.txt
echo "- mixed"
ran sigrep -b 1 -e t.txt -e t.wav s.wav 2>&1
ran sigrep -b 1 -e t.wav -e s.wav -e t.txt s.wav 2>&1
ran sigrep -p raw -c -b 1 -e t.txt -e t.wav s.wav 2>&1
echo "- a rate too low for it"
ran sigrep -b 1 slow.wav slow.wav 2>&1
ran sigrep -p mfcc -b 1 slow.wav slow.wav 2>&1
echo "- no rate at all"
ran sigrep -p mfcc -b 1 t.txt t.txt 2>&1
ran sigrep -p mfc -b 1 t.txt t.txt 2>&1
