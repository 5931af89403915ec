# -p zmatch: each match is normalised by itself.
. "$SRC/tests/cli/signals"
printf '%s\n' 0 3 1 7 2 2 6 0 >t.txt
# Copies with other offset and gain, one of them slower for a sample; then a copy of one value.
awk 'BEGIN { srand(1); for (i = 0; i < 9; i++) print 100 + i * i % 5 }' >noise.txt
{
    cat noise.txt
    awk '{ print 1000 + 20 * $1 }' t.txt
    cat noise.txt
    awk '{ print $1 / 8 - 3 }' t.txt
    cat noise.txt
    printf '%s\n' 0 3 1 1 7 2 6 0
    yes 5 | head -n 40
} >stream.txt
ran sigrep -p zmatch -t 0 t.txt stream.txt
ran sigrep -p zmatch=0.2 -t 0.1 t.txt stream.txt
ran sigrep -p zmatch -t 0 -r 4 -T samples -o json t.txt stream.txt
ran sigrep -p zmatch=0.2 -t 0.1 -o json --path t.txt stream.txt
ran sigrep -p zmatch=0 -b 4 t.txt stream.txt
ran sigrep -p zmatch=0.2 -t 0.1 -j 2 --chunk 7 --device cpu t.txt stream.txt
echo '- it goes on from a state, from parts and shards as in one piece'
head -n 30 stream.txt >first.txt
ran sigrep -p zmatch -t 0 --state state t.txt first.txt
tail -n +31 stream.txt >>first.txt
ran sigrep -p zmatch -t 0 --state state t.txt first.txt
ran sigrep -p zmatch -t 0 --range 20-60 t.txt stream.txt
sigrep-shards --size 100 -p zmatch -t 0 t.txt stream.txt >plan
sh plan >results
ran sigrep-shards --merge results
echo '- what it does not do is said'
exec 2>&1
ran sigrep -p zmatch t.txt stream.txt
ran sigrep -p zmatch=10 -t 0 t.txt stream.txt
ran sigrep -p zmatch+diff -t 0 t.txt stream.txt
ran sigrep -p zmatch -t 0 -g 1.5,2 t.txt stream.txt
ran sigrep -p zmatch -t 0 --kernel scalar t.txt stream.txt
yes 5 | head -n 8 >flat.txt
ran sigrep -p zmatch -t 0 flat.txt stream.txt
paste -d, t.txt t.txt >two.csv
ran sigrep -p zmatch -t 0 two.csv two.csv
ran sigrep-train -p zmatch -o x.sigrep t.txt
