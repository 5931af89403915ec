# sigrep-shards: a plan, its shards in any order, and the output of the whole.
. "$SRC/tests/cli/signals"
hill >hill.txt
lines 0 1 3 >'half of it.txt'
mkdir -p archive/deep
stream >archive/1.txt
stream | tac >"archive/it's one.txt"
{ stream && stream && stream; } >archive/deep/3.txt
lines word >archive/notes
touch -d '2026-11-28 00:00:00 UTC' archive/* archive/deep/*
version=$(sigrep --version | cut -d ' ' -f 2)
same() { # SIZE ARGUMENT...: do the shards give what the whole gives?
    size=$1
    shift
    sigrep "$@" >whole
    echo "whole: status $?"
    sigrep-shards --size "$size" "$@" >plan || echo "plan: status $?"
    sort -R plan | sh >results || echo "shards: status $?"
    sigrep-shards --merge results >merged
    echo "merge: status $?, $(wc -l <plan) shards, $(wc -l <whole) lines"
    cmp whole merged
}
sigrep-shards --size 8 -t 0 --recursive hill.txt archive | sed "s/:$version:/:VERSION:/"
sigrep-shards --size 8 -t 0 --recursive hill.txt archive | sh | sigrep-shards --merge
same 8 -t 0 --recursive hill.txt archive
same 1 -t 0 -e hill.txt -e 'half of it.txt' archive/1.txt
same 2.5 -t 0 -e hill=hill.txt -e hill='half of it.txt' -o csv archive/1.txt archive/deep/3.txt
same 3 -t 0 --hold 4 -e 'half of it.txt' -o json -T hms archive/deep/3.txt
same 5 -t 0 -h --recursive --include '3*' hill.txt archive
same 7 -t 0 -o labels hill.txt archive/1.txt
same 100 -t 0 hill.txt archive/1.txt
same 4 -t 0.5 -p diff -- hill.txt archive/1.txt
awk '{ printf "2026-11-25T12:00:%02d,%s\n", NR + (NR > 27) * 9, $1 }' archive/deep/3.txt >log.csv
echo 'not a row' >>log.csv
tail -n 20 archive/deep/3.txt | sed 's/^/2026-11-25T12:02:00,/' >>log.csv
same 5 -t 0 --time-column 1 --skip-bad hill.txt log.csv 2>/dev/null
same 5 -t 0 --time-column 1 --skip-bad --fill 20 -o json hill.txt log.csv 2>/dev/null
# No match: status 1, and a header is no match.
lines 100 100 99 >nowhere.txt
same 6 -t 0 -o csv nowhere.txt archive/1.txt
# Results in files of their own, and as standard input.
sigrep-shards --size 8 -t 0 hill.txt archive/1.txt >plan
n=0
while read -r line; do n=$((n + 1)) && sh -c "$line" >"one$n"; done <plan
ran sigrep-shards --merge one3 one1 one2
cat one? | sigrep-shards --merge -
# What a shard prints.
sed "s/:$version:/:VERSION:/; s/^\(end .*\) [0-9a-f]*$/\1 CHECKSUM/" one2
