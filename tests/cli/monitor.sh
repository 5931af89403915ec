# --monitor: a display on a terminal, lines elsewhere; it changes no result.
. "$SRC/tests/cli/signals"
python3 -c 'import pty' || { echo "SKIP no python3"; exit 77; }
hill >t.txt
stream >s.txt
echo "lines:"
sigrep --monitor -T samples -t 0.1 t.txt s.txt 2>printed
tail -n 1 printed | cut -f 1,3
sigrep --monitor -j 3 -T samples -t 0.1 t.txt s.txt t.txt s.txt 2>printed
cut -d : -f 2 printed | uniq
sigrep --monitor -T samples -b 1 t.txt - <s.txt 2>printed
tail -n 1 printed | cut -f 3
sigrep --monitor --scores with -q -t 0.1 t.txt s.txt 2>printed
sigrep --monitor --scores with -c -t 0.1 t.txt s.txt 2>printed
sigrep --scores without -c -t 0.1 t.txt s.txt
cmp with without && echo "same scores"
ran sigrep --monitor --progress -t 0.1 t.txt s.txt 2>&1
echo "a terminal:"
at_terminal 80 'sigrep --monitor -T samples -t 0.1 -e hill=t.txt -e top=t.txt@1-4 s.txt >/dev/null'
at_terminal 40 'sigrep --monitor -T samples -t 0.1 -e hill=t.txt -e top=t.txt@1-4 s.txt >/dev/null'
at_terminal 80 'sigrep --monitor -T samples -t 0.1 t.txt s.txt'
# Regression: a terminal that can only print lines got the sequences of others.
echo "a dumb terminal:"
at_terminal 80 'TERM=dumb sigrep --monitor -T samples -t 0.1 t.txt s.txt >/dev/null' | tail -n 3
at_terminal 80 'TERM=dumb sigrep -T samples -t 0.1 t.txt s.txt'
echo "a signal:"
samples='9\n9\n9\n0\n1\n3\n1\n0\n9\n9\n9\n9\n9\n9\n9\n9\n'
at_terminal 80 'exec sigrep --monitor -f text -T samples -t 0.1 t.txt' 'INPUT' "$samples" \
    '	0	t' '\x03' | sed '/at most/,/at the end/d'
echo "a terminal that takes nothing:"
at_terminal 0 'sigrep --monitor -T samples -t 0.1 t.txt s.txt >lines'
cat lines
