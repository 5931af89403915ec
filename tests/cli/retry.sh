# --retry: a named pipe whose writer has gone is opened again, after a gap; all is as if the stream
# had had a gap there. Nothing grows with the number of writers.
. "$SRC/tests/cli/signals"
hill >t.txt
mkfifo in
begin() { # OPTION...
    : >out
    : >said
    sigrep -t 0.1 --retry 0.1 "$@" t.txt in >out 2>said &
    pid=$!
}
has() { # LINES of the output
    await "[ \"\$(wc -l <out)\" -ge $1 ]"
}
lost() { # TIMES that a writer has gone
    await "[ \"\$(grep -c 'writer has gone' said)\" -ge $1 ]"
}
finish() { # and see
    kill -TERM $pid
    wait $pid
    echo "status $?"
}
echo "- the second writer cuts a hill in two; the third one has a whole one"
begin -T samples
lines 9 0 1 3 1 0 9 0 1 3 >in
has 1
lost 1
lines 1 0 9 >in
lost 2
lines 0 1 3 1 0 >in
lost 3
finish
cat out said
echo "- the match before the loss does not wait for the next writer"
begin
lines 9 0 1 3 1 0 >in
has 1
finish
cat out
echo "- a header row, another format, a pipe that is gone"
begin -T samples
lines x 9 0 1 3 1 0 >in
lost 1
lines x 9 0 1 3 1 0 >in
lost 2
lines x,y 1,2 >in
wait $pid
echo "status $?"
cat out said
begin -T samples
lines 9 9 9 >in
lost 1
finish
sed 's/after [0-9.]* s/after some s/' said
echo "- --clock times: the gap is as long as the clock says"
begin -r 100 -T clock
lines 9 0 1 3 1 0 9 >in
lost 1
sleep 0.5
lines 9 0 1 3 1 0 9 >in
lost 2
finish
cut -f 3,4 out
sed -n 's/gap of [0-9]* samples/gap of N samples/p' said
awk '/there again/ { print($8 >= 40 ? "long" : "short: " $0) }' said
echo "- clock times, and a writer that is faster than the clock: no match spans the gap"
begin -r 1 -T clock
lines 9 9 0 1 3 >in
lost 1
lines 1 0 9 9 0 1 3 1 0 >in
lost 2
finish
cut -f 3,4 out
sed -n '/again/p' said
echo "- a file in place of the pipe is an error, and not read again and again"
stream >s.txt
begin -c -m 9
exec 3>in
lines 9 >&3
rm in
cp s.txt in
exec 3>&-
wait $pid
echo "status $?"
cat said
rm in
mkfifo in
echo "- -m ends it, --duration too"
begin -m 2
lines 0 1 3 1 0 >in
lost 1
lines 0 1 3 1 0 >in
wait $pid
echo "status $?"
cat out
begin -r 10 --duration 1.4 -T samples
lines 0 1 3 1 0 9 9 >in
lost 1
lines 0 1 3 1 0 9 9 9 9 9 >in
wait $pid
echo "status $?"
cat out
echo "- many writers: no descriptor and no memory is left behind"
begin -c --stats-every 60,figures
size() { awk '/^VmRSS/ { print $2 }' /proc/$pid/status; }
for n in $(seq 60); do
    lines 9 0 1 3 1 0 9 >in
    lost $n
    [ $n != 10 ] || { first=$(ls /proc/$pid/fd | wc -l) before=$(size); }
done
echo "more descriptors: $(($(ls /proc/$pid/fd | wc -l) - first))"
# A sanitizer keeps what was freed.
{ [ -n "${SAN-}" ] || [ $(($(size) - before)) -le 1024 ]; } && echo "no more memory"
kill -TERM $pid
wait $pid
grep '^sigrep_[mgl]' figures
echo "- what is refused"
stream >s.txt
ran sigrep -t 0.1 --retry 1 t.txt s.txt 2>&1
ran sigrep -t 0.1 --retry 1 t.txt 2>&1 | head -n 2
ran sigrep --retry 1 -b 1 t.txt in 2>&1 | head -n 2
for o in '-L' '--state S' '--range 1-2' '--time-column 1' '--group-by 1' '--recursive' 's.txt' \
    '--retry 0' '--file-time'; do
    # shellcheck disable=SC2086 # words
    ran sigrep -t 0.1 --retry 1 t.txt in $o 2>&1 | head -n 2
done
