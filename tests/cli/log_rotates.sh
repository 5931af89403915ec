# --log FILE: renamed under a running search, and opened anew by SIGHUP: no line is lost, none comes
# twice, and none is torn. Without --log SIGHUP ends the search (signals_end_well).
. "$SRC/tests/cli/signals"
hill >t.txt
mkfifo in
is_there() { # FILE
    await "[ -e $1 ]"
}
rotate() { # PID N: as logrotate does
    mv log log.$2
    kill -HUP $1
    is_there log
}
# A stream of many matches, in pieces of 200 hills, with a rotation while each is searched, and one
# while the search waits.
hills() { awk -v n=200 'BEGIN { for (i = 0; i < n; i++) print "0\n1\n3\n1\n0\n9\n9\n9\n9\n9\n9" }'; }
for _ in 1 2 3 4 5 6; do hills; done >s.txt

busy() { # NAME OPTION...: searches s.txt through the FIFO, under rotations
    name=$1
    shift
    rm -f log log.* S
    sigrep -t 0.1 --log log "$@" t.txt in >printed 2>said &
    pid=$!
    exec 3>in
    is_there log
    for n in 1 2 3 4 5 6; do
        hills >&3
        rotate $pid $n
        [ $((n % 2)) -eq 0 ] || sleep 0.1
    done
    exec 3>&-
    wait $pid
    echo "$name: status $?, $(wc -c <printed) bytes printed"
    cat said
    sigrep -t 0.1 t.txt s.txt >whole
    cat log.1 log.2 log.3 log.4 log.5 log.6 log | cmp - whole && echo "the lines of one run"
    awk 'END { print (NR == 1200 ? "all" : NR " lines") }' log.* log
}
busy "by a FIFO"
busy "with --state" --state S

echo "- the log goes on, and each file has its header"
rm -f log log.* S
for n in 1 2; do
    sigrep -t 0.1 -o csv --log log t.txt s.txt
    [ $n = 2 ] || mv log log.1
done
head -qn 1 log.1 log
sigrep -t 0.1 -o csv --log log t.txt s.txt
grep -c file,label log
wc -l <log
rm log
sigrep -o csv -t 0.1 --log log t.txt in &
pid=$!
exec 3>in
lines 0 1 3 1 0 9 9 9 9 9 9 9 >&3
await '[ "$(wc -l <log)" = 2 ]'
rotate $pid 1
await '[ -s log ]'
lines 0 1 3 1 0 9 9 9 9 9 9 9 >&3
exec 3>&-
wait $pid
cat log.1 log

echo "- killed after a rotation: the next run goes on in the new file"
rm -f log log.* S
sigrep -t 0.1 --state S,continue --log log t.txt in &
pid=$!
exec 3>in
lines 9 0 1 3 1 0 9 9 9 9 9 9 9 >&3
await '[ "$(wc -l <log)" = 1 ]'
rotate $pid 1
kill -KILL $pid
wait $pid 2>/dev/null
exec 3>&-
sigrep -t 0.1 --state S,continue --log log t.txt in 2>/dev/null &
pid=$!
exec 3>in
lines 9 0 1 3 1 0 9 9 9 9 9 9 9 >&3
exec 3>&-
wait $pid
cut -f 3,4 log.1 log

echo "- nohup: SIGHUP that is ignored opens the log all the same"
rm -f log log.*
env --ignore-signal=HUP sigrep -t 0.1 --log log t.txt in &
pid=$!
exec 3>in
is_there log
rotate $pid 1
lines 9 9 9 >&3
exec 3>&-
wait $pid
echo "status $?"

echo "- while the input is not yet there"
rm -f log log.*
sigrep -v -t 0.1 --log log t.txt in 2>said &
pid=$!
is_there log
rotate $pid 1
lines 0 1 3 1 0 >in
wait $pid
cat log
grep log said

echo "- a full disk cuts no line in two, which the next run's first line would join"
rm -f log log.*
sigrep -t 0.1 t.txt s.txt >whole
(ulimit -f 1 && exec sigrep -t 0.1 --log log t.txt s.txt 2>said)
echo "status $?"
cat said
sigrep -t 0.1 --log log t.txt s.txt
grep -vxFf whole log

echo "- what is refused"
mkdir d
ran sigrep -t 0.1 --log d t.txt s.txt 2>&1
ran sigrep -t 0.1 --log no/log t.txt s.txt 2>&1
ran sigrep -t 0.1 --log in t.txt s.txt 2>&1
ran sigrep -t 0.1 --log /dev/full t.txt s.txt 2>&1
ran sigrep -t 0.1 --log s.txt t.txt s.txt 2>&1
ran sigrep -t 0.1 --log x --scores x t.txt s.txt 2>&1
ran sigrep -t 0.1 --log x --state x t.txt s.txt 2>&1
for o in '--log -' '--log x -q' '--log x --output-dir y' '--log x --shard-size 3' "--log ''"; do
    eval "ran sigrep -t 0.1 $o t.txt s.txt" 2>&1 | head -n 2
done
echo "- a new file that cannot be made: the old one goes on"
rm -rf log log.* d
mkdir d
sigrep -t 0.1 --log d/log t.txt in 2>said &
pid=$!
exec 3>in
is_there d/log
mv d/log kept
rmdir d
kill -HUP $pid
await '[ -s said ]'
lines 0 1 3 1 0 >&3
exec 3>&-
wait $pid
echo "status $?"
cat said kept
