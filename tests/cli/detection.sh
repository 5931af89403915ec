# What an input is taken for where -f does not say it.
. "$SRC/tests/cli/signals"
hill >t.txt
echo "- a_first_line_of_latin_1 is text, in a file and from a pipe"
{ printf 'Zeit;Gr\366\337e [m\262]\n'; stream | sed 's/^/0;/'; } >latin.csv
sigrep -t 0.1 --columns 2 t.txt latin.csv
cat latin.csv | sigrep -t 0.1 --columns 2 t.txt
{ printf '# Ger\344t, 20 \260C\r\n'; hill; } >latin.txt
sigrep -t 0.1 latin.txt t.txt
