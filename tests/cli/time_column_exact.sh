# Times of a column keep their digits: no microseconds collapse, and no epoch is counted twice.
. "$SRC/tests/cli/signals"
hill >t.txt
stream | awk '{ printf "2026-11-21T10:00:00.%06dZ,%s\n", 100 + NR * 5, $1 }' >iso.csv
stream | awk '{ printf "1700000000.%09d,%s\n", 100 + NR * 5, $1 }' >epoch.csv
echo "- microsecond ISO times do not collapse"
sigrep --time-column 1 -t 0.1 t.txt iso.csv
for output in text json csv labels; do
    sigrep --time-column 1 -T clock -m 1 -o $output -t 0.1 t.txt iso.csv
done
echo "- epochs as numbers by the clock"
sigrep --time-column 1 -t 0.1 t.txt epoch.csv
sigrep --time-column 1 -T clock -t 0.1 t.txt epoch.csv
sigrep --time-column 1 -T clock -b 2 t.txt epoch.csv
echo "- decimals up to the end of the match, for any chunks"
stream | awk '{ printf "%s,%s\n", NR == 12 ? 12.0625 : NR, $1 }' >some.csv
for chunk in 1 3 4096; do sigrep --chunk $chunk --time-column 1 -t 0.1 t.txt some.csv; done
awk '{ print; fflush() }' some.csv | sigrep --time-column 1 -t 0.1 t.txt
echo "- a match ends where time goes back"
stream | awk '{ print NR - 5 * (NR == 7) - 3 * (NR == 8) "," $1 }' >back.csv
ran sigrep --time-column 1 -t 0.1 t.txt back.csv 2>&1
echo "- no match is empty, and no end is nan"
stream | awk '{ print NR "," $1 }' >whole.csv
for hz in 0.9 3 10; do
    sigrep --time-column 1 -g 0,1 -p resample=$hz -b 6 t.txt@0-5 whole.csv | grep -c nan
    sigrep --time-column 1 -T samples -g 0,1 -p resample=$hz -b 6 t.txt whole.csv |
        awk '$1 >= $2' | wc -l
done
