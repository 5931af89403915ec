# A pump's log is searched while the logger writes it. The logger stops for an hour in the middle, and
# writes its header again.
O='--time-column time --columns current'

# rows HOUR FROM TO: one a second; the pump starts at 30 s, and again every 100 s.
rows() {
    awk -v hour="$1" -v from="$2" -v to="$3" 'BEGIN {
        split("9 6 4 3 3 3 3 2", start)
        for (t = from; t < to; t++)
            printf "2026-03-02T%s:%02d:%02dZ,%.2f\n", hour, t / 60, t % 60,
                start[(t + 70) % 100 + 1] + t * 7 % 11 / 50
    }'
}

{ echo time,current && rows 06 0 100; } >yesterday.csv
# shellcheck disable=SC2086 # options
sigrep-train $O -t 1 -o start.sigrep yesterday.csv@06:00:30-06:00:38

echo time,current >today.csv
mkfifo lines matches
tail -n +1 -f today.csv >lines &
tail_pid=$!
# shellcheck disable=SC2086
sigrep $O --skip-bad start.sigrep <lines >matches &
exec 3<matches
next() { # the next match; waits until it is printed
    read -r match <&3
    echo "$match"
}

echo '- the match is printed while the log waits'
rows 07 0 100 >>today.csv
next
echo '- the logger restarts an hour later'
{ echo time,current && rows 08 0 100; } >>today.csv
next
echo '- a line is damaged'
{ echo '2026-03-02T08:01:4' && rows 08 101 200; } >>today.csv
next
kill $tail_pid
wait $!
echo "status $?"
