# --group-by: each group of a table is searched as if its rows stood alone, and named in every output.
. "$SRC/tests/cli/signals"
hill >p.txt
# Three devices at rates of their own, mixed. Each has a hill; the third begins late, and has two.
awk 'BEGIN {
    n = split("pump 1|a/b|=x", names, "|")
    split("0 1 3 1 0", hill)
    print "time,device,flow"
    for (i = 0; i < 300; i++)
        for (d = 1; d <= n; d++) {
            at = m[d] % (d < 3 ? 100 : 60) - 9 * d
            if ((i + d) % d || (d == 3 && i < 90)) continue
            m[d]++
            x = at >= 1 && at <= 5 && m[d] < 130 ? hill[at] : 7 + i * d % 5
            printf "%.1f,\"%s\",%s\n", i / 10, names[d], x
        }
}' >log.csv
mkdir alone
t='--time-column time --columns flow -t 0.1 p.txt'
echo "- as alone, but in the order of the rows that make matches final"
for format in text csv json; do
    sigrep --group-by device -H -o $format $t log.csv >all.$format
    for group in 'pump 1' a/b '=x'; do
        awk -F, -v g="\"$group\"" 'NR == 1 || $2 == g' log.csv >alone/log.csv
        (cd alone && sigrep -H -o $format --time-column time --columns flow -t 0.1 ../p.txt log.csv)
    done | grep -v ^file, | sort >sorted.$format
done
cat all.text
cut -f 1-4 all.text | sort | cmp - sorted.text
sed '1d; s/,[^,]*$//' all.csv | sort | cmp - sorted.csv
sed 's/"group":"[^"]*",//' all.json | sort | cmp - sorted.json
cut -d , -f 1,2,9 all.csv
cut -d , -f 1,2 all.json
echo "- several at once, columns by number, without names, packed, not chosen"
sigrep -j 3 --group-by device -H $t log.csv | cmp - all.text
sigrep --group-by 2 -H --time-column 1 -t 0.1 p.txt log.csv | cmp - all.text
mkdir rows && sed 1d log.csv >rows/log.csv
(cd rows && sigrep --group-by 2 -H --time-column 1 --columns 3 -t 0.1 ../p.txt log.csv) | cmp - all.text
gzip -c log.csv >rows/log.csv
(cd rows && sigrep --group-by device -H --time-column time -t 0.1 ../p.txt log.csv) | cmp - all.text
echo "- of a pipe, as the rows come"
sigrep --group-by device -H $t - <log.csv | sed 's/^(standard input)/log.csv/' | cmp - all.text
for bytes in 7 500; do
    dd bs=$bytes if=log.csv status=none | sigrep --group-by device $t - >piped
    cut -d : -f 2 all.text | cmp - piped
done
mkfifo rows_come found
sigrep --group-by device --columns flow -t 0.1 p.txt - <rows_come >found &
exec 4>rows_come 5<found
head -n 90 log.csv >&4
head -n 1 <&5
exec 4>&- 5<&-
wait
echo "- to a signal"
sigrep --group-by device --columns flow -t 0.1 p.txt rows_come >found_later 2>messages &
exec 4>rows_come
head -n 90 log.csv >&4
await '[ -s found_later ]'
kill -TERM $!
wait $!
echo "status $?"
exec 4>&-
cat found_later messages
echo "- to a log that is rotated"
sigrep --group-by device --columns flow -t 0.1 --log log p.txt rows_come &
exec 4>rows_come
head -n 90 log.csv >&4
await '[ -s log ]'
mv log log.1 && kill -HUP $!
await '[ -e log ]'
tail -n +91 log.csv >&4
exec 4>&-
wait $!
sigrep --group-by device --columns flow -t 0.1 p.txt log.csv >whole
cat log.1 log | cmp - whole && wc -l <log.1
echo "- by row, then by group"
awk 'BEGIN {
    split("0 1 3 1 0 9 9 9 9 9 9", x)
    print "device,flow"
    for (i = 1; i <= 11; i++) print "b," x[i] "\na," x[i] "\nc," x[i]
    for (i = 1; i <= 11; i++) print "c," x[i]
    for (i = 1; i <= 11; i++) print "a," x[i]
    print "d,0\nd,1\nd,3\nb,0\nb,1\nb,3\nd,1\nd,0.6\nb,1\nb,0.6"
}' >order.csv
for jobs in 1 3; do
    sigrep -j $jobs --group-by device -t 0.2 p.txt order.csv | cut -f 1,5 | tr '\t\n' ' ;'
    echo
done
echo "- other outputs"
ran sigrep --group-by device -c $t log.csv p.txt 2>&1
ran sigrep --group-by device -l $t log.csv
sed '3s/,.*//' log.csv >short.csv
ran sigrep --group-by device -L $t short.csv 2>&1
ran sigrep --group-by device -b 1 --time-column time --columns flow p.txt log.csv
ran sigrep --group-by device --range 0-5 -c $t log.csv
ran sigrep --group-by device -o labels $t log.csv 2>&1
sigrep --group-by device --output-dir out $t log.csv && ls out
sed 's|a/b|a_b|; t; s|pump 1|a/b|' log.csv >same.csv
ran sigrep --group-by device --output-dir same $t same.csv 2>&1
# shellcheck disable=SC2016 # the command's own variable
sigrep --group-by device --exec 'echo "$SIGREP_GROUP of $SIGREP_FILE" >>ran' $t log.csv >unused
sort ran
echo "- rows of no group, of bad numbers, of several groups"
sed 's/^0.4,"a.*/0.4,,1/; s/^0.6,"a.*/0.6/; s/^3.0,"pu.*/3.0,"pump 1",oops/' log.csv >bad.csv
cat log.csv >>bad.csv
ran sigrep --group-by device -c $t bad.csv 2>&1
ran sigrep --group-by device --skip-bad -c $t bad.csv 2>&1
ran sigrep --group-by device --time-column time --columns flow -t 0.1 log.csv@1-2 log.csv 2>&1
ran sigrep --group-by Device -c $t log.csv 2>&1
ran sigrep --group-by 7 -c $t log.csv 2>&1
echo '{"device":"a","flow":1}' >log.jsonl
ran sigrep --group-by device --columns flow -t 0.1 p.txt log.jsonl 2>&1
ran sigrep --group-by device $t mic: 2>&1
wav 10 1 0 1 3 1 0 >hill.wav
ran sigrep --group-by 2 --front-end raw -t 0.1 hill.wav hill.wav 2>&1
ran sigrep --group-by device $t missing.csv . 2>&1
ran sigrep --group-by device -c $t short.csv log.csv 2>&1
for bad in '--group-by 0' '--group-by a,b' '--group-by device --state s' '--group-by device --save d' \
    '--group-by device --scores s' '--group-by device --monitor' '--group-by device --monitor-page 0' \
    '--group-by device --stats-every 1,f'; do
    # shellcheck disable=SC2086 # words
    ran sigrep $bad $t log.csv 2>&1
done
echo "- a signal within the search of a batch: its message counted rows that were not searched"
awk 'BEGIN { for (i = 0; i < 60000; i++) print i * 7919 % 60013 }' >long.txt
awk 'BEGIN { print "device,flow"; for (i = 0; i < 60000; i++) print "a," i * 104729 % 59999 }' >slow.csv
# shellcheck disable=SC2046 # words: seconds of search
sigrep --group-by device --columns flow --output-dir part -t 0 \
    $(yes -- '-e long=long.txt' | head -n 8) slow.csv 2>messages &
await '[ -e part/slow.csv.a.txt ]'
kill -TERM $!
wait $!
echo "status $?"
cat messages
