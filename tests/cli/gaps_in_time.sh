# A logger stopped for a while, its clock was set back, and values are missing.
. "$SRC/tests/cli/signals"
# At 10 Hz: a knock at 5 s, one over a step of 0.5 s (no gap) at 10 s, one over a pause of 1.2 s at 15 s,
# one with missing values at 20 s, one over a clock that was set back at 25 s.
awk 'BEGIN {
    print "when,force,rate"
    for (i = 0; i < 300; i++) {
        t = i / 10
        phase = t - 5 * int(t / 5)
        x = t >= 5 && phase < 2.5 ? 9 - (phase - 1.25) ^ 2 * 5.76 : 0
        if ((t > 11.1 && t < 11.45) || (t > 16.05 && t < 17.2)) continue
        missing = t > 21 && t < 21.6
        printf "%.1f,%s,%d\n", t < 26 ? t : t - 3, missing ? (i % 2 ? "" : "null") : x, i
    }
}' >knocks.csv
awk 'NR == 1 || $1 ~ /^([5-6]|7\.[0-4])/' FS=, knocks.csv >knock.csv
look() { ran sigrep --time-column when --columns force -t 0.7 "$@" 2>&1; }
echo "- as it is: no match spans a gap"
look knock.csv knocks.csv
echo "- bridged"
look --fill 0.5 knock.csv knocks.csv
look --fill 1.2 knock.csv knocks.csv
echo "- any cutting"
look --fill 1.2 knock.csv knocks.csv >whole
for bytes in 1 13 500; do
    dd bs=$bytes if=knocks.csv status=none |
        sigrep --time-column when --columns force -t 0.7 --fill 1.2 --chunk $bytes knock.csv \
            2>/dev/null >piped
    grep '^[0-9].*knock' whole | cmp - piped
done
echo "- which samples are made: 7 steps of 1 s from 2 to 9, and a line between the values"
lines 0,4 1,4 2,4 9,11 10,11 >jump.csv
sigrep --time-column 1 --fill 6 -T samples -b 1 -g 1,1 t=jump.csv jump.csv
lines 4 4 4 5 6 7 8 9 10 11 11 >straight.txt
sigrep --time-column 1 --fill 6 -t 0 straight.txt jump.csv
ran sigrep --time-column 1 --fill 5.9 -t 0 straight.txt jump.csv 2>&1
echo "- missing values without times"
lines 4 4 4 5 nan inf 8 9 10 11 11 >holes.txt
sigrep --fill 2 -t 0 straight.txt holes.txt
ran sigrep --fill 1 -t 0 straight.txt holes.txt
sigrep --fill 0.02 -r 100 -t 0 straight.txt holes.txt
echo "- what cannot be"
ran sigrep --fill 0 -t 0 straight.txt holes.txt 2>&1
ran sigrep --fill 1e9 -t 0 straight.txt holes.txt 2>&1
ran sigrep --time-column 1 -t 0 cut=jump.csv@1-10 jump.csv 2>&1
