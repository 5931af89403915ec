# Samples of several values: columns, channels, and what must agree.
. "$SRC/tests/cli/signals"
lines '0,5' '1,5' '2,4' '1,5' '0,5' >t.csv
lines 'left right' '9 9' '0 5' '1 5' '2 4' '1 5' '0 5' '9 9' >s.txt
hill >one.txt
sigrep -t 0.1 t.csv s.txt
ran sigrep -t 0.1 one.txt s.txt 2>&1
ran sigrep -t 0.1 t.csv one.txt 2>&1
echo "- columns"
lines 'n;a;b' '1;9;9' '2;5;0' '3;5;1' '4;4;2' '5;5;1' '6;5;0' '7;9;9' >s.csv
sigrep -t 0.1 --columns 3,2 t.csv s.csv
sigrep -t 0.1 --columns 3 s.csv@1-6 s.csv
ran sigrep -t 0.1 --columns 4 t.csv s.csv 2>&1
echo "- audio"
wav 8000 2 0 500 100 500 200 400 100 500 0 500 >t.wav
wav 8000 2 900 900 0 500 100 500 200 400 100 500 0 500 900 900 >s.wav
sigrep -p raw -t 0.0001 t.wav s.wav
sigrep -p raw -t 0.0001 --channel each t.wav s.wav
sigrep -p raw -t 0.0001 --channel 2 t.wav s.wav
ran sigrep -p raw -t 0.0001 --channel 3 t.wav s.wav 2>&1
echo "- raw"
s16 0 500 100 500 200 400 100 500 0 500 >t.raw
s16 900 900 0 500 100 500 200 400 100 500 0 500 900 900 >s.raw
sigrep -t 0.0001 -f s16 --channels 2 t.raw s.raw
sigrep -t 0.0001 -f s16 --channels 2 --channel 1 t.raw s.raw
ran sigrep -p raw -t 0.0001 -f s16 -r 8000 t.wav s.raw 2>&1
ran sigrep -p raw -t 0.0001 -f s16 -r 8000 --channels 2 t.wav s.raw 2>&1
ran sigrep -p raw -t 0.0001 -f s16 -r 8000 --channels 2 --channel mix t.wav s.raw 2>&1
