# --range: an input that ends before the part fails alone; those after it are searched as ever.
. "$SRC/tests/cli/signals"
hill >t.txt
lines 9 9 9 >short.txt
{ yes 9 | head -n 48; stream; yes 9 | head -n 40; } >long.txt
for threads in 1 3; do
    ran sigrep -j $threads -t 0 --range 20-80 t.txt short.txt long.txt short.txt long.txt 2>&1
done
