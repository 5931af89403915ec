# A front end that does not fit the rate of one input leaves the others alone.
. "$SRC/tests/cli/signals"
lines 0.25 0.25 0.5 0.5 >t.txt
lines 0 0 0.25 0.25 0.5 0.5 0 0 >s.txt
wav 1000 1 0 0 8192 8192 16384 16384 0 0 >a.wav
ran sigrep -p envelope=0.002 -t 0 t.txt s.txt a.wav 2>&1
ran sigrep -p envelope=0.002 -c -t 0 t.txt a.wav s.txt a.wav 2>&1
