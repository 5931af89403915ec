# -m N stops an input after N matches, -m 0 before anything; each input counts anew.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
ran sigrep -m 1 -t 0.1 t.txt s.txt s.txt
ran sigrep -m 2 -t 0.1 t.txt s.txt
ran sigrep -m 9 -t 0.1 t.txt s.txt
ran sigrep -m 0 -t 0.1 t.txt s.txt
ran sigrep -m 0 -o csv -t 0.1 missing
# An endless stream ends, too.
ran sigrep -m 2 -T samples -t 1 t.txt /dev/zero -f f32
yes 0 | sigrep -m 3 -T samples -t 1 t.txt
