# --resample-times: uneven rows become even samples, by straight lines; gaps stay gaps.
. "$SRC/tests/cli/signals"
# A curve of straight lines: hills at 20 s and 100 s. Rows: its corners, and others at odd times.
awk 'BEGIN {
    split("0 5 20 5 21 9 23 3 24 5 60 5 100 5 101 9 103 3 104 5 130 5", c)
    for (i = 1; i < 21; i += 2)
        for (t = c[i]; t < c[i + 2]; t += t == c[i] || t * 7 % 3 < 1 ? 0.37 : 0.61)
            if (t < 70 || t > 90)
                printf "%.2f,%.9g\n", t, c[i + 1] + (c[i + 3] - c[i + 1]) * (t - c[i]) / (c[i + 2] - c[i])
}' >log.csv
r='--resample-times 10 --time-column 1 -t 1e-5'
ran sigrep $r hill=log.csv@20-24 log.csv 2>&1
ran sigrep $r -o json -m 1 hill=log.csv@20-24 log.csv 2>&1
ran sigrep $r --fill 30 -c hill=log.csv@20-24 log.csv 2>&1
ran sigrep --time-column 1 -t 1e-5 -c hill=log.csv@20-24 log.csv 2>&1
echo "- of dates, at a rate that divides no second"
awk -F, '{ printf "2026-12-01T12:%02d:%05.2fZ,%s\n", $1 / 60, $1 % 60, $2 }' log.csv >dates.csv
ran sigrep --resample-times 3 --time-column 1 -t 0.5 hill=dates.csv@20-24 dates.csv 2>&1
echo "- cut anywhere, gone on with, by several, grouped"
sigrep $r hill=log.csv@20-24 log.csv >whole 2>unused
for bytes in 1 7 64; do
    dd bs=$bytes if=log.csv status=none | sigrep $r hill=log.csv@20-24 - 2>unused | cmp - whole
done
sigrep $r -j 3 --chunk 3 hill=log.csv@20-24 log.csv 2>unused | cmp - whole
head -n 90 log.csv >part
sigrep $r --state s hill=log.csv@20-24 part >gone_on 2>unused
cp log.csv part
sigrep $r --state s hill=log.csv@20-24 part >>gone_on 2>unused
cmp gone_on whole
ran sigrep --state s --time-column 1 -t 1e-5 hill=log.csv@20-24 part
sed 's/,/,a,/' log.csv | tee one.csv >grouped.csv
awk -F, '{ print $1 + 0.1 ",b," $2 + 1 }' log.csv >>grouped.csv
sort -n -t , grouped.csv >mixed.csv
ran sigrep $r --group-by 2 -c --columns 3 hill=one.csv@20-24 mixed.csv 2>&1 | grep -v gap
echo "- the other programs"
sigrep-train --resample-times 10 --time-column 1 -o b.sigrep hill=log.csv@20-24 2>unused | cut -f 1-3
sigrep $r -c b.sigrep log.csv 2>unused
echo "- bad options"
for bad in '--resample-times 0' '--resample-times x' '--resample-times 10' '--time-column 1 --resample-times 1e9' \
    '--time-column 1 --resample-times 10 -r 10' '--time-column 1 --resample-times 10 --save d'; do
    # shellcheck disable=SC2086 # words
    ran sigrep $bad -t 1e-5 hill=log.csv log.csv 2>&1
done
