# --range: a part of a file; a match belongs to the part in which it ends.
. "$SRC/tests/cli/signals"
hill >hill.txt
stream >stream.txt
awk '{ for (i = 1; i <= 40; i++) print i == 20 ? 7 : i % 3 }' hill.txt >long.txt
ran sigrep -t 0 hill.txt stream.txt
ran sigrep -t 0 --range 0-8 hill.txt stream.txt
ran sigrep -t 0 --range 0-7 hill.txt stream.txt
ran sigrep -t 0 --range 3-8 hill.txt stream.txt
ran sigrep -t 0 --range 4- hill.txt stream.txt
ran sigrep -t 0 --range 8-17 -c hill.txt stream.txt
ran sigrep -t 0 --range 0.05-0.19 -r 100 -T samples hill.txt stream.txt
# A search that begins in the middle is cold there, but its front end is not.
ran sigrep -t 0 --range 3- -p diff hill.txt stream.txt
ran sigrep -t 0.7 --range 9-30 -p znorm=4 -o json hill.txt long.txt
gzip -k stream.txt
ran sigrep -t 0 --range 10-19 hill.txt stream.txt.gz
# With a time column seconds count samples, by its rate; what is printed are its times.
awk '{ printf "2026-11-25T12:00:%02d,%s\n", NR + (NR > 9), $1 }' stream.txt >log.csv
ran sigrep -t 0 --time-column 1 --range 5-18 hill.txt log.csv
ran sigrep -t 0 --time-column 1 --range 5-18 --fill 2 -T clock hill.txt log.csv
# What is refused.
exec 2>&1
ran sigrep -t 0 --range 5-9 hill.txt <stream.txt
mkfifo pipe
cat stream.txt >pipe &
ran sigrep -t 0 --range 5-9 hill.txt pipe
kill $! 2>/dev/null
ran sigrep -t 0 --range 5-9 hill.txt mic:
ran sigrep -t 0 --range 9-5 hill.txt stream.txt
ran sigrep -t 0 --range 5-5 hill.txt stream.txt
ran sigrep -t 0 --range 5.1-5.2 hill.txt stream.txt
ran sigrep -t 0 --range 5 hill.txt stream.txt
ran sigrep -t 0 --range 1:00-2:00 hill.txt stream.txt
ran sigrep -t 0 --range 19- hill.txt stream.txt
ran sigrep -t 0 --range 5-20 hill.txt stream.txt
s16 0 1 3 1 0 >five.s16
ran sigrep -t 0 --range 2-6 -f s16 hill.txt five.s16
ran sigrep -t 0 --range 5- hill.txt five.s16 -f s16
ran sigrep -t 0 --range 5-9 -p bandpass=0.1-0.3 hill.txt stream.txt
ran sigrep --range 5-9 -b 2 hill.txt stream.txt
ran sigrep -t 0 --range 5-9 --save folder hill.txt stream.txt
ran sigrep -t 0 --range 5-9 --duration 3 hill.txt stream.txt
ran sigrep -t 0 --range 5-9 --state state hill.txt stream.txt
