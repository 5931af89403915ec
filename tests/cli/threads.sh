# The output has the same bytes on one thread and on several, by every kernel. The input, 18
# minutes of heartbeats, comes from a file and from a pipe that gives it in pieces.
head -c 800000 "$SRC/examples/ecg/100.dat" >y.s16
dd if=y.s16 of=t.s16 bs=2 skip=100000 count=128 2>/dev/null
same() {
    cmp - want || echo "$* differs"
}
sigrep -T samples -f s16 -t 0.046 t.s16 y.s16 -j 1 >want
echo "$(wc -l <want) matches"
counts='1 2 3 7'
[ -z "${SAN-}" ] || counts='2 7'
for threads in $counts; do
    sigrep -T samples -f s16 -t 0.046 t.s16 y.s16 -j $threads | same file, $threads
    cat y.s16 | sigrep -T samples -f s16 -t 0.046 t.s16 - -j $threads | same pipe, $threads
    # Pieces that end within samples, with pauses.
    (head -c 500001 && sleep 0.02 && head -c 77777 && sleep 0.02 && cat) <y.s16 |
        sigrep -T samples -f s16 -t 0.046 t.s16 - -j $threads | same pieces, $threads
done
sigrep --kernel nonsense -t 1 t.s16 2>&1 | sed 's/.*(//; s/)$//; s/,//g' | tr ' ' '\n' >names
while read -r name; do
    sigrep --kernel "$name" -T samples -f s16 -t 0.046 t.s16 y.s16 -j 2 >got 2>printed
    grep -q 'cannot run it' printed || same kernel "$name" <got
done <names
