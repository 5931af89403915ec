# --hold: after a match, none of its label for so long, counted in the time of the input.
. "$SRC/tests/cli/signals"
hill >bell.txt
lines 0 5 0 >knock.txt
# A bell that rings four times, at 10 samples a second, and a knock.
lines 9 0 1 3 1 0 9 0 1 3 1 0 9 0 5 0 9 0 1 3 1 0 9 9 9 9 9 0 1 3 1 0 9 9 >door.txt
ran sigrep -r 10 -t 0 bell.txt door.txt
ran sigrep -r 10 -t 0 --hold 1.5 bell.txt door.txt
ran sigrep -r 10 -t 0 --hold 0.1 bell.txt door.txt
ran sigrep -r 10 -t 0 --hold 0.2 bell.txt door.txt
ran sigrep -r 10 -t 0 --hold 100 -e bell.txt -e knock.txt door.txt
# -m, -c and --stats count what is left; each input begins afresh.
ran sigrep -r 10 -t 0 --hold 1.5 -m 2 bell.txt door.txt
ran sigrep -r 10 -t 0 --hold 1.5 -c bell.txt door.txt door.txt
sigrep -r 10 -t 0 --hold 1.5 --stats bell.txt door.txt 2>stats
grep -e matches -e held stats
# Times of a column: a visitor at 12:00 and a minute later, as a log has them.
awk '{ n = NR > 12; printf "2026-11-25T12:0%d:%02dZ,%s\n", n, n ? NR - 12 : NR, $1 }' door.txt >log.csv
head -n 3 log.csv
ran sigrep --time-column 1 -T clock -t 0 bell.txt log.csv
ran sigrep --time-column 1 -T clock -t 0 --hold 30 bell.txt log.csv
ran sigrep --time-column 1 -T clock -t 0 --hold 3600 bell.txt log.csv
# The cutting of the input changes nothing.
while read -r value; do echo "$value"; done <door.txt | sigrep -r 10 -t 0 --hold 1.5 bell.txt
sigrep -r 10 -t 0 --hold 1.5 --chunk 1 bell.txt door.txt
ran sigrep -b 2 --hold 1 bell.txt door.txt 2>&1
ran sigrep -t 0 --hold -1 bell.txt door.txt 2>&1
ran sigrep -t 0 --hold soon bell.txt door.txt 2>&1
