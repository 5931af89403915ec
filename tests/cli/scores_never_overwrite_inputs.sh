# --scores never replaces a template or an input, nor anything while the options are bad.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
ln s.txt link.txt
echo old >out.f32
for scores in t.txt s.txt ./link.txt; do
    ran sigrep --scores $scores -t 0.1 t.txt s.txt 2>&1
    ran sigrep --scores $scores -t 0.1 t.txt <s.txt 2>&1
done
ran sigrep --scores out.f32 -r 1 -p nonsense -t 0.1 t.txt s.txt 2>&1
cat t.txt out.f32 | tr '\n' ' '
