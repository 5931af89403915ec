# Inputs that fail are reported and give 2 in the end; the others are searched.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
wav 8000 1 0 100 300 100 0 0 9 >a.wav
: >empty
lines 0 1 3 1 0 5 5 5 5 5 x 3 >word.txt
lines 1,2 3,4 >two.csv
wav 8000 1 0 100 300 100 0 99 | head -c 54 >cut.wav
wav 44100 1 0 9 0 >b.wav
head -c 1001 /dev/zero >odd.f32
mkdir folder
ran sigrep -t 0.1 t.txt missing s.txt folder empty word.txt two.csv odd.f32 2>&1
ran sigrep -p raw -t 0.1 a.wav a.wav s.txt b.wav cut.wav 2>&1
ran sigrep -t 0.1 two.csv b.wav 2>&1
ran sigrep -c -t 0.1 t.txt missing word.txt s.txt 2>&1
ran sigrep -l -t 0.1 t.txt missing word.txt s.txt 2>&1
ran sigrep -q -t 0.1 t.txt missing word.txt s.txt 2>&1
ran sigrep -q -t 0.1 t.txt empty s.txt missing 2>&1
ran sigrep -q -t 0.1 t.txt empty 2>&1
ran sigrep -t 0.1 t.txt <&- 2>&1
ran sigrep --time-column 1 -t 0.1 -f f32 t.txt odd.f32 2>&1
