# A log with two kinds of events: -b finds N of each, -c counts each.
. "$SRC/tests/cli/signals"
hill >peak.txt
lines 5 4 4 5 >dip.txt
lines 9 9 0 1 2 1 0 9 9 5 4 4 5 9 9 0 1 2 1 0 9 9 9 5 4 3 5 9 >log.txt
ran sigrep -b 1 -e peak.txt -e dip.txt log.txt 2>&1
ran sigrep -b 2 -e peak.txt -e dip.txt log.txt 2>&1
ran sigrep -b 2 -m 3 -e peak.txt -e dip.txt log.txt 2>&1
ran sigrep -t 0.1 -c -e peak.txt -e dip.txt log.txt log.txt 2>&1
ran sigrep -t 0.1 -c -e it=peak.txt -e it=dip.txt log.txt 2>&1
ran sigrep -b 1 -g 64,64 peak.txt log.txt 2>&1
