# The exit status is grep's: 0 a match, 1 none, 2 an error.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
lines 9 9 9 >none.txt
ran sigrep -t 0.1 t.txt s.txt
ran sigrep -t 0.1 t.txt none.txt
ran sigrep -t 0.1 t.txt none.txt s.txt
ran sigrep -q -t 0.1 t.txt s.txt
ran sigrep -q -t 0.1 t.txt none.txt
ran sigrep -c -t 0.1 t.txt none.txt
ran sigrep -l -t 0.1 t.txt none.txt
ran sigrep -b 1 t.txt none.txt
