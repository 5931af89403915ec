# What sigrep-shards refuses, and which shard is to be run again.
. "$SRC/tests/cli/signals"
exec 2>&1
hill >hill.txt
stream >stream.txt
touch -d '2026-11-28 00:00:00 UTC' stream.txt
sigrep-shards --size 5 -t 0 hill.txt stream.txt >plan
shard() { # NUMBER [SED]: run a line of the plan, perhaps changed
    sed -n "$1{p;q}" plan | sed "$2" | sh
}
for n in 1 2 3 4; do shard $n >r$n; done
ran sigrep-shards --merge r1 r2 r3 r4
echo "# missing"
ran sigrep-shards --merge r1 r4
ran sigrep-shards --merge /dev/null
echo "# twice"
ran sigrep-shards --merge r1 r2 r3 r4 r2
echo "# truncated: at each line, and within one; or changed"
lines=$(wc -l <r2)
for n in $(seq 0 $((lines - 1))); do
    head -n "$n" r2 >half
    sigrep-shards --merge r1 half r3 r4 >out && echo "status $?"
    test -s out && echo "but it printed"
done
head -c -3 r2 >half
ran sigrep-shards --merge r1 half r3 r4
sed 's/2\.000/2.001/; s/\t0\t/\t1\t/' r3 >changed
ran sigrep-shards --merge r1 r2 changed r4
bytes=$(wc -c <r3)
for n in $(seq 1 "$bytes"); do
    { head -c $((n - 1)) r3 && printf '\377' && tail -c +$((n + 1)) r3; } >changed
    sigrep-shards --merge r1 r2 changed r4 >out 2>err && echo "byte $n may be changed"
    test -s out && echo "but it printed"
    grep -q 'shard 3 of 4\|is no result' err || cat err
done
echo "# a truncated one beside the whole is no harm; nor is one in between"
head -n 2 r2 | cat r1 - r3 r2 r4 >all
ran sigrep-shards --merge all half
echo "# a hole, an overlap, a last one that is not the last"
shard 3 's/--range 10-15/--range 11-15/' >hole
ran sigrep-shards --merge r1 r2 hole r4
shard 3 's/--range 10-15/--range 9-15/' >overlap
ran sigrep-shards --merge r1 r2 overlap r4
shard 4 's/--range 15-/--range 15-19/' >short
ran sigrep-shards --merge r1 r2 r3 short
shard 1 's/--range 0-5/--range 1-5/' >late
ran sigrep-shards --merge late r2 r3 r4
echo "# output that is lost"
shard 2 's:$: >/dev/full:'
sigrep-shards --merge r1 r2 r3 r4 >/dev/full
echo "status $?"
echo "# other options, templates or versions; another file"
version=$(sigrep --version | cut -d ' ' -f 2)
sed "\$d; s/:$version:/:0.0.9:/" r2 >old
crc=$(gzip -c old | tail -c 8 | od -An -tx1 -N 4 | awk '{ print $4 $3 $2 $1 }')
echo "end 15 0 $crc" >>old
sigrep-shards --merge r1 old r3 r4 | sed "s/$version/VERSION/"
shard 2 's/-t 0/-t 1/'
shard 2 's/:0\.[0-9.]*:/:0.0.9:/'
shard 2 's/--shard [^ ]*/--shard me/'
shard 2 's/\(--shard [^ ]*\) \(--range [^ ]*\)/\2 \1/' | sed "s/:$version:/:VERSION:/"
sigrep-shards --size 5 -t 1 hill.txt stream.txt | sed -n 2p | sh >other
ran sigrep-shards --merge r1 other r3 r4
sigrep-shards --size 6 -t 0 hill.txt stream.txt | sed -n 2p | sh >other
ran sigrep-shards --merge r1 other r3 r4
lines 0 1 3 1 1 >hill.txt
shard 2
hill >hill.txt
lines 9 >>stream.txt
shard 2
stream | sed 's/3/4/' >stream.txt
touch -d '2026-11-28 00:00:00 UTC' stream.txt
shard 2
rm stream.txt
shard 2
stream >stream.txt
touch -d '2026-11-28 00:00:02 UTC' stream.txt
sigrep-shards --size 5 -t 0 hill.txt stream.txt | sed -n 2p | sh >other
ran sigrep-shards --merge r1 other r3 r4
echo "# no results, no plan"
ran sigrep-shards --merge hill.txt
cat r1 hill.txt >extra
ran sigrep-shards --merge extra r2 r3 r4
ran sigrep-shards --merge nothing
ran sigrep-shards --size 5 -t 0 hill.txt
ran sigrep-shards --size 5 -t 0 hill.txt nothing
ran sigrep-shards --size 0 -t 0 hill.txt stream.txt
ran sigrep-shards --size 0.5 -t 0 hill.txt stream.txt
ran sigrep-shards --size 5 -t 0 -m 1 hill.txt stream.txt
ran sigrep-shards --size 5 -t 0 --hold 2 --time-column 1 hill.txt stream.txt
ran sigrep-shards --size 5 -t 0 -p bandpass=0.1-0.3 hill.txt stream.txt
cp stream.txt 'two
lines'
ran sigrep-shards --size 50 -t 0 hill.txt 'two
lines'
mkfifo pipe
cat stream.txt >pipe &
ran sigrep-shards --size 5 -t 0 hill.txt pipe
kill $! 2>/dev/null
mkfifo hill.pipe
cat hill.txt >hill.pipe &
ran sigrep-shards --size 5 -t 0 hill.pipe stream.txt
kill $! 2>/dev/null
ran sigrep-shards
ran sigrep-shards stream.txt
ran sigrep-shards --merge --size 5
ran sigrep -t 0 --shard 1/1:1:0:0 hill.txt stream.txt
