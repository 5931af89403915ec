# -q --range: a match in one input ends the skipping in another, silently.
. "$SRC/tests/cli/signals"
lines 0 0 0 0 0 0 >t.txt
yes 9 | head -n 2500000 | gzip -1 >slow.txt.gz
head -c 8000200 /dev/zero | gzip -1 >fast.f32.gz
for _ in 1 2 3; do
    ran sigrep -q -j 2 -t 0 --range 2000000-2000050 t.txt slow.txt.gz fast.f32.gz
done
