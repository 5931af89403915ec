# A time column means time: parts of templates, seconds of front ends and bundles count by it.
. "$SRC/tests/cli/signals"
# A sensor at 10 Hz, two minutes from 10:00 on. At 80 s, and slower at 100 s, a valve opens.
awk 'BEGIN {
    for (i = 0; i < 1200; i++) {
        t = i / 10
        x = 5 + (t >= 80 && t < 82 ? 20 - 20 * (t - 81) ^ 2 : 0)
        x += t >= 100 && t < 103 ? 20 - 20 * ((t - 101.5) / 1.5) ^ 2 : 0
        printf "%.1f,%.6g\n", t, x + i * 7919 % 101 / 1000
    }
}' >seconds.csv
awk -F , '{ printf "2026-09-01T10:%02d:%04.1fZ,%s\n", $1 / 60, $1 % 60, $2 }' seconds.csv >iso.csv
awk -F , '{ printf "%.1f,%s\n", 1788256800 + $1, $2 }' seconds.csv >epoch.csv
awk -F , '{ printf "%.0f,%s\n", (1788256800 + $1) * 1000, $2 }' seconds.csv >ms.csv
head -n 2 iso.csv epoch.csv ms.csv
find_valve() { # a template in FILE@$1, its matches in FILE
    echo "- $1"
    sigrep --time-column 1 -t 2 valve="$1" "${1%@*}"
}
find_valve seconds.csv@80-82
find_valve seconds.csv@00:01:20-00:01:22
find_valve iso.csv@80-82
find_valve iso.csv@2026-09-01T10:01:20-2026-09-01T10:01:22
find_valve iso.csv@2026-09-01T12:01:20+02:00-2026-09-01T12:01:22+02:00
find_valve iso.csv@10:01:20-10:01:22
find_valve epoch.csv@1788256880-1788256882
find_valve epoch.csv@10:01:20-10:01:22
find_valve ms.csv@1788256880000-1788256882000
find_valve ms.csv@2026-09-01T10:01:20-2026-09-01T10:01:22
sigrep --time-column 1 -T clock -m 1 -t 2 valve=ms.csv@80-82 ms.csv
echo "- any cutting, and a slow stream"
sigrep --time-column 1 -T seconds -t 2 -p znorm=2 iso.csv@80-82 iso.csv >whole
for bytes in 1 7 4096; do
    dd bs=$bytes if=iso.csv status=none |
        sigrep --time-column 1 -T seconds -t 2 -p znorm=2 iso.csv@80-82 - | cmp - whole
done
awk '{ print; if (NR % 64 < 2) fflush() }' iso.csv |
    sigrep --time-column 1 -T seconds -t 2 -p znorm=2 iso.csv@80-82 | cmp - whole
echo "- znorm=2 is two seconds: as with the rate, and unlike two samples"
cut -d , -f 2 iso.csv >values.txt
sigrep --time-column 1 -T samples -p znorm=2 -t 0.5 v=iso.csv@80-82 iso.csv >column
sigrep -r 10 -T samples -p znorm=2 -t 0.5 v=values.txt@80-82 values.txt | diff - column && cat column
echo "- bundles have the rate"
sigrep-train --time-column 1 -o valve.sigrep iso.csv@80-82 iso.csv@100-103 | cut -f 1-3
sigrep -v --time-column 1 -c -t 2 valve.sigrep iso.csv 2>&1 | grep Hz | sed "s:, kernel .*::"
ran sigrep -c -t 2 valve.sigrep values.txt 2>&1
echo "- rates that are measured are taken as the same, if they are near"
awk -F , '{ printf "%.3f,%s\n", $1 * 0.96, $2 }' seconds.csv >fast.csv
sigrep -v --time-column 1 -t 0 fast.csv@76.8-78.72 seconds.csv 2>&1 | grep -v template | sed "s:, kernel .*::"
sigrep -v --time-column 1 -t 0.7 fast.csv@76.8-78.72 seconds.csv@80-82 iso.csv 2>&1 | grep Hz | sed "s:, kernel .*::"
awk -F , '{ printf "%.3f,%s\n", $1 * 0.9, $2 }' seconds.csv >faster.csv
sigrep -v --time-column 1 -t 0 faster.csv@72-73.8 seconds.csv 2>&1 | grep Hz | sed "s:, kernel .*::"
echo "- a rate that disagrees, and steps that do"
ran sigrep --time-column 1 -c -r 10.1 -t 2 iso.csv@80-82 iso.csv 2>&1
hill >t.txt
ran sigrep --time-column 1 -c -r 10.2 -t 0.1 t.txt iso.csv 2>&1
awk -F , '{ t += 0.05 * 2 ^ (NR % 3); print t "," $2 }' seconds.csv >uneven.csv
ran sigrep --time-column 1 -c -t 0.1 t.txt uneven.csv 2>&1
awk -F , '{ print int($1) "," $2 }' seconds.csv >coarse.csv
ran sigrep --time-column 1 -c -t 0.1 t.txt coarse.csv 2>&1
echo "- parts that are none"
for part in 80-122 200-201 10:01:20-10:05:00 2026-09-02-2026-09-03 80.01-80.09; do
    ran sigrep --time-column 1 -t 2 "iso.csv@$part" iso.csv 2>&1
done
ran sigrep --time-column 1 -t 2 seconds.csv@2026-09-01-2026-09-02 seconds.csv 2>&1
ran sigrep -t 2 values.txt@2026-09-01-2026-09-02 values.txt 2>&1
{ echo time,value && cat iso.csv; } >named.csv
ran sigrep --time-column Time --columns value -t 2 named.csv@2026-09-01-2026-09-02 iso.csv 2>&1
ran sigrep -t 2 values.txt@00:01:00-00:00:30 values.txt 2>&1
echo "- the clock needs dates"
ran sigrep --time-column 1 -T clock -t 2 seconds.csv@80-82 seconds.csv iso.csv 2>&1
ran sigrep -T clock -t 2 t.txt values.txt 2>&1
echo "- dates_are_no_hours: there were some 500000 of them"
ran sigrep --time-column 1 -T hms -t 2 seconds.csv@80-82 seconds.csv iso.csv ms.csv 2>&1
echo "- labels_of_dates_count_from_the_first_time: they counted from 1970"
for file in seconds iso epoch ms; do
    sigrep --time-column 1 -o labels -t 2 valve=$file.csv@80-82 $file.csv
    tail -n +796 $file.csv | sigrep --time-column 1 -o labels -m 1 -t 2 valve=$file.csv@80-82
done
echo "- microseconds and nanoseconds since 1970 are known by their size"
awk -F , '{ printf "%.0f000,%s\n", (1788256800 + $1) * 1000, $2 }' seconds.csv >us.csv
sed 's/,/000,/' us.csv >ns.csv
for file in us ns; do sigrep --time-column 1 -t 2 valve=$file.csv@80-82 $file.csv; done
