# Times as loggers write them: whole seconds, digits only, no zone, no name.
. "$SRC/tests/cli/signals"
# 10 Hz; the same pulse at 5 s, and at 15 s.
seq 7 11 >t.txt
awk 'BEGIN { for (i = 0; i < 400; i++) {
    at = i % 100 - 50
    printf "%.1f,%d\n", i / 10, (i < 200 && at >= 0 && at < 5 ? 7 + at : i * 37 % 7)
} }' >tenths.csv
find_pulses() { ran sigrep -t 0 --time-column 1 --columns 2 "$@" 2>&1; }
echo "- a_match_spans_an_hour_if_times_are_whole_seconds: no pause was seen"
awk -F , '{ t = int($1); t += 3600 * (NR > 153); print t "," $2 }' tenths.csv >pause.csv
find_pulses t.txt pause.csv
find_pulses -r 10 t.txt pause.csv
echo "- the same for any cutting"
sigrep -t 0 --time-column 1 --columns 2 t.txt pause.csv 2>/dev/null >whole
for bytes in 1 7 4096; do
    dd bs=$bytes if=pause.csv status=none |
        sigrep -t 0 --time-column 1 --columns 2 t.txt - 2>/dev/null | cmp - whole
done
echo "- 1000 rows a second"
awk -F , '{ for (i = 0; i < 25; i++) print int((NR * 25 + i) / 1000) "," $2 }' tenths.csv >fast.csv
sigrep -v --time-column 1 --columns 2 -c -t 0 t.txt fast.csv 2>&1 | grep Hz | sed "s:, kernel .*::"
echo "- compact_dates_are_taken_for_epochs"
awk -F , '{ printf "20260131%02d%02d%02d,%s\n", 23, NR / 60, NR % 60, $2 }' tenths.csv >dates.csv
awk 'BEGIN { for (i = 0; i < 336; i++) printf "2025%02d%02d\n", 1 + i / 28, 1 + i % 28 }' |
    paste -d, - tenths.csv | cut -d, -f 1,3 | head -n 336 >days.csv
find_pulses t.txt dates.csv
find_pulses -T clock t.txt dates.csv
find_pulses -o json -m 1 dates.csv@20260131230049-20260131230054 dates.csv
sigrep -t 0 --time-column 1 --columns 2 --fill 432000 t.txt days.csv 2>&1
echo "- no Z without a zone, unless -T clock says so"
sed 's/^\(....\)\(..\)\(..\)\(..\)\(..\)\(..\)/\1-\2-\3 \4:\5:\6/' dates.csv >local.csv
sed 's/,/Z,/' local.csv >zoned.csv
for file in local zoned; do
    for output in text json csv; do find_pulses -m 1 -o $output t.txt $file.csv; done
    find_pulses -m 1 -T clock t.txt $file.csv
done
{ head -n 100 local.csv && tail -n +101 zoned.csv; } >mixed.csv
find_pulses t.txt mixed.csv
echo "- the basic form of ISO 8601"
sed 's/^\(........\)\(......\)/\1T\2+0100/' dates.csv >basic.csv
find_pulses t.txt basic.csv
echo "- an epoch that nobody named is no signal without a word"
awk -F , '{ print 1767268800 + NR "," $2 }' tenths.csv >epoch.csv
ran sigrep -c -t 0 epoch.csv@0-3 epoch.csv 2>&1
echo "- steps that are too long for a rate"
awk -F , '{ printf "%d000000000000,%s\n", NR - 1, $2 }' tenths.csv >long.csv
find_pulses -c t.txt long.csv
echo "- rows on change only: the warning names the cure"
awk -F , '$2 != last && NR % 7 { print } { last = $2 }' tenths.csv |
    awk -F , 'NR % 3 { print }' >changes.csv
find_pulses -c t.txt changes.csv
