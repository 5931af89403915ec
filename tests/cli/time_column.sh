# Times that a column gives: seconds or ISO 8601, uneven, with steps of their own.
. "$SRC/tests/cli/signals"
hill >t.txt
stream | awk '{ t += 0.5 + (NR % 3) / 4; printf "%s,%.3f\n", $1, t }' >s.csv
sed -n '3,9p;16,18p' s.csv
sigrep --time-column 2 -t 0.1 t.txt s.csv
sigrep --time-column 2 --columns 1 -T samples -t 0.1 t.txt s.csv
sigrep --time-column 2 -T hms -o json -t 0.1 t.txt s.csv
sigrep --time-column 2 -r 8000 -b 1 t.txt <s.csv
echo "- ISO 8601"
stream | awk '{ printf "2026-11-21T23:59:%02d.25Z\t%s\n", 45 + NR % 60, $1 }' | head -n 14 >s.tsv
stream | awk 'NR > 14 { printf "2026-11-22T00:00:%02d.5+00:00\t%s\n", NR - 15, $1 }' >>s.tsv
sigrep --time-column 1 -T clock -t 0.1 t.txt s.tsv
sigrep --time-column 1 -T clock -o json -m 1 -t 0.1 t.txt s.tsv
sigrep --time-column 1 -t 0.1 t.txt s.tsv
sigrep --time-column 1 -o labels -T clock -t 0.1 t.txt s.tsv
echo "- the first sample has no step"
lines 10,0 11,5 >two.csv
sigrep --time-column 1 -g 0,1 -t 3 -m 1 t.txt@0-2 two.csv
echo "- a template with times, one long stream"
awk 'BEGIN { for (i = 0; i < 300000; i++) print i / 100 "," (i % 100000 < 5 ? i % 100000 * 2 : 50) }' >long.csv
sigrep --time-column 1 -t 0.1 long.csv@0-0.05 long.csv
