# -b N: the N best of each input without a threshold, best first, from pipes too.
. "$SRC/tests/cli/signals"
hill >t.txt
lines 9 9 0 1 2 1 0 9 9 9 0 1 3 1 0 9 9 9 0 2 4 2 0 9 >s.txt
ran sigrep -b 1 t.txt s.txt 2>&1
ran sigrep -b 3 t.txt s.txt 2>&1
ran sigrep -b 3 -o json t.txt s.txt 2>&1
ran sigrep -b 3 -m 2 t.txt s.txt s.txt 2>&1
sigrep -b 2 t.txt <s.txt
ran sigrep -b 2 t.txt </dev/null 2>&1
lines 1 2 3 | sigrep -b 9 -g 1,1 t.txt@0-3 -
ran sigrep -b 1 -g 64,64 t.txt s.txt 2>&1
