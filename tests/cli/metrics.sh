# --stats-every SECONDS,FILE: figures in Prometheus' text format, replaced as a whole.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
mkfifo in
echo "- at the end of several inputs; labels, and hostile ones"
cp t.txt 'a "b" \n.txt'
sigrep -r 10 -t 0.1 --stats-every 60,f.prom -e t.txt -e 'a "b" \n.txt' s.txt s.txt | wc -l
sed 's/\(start_time.*}\) [0-9.]*$/\1 NOW/' f.prom
printf 'l\nn\377' >label
sigrep -t 0.1 --stats-every 60,"a\"b.prom" "$(cat label)=t.txt" s.txt | wc -l
grep '^sigrep_matches' 'a"b.prom'
echo "- while it waits"
sigrep -t 0.1 --log log --stats-every 1,live t.txt in &
pid=$!
await '[ -s live ]'
grep '^sigrep_samples' live
exec 3>in
lines 9 0 1 3 1 0 9 9 9 9 9 9 9 >&3
await 'grep -q "^sigrep_samples.* 13$" live'
grep '^sigrep_matches' live
exec 3>&-
wait $pid
echo "status $?"
ls live*
sigrep -c -t 0.1 --stats-every 1e6,f.prom t.txt s.txt
echo "- what is refused"
for o in 0.5,f 60 "60," 60,- x,f ,f; do
    ran sigrep --stats-every $o t.txt s.txt 2>&1 | head -n 2
done
ran sigrep -t 0.1 --stats-every 60,s.txt t.txt s.txt 2>&1
ran sigrep -t 0.1 --stats-every 60,log --log log t.txt s.txt 2>&1
ran sigrep -t 0.1 --stats-every 60,none/f t.txt s.txt 2>&1
ran sigrep -t 0.1 --stats-every 60,in t.txt s.txt 2>&1
ran sigrep -t 0.1 --stats-every 60,f --shard-size 5 t.txt s.txt 2>&1 | head -n 2
stream | cmp - s.txt
echo "- a folder that goes away: said once, the search goes on, status 2"
mkdir d
sigrep -t 0.1 --stats-every 60,d/f t.txt in &
pid=$!
await '[ -e d/f ]'
rm -r d
lines 0 1 3 1 0 >in
wait $pid
echo "status $?"
