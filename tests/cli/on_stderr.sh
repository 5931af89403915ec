# --stats, -v and --progress speak on standard error alone.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
sigrep --stats -t 0.1 t.txt s.txt 2>printed
sed 's/second [0-9.e+]*$/second N/; s/cells [0-9]*$/cells N/; s/kernel .*/kernel K/; s/time .*/time T/' printed
sigrep -v -t 0.1 hill=t.txt s.txt 2>printed
sed 's/kernel .*/kernel K/' printed
sigrep --progress -t 0.1 t.txt s.txt 2>&1
sigrep --progress -c -t 0.1 t.txt s.txt t.txt s.txt none.txt 2>&1
{
    lines 9
    sleep 1.2
    lines 9
} | sigrep --progress -t 0.1 t.txt 2>&1 | sed 's/  .* samples/  N samples/'
