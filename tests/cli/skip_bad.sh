# A bad line ends a text input, what was found before it stands; --skip-bad makes it a gap.
. "$SRC/tests/cli/signals"
hill >t.txt
{
    hill
    lines 9 9 0 1 oops 3 1 0 9
    hill
} >s.txt
ran sigrep -t 0.1 t.txt s.txt
ran sigrep --skip-bad -t 0.1 t.txt s.txt
ran sigrep --skip-bad -c -t 0.1 t.txt s.txt s.txt
{
    hill
    lines 0 1 nan 3 1 0 9 0 1 inf 1 0
    hill
} | ran sigrep -t 0.1 t.txt
