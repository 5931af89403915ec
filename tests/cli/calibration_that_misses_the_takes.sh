# sigrep-calibrate refuses a threshold at which the takes themselves are missed.
. "$SRC/tests/cli/signals"
lines 0 1 2 3 2 1 0 -1 -2 -1 0 >one.txt
lines 0 3 1 3 0 3 1 -1 -3 -1 0 >two.txt
lines 2 1 0 3 2 4 0 -3 -2 -1 2 >three.txt
awk 'BEGIN { seed = 1; for (i = 0; i < 72000; i++) {
    seed = (seed * 1103515245 + 12345) % 2147483648
    x = 0.9 * x + int(seed / 65536) % 201 / 100 - 1
    printf "%.3f\n", x
} }' >walk.txt
sigrep-train -l w -o w.sigrep one.txt two.txt three.txt >quiet
cp w.sigrep before.sigrep
ran sigrep-calibrate -n 1 w.sigrep walk.txt 2>&1
cmp w.sigrep before.sigrep && echo untouched
echo "- the number that it names works, and the one before does not"
ran sigrep-calibrate -n 1 -o other.sigrep w.sigrep walk.txt 2>&1 | grep -c refused
ls other.sigrep 2>/dev/null
n=$(sigrep-calibrate -n 1 w.sigrep walk.txt 2>&1 >/dev/null | sed -n 's/.* -n \([0-9.e+]*\) finds.*/\1/p')
ran sigrep-calibrate -n "$n" -o other.sigrep w.sigrep walk.txt 2>&1 | cut -f 1,9
less=$(awk -v n="$n" 'BEGIN { print n / 1.2 }')
sigrep-calibrate -n "$less" w.sigrep walk.txt >quiet 2>&1 || echo "status $?"
echo "- by force"
ran sigrep-calibrate --force -n 1 w.sigrep walk.txt 2>&1
cmp -s w.sigrep before.sigrep || echo replaced
