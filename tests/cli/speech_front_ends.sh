# A sound of half a second in noise, twice: louder, and slower. Where it is found, to 50 ms
# (it fades in and out); scores depend on the machine's FFT.
. "$SRC/tests/cli/signals"
awk '
function noise() { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 1073741824 - 1 }
function word(n, loud, file,    t, part, sweep) {
    for (t = 0; t < n; t++) {
        part = t / n
        phase += 0.15 + 1.2 * part + 0.5 * sin(12 * part)
        print loud * sin(phase) * sin(3.14159 * part) + noise() / 200 >file
    }
}
function hush(n, file) { while (n-- > 0) print noise() / 200 >file }
BEGIN {
    seed = 1
    word(4000, 0.5, "word")
    hush(8000, "talk"); word(4000, 0.7, "talk"); hush(7000, "talk")
    word(5000, 0.5, "talk"); hush(6000, "talk")
}'
for front_end in logmel=20 mfcc bandpass=50-3900+mfcc; do
    echo "$front_end"
    sigrep -r 8000 -p "$front_end" -b 2 -o csv word talk >found
    awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        start = $at["start"] * 8000; end = $at["end"] * 8000; known = 0
        for (i = 1; i <= 2; i++) {
            from = i == 1 ? 8000 : 19000; to = i == 1 ? 12000 : 24000
            if (start >= from - 400 && start <= from + 400 && end >= to - 400 && end <= to + 400)
                known = i
        }
        print known ? "found " known : "found " start " to " end
    }' found | sort
done
