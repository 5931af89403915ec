# --new-only: with --output-dir, what was searched to its end is not searched again.
. "$SRC/tests/cli/signals"
hill >t.txt
mkdir -p rec/sub
for name in a sub/b c; do stream >rec/$name.csv; done
new='sigrep --new-only --output-dir out -t 0.1 t.txt'
echo "- nothing, some, all were done"
ran $new --recursive rec 2>&1
find out -type f | sort
stream >rec/d.csv
echo 9 >rec/e.csv
ran $new --recursive -j 3 rec 2>&1
cat out/d.csv.txt
ran $new --recursive rec 2>&1
ran $new rec/a.csv 2>&1
echo "- what failed, or ended early, is done again"
lines 0 1 3 1 0 oops >rec/bad.csv
ran $new rec/bad.csv rec/e.csv 2>&1
cat out/bad.csv.txt.part
lines 0 1 3 1 0 9 >rec/bad.csv
ran $new rec/bad.csv 2>&1
ls out
echo "- groups"
{ echo x,dev && sed 's/$/,a/' rec/a.csv && sed 's/$/,b/' rec/a.csv; } >g.csv
: >out/g.csv.a.txt
ran $new --group-by dev g.csv 2>&1
(cd out && ls g.csv.*)
echo "- a file of the whole table is none of its groups: once it left them out, or refused them"
for option in --new-only --no-messages; do
    mkdir out$option && echo 1 >out$option/g.csv.txt
    ran sigrep $option --output-dir out$option -t 0.1 t.txt --group-by dev g.csv 2>&1
    ls out$option
done
echo "- nothing else is replaced"
mkdir out/x.csv.txt
stream >x.csv
ran $new x.csv 2>&1
echo precious >precious
ln -s ../precious out/y.csv.txt.part
stream >y.csv
ran $new y.csv 2>&1
cat precious
ran sigrep --new-only -t 0.1 t.txt rec/a.csv 2>&1
