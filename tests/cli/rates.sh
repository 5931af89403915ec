# Rates: audio has its own, numbers have -r or take the input's.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
wav 8000 1 0 10 30 10 0 >t.wav
wav 8000 1 90 90 0 10 30 10 0 90 90 >s.wav
wav 16000 1 90 90 0 10 30 10 0 90 90 >fast.wav
lines 0 10 30 10 0 | awk '{ printf "%.10g\n", $1 / 32768 }' >w.txt
s16 90 90 0 10 30 10 0 90 90 >s.raw
echo "- numbers, numbers"
sigrep -t 0.1 t.txt s.txt
sigrep -r 8000 -t 0.1 t.txt s.txt
sigrep -r 0.5 -t 0.1 t.txt s.txt
echo "- audio, audio"
sigrep -p raw -t 0.00001 t.wav s.wav
ran sigrep -p raw -t 0.00001 t.wav fast.wav s.wav 2>&1
echo "- audio, numbers"
ran sigrep -p raw -f s16 -t 0.00001 t.wav s.raw 2>&1
sigrep -p raw -f s16 -r 8000 -t 0.00001 t.wav s.raw
ran sigrep -p raw -f s16 -r 16000 -t 0.00001 t.wav s.raw 2>&1
echo "- numbers, audio"
sigrep -t 0.00001 w.txt s.wav fast.wav s.wav
sigrep -r 16000 -t 0.00001 w.txt fast.wav
ran sigrep -r 16000 -t 0.00001 w.txt s.wav 2>&1
echo "- mixed templates"
sigrep -p raw -t 0.00001 -e w.txt -e t.wav s.wav
echo "- templates of two rates"
sigrep -p raw -v -t 0.00001 -e t.wav -e f=fast.wav@0.0001-0.0005 s.wav 2>&1 | grep -c 'at 8000 Hz'
echo "- too far apart"
ran sigrep -p raw -f s16 -r 10 -t 0.00001 t.wav s.raw 2>&1
ran sigrep -p raw -r 8000.0000001 -t 0.00001 t.wav s.txt 2>&1
