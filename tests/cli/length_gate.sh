# -g MIN,MAX bounds a match's length; a gate that leaves no length is an error.
. "$SRC/tests/cli/signals"
hill >t.txt
lines 9 0 1 3 1 0 9 9 0 1 1 3 3 1 1 0 9 9 0 3 0 9 >s.txt
for gate in 0.5,2 1,1 1.2,2 1.6,1.6 0,64 0,1; do
    echo "- $gate"
    sigrep -g $gate -t 0.4 t.txt s.txt
done
ran sigrep -g 1.1,1.1 -t 0.4 t.txt s.txt 2>&1
