# Regression: the columns of a long template lie far apart, and the first step was as many frames,
# even if --chunk left less room. The heap was overwritten, and matches were missed.
. "$SRC/tests/cli/signals"
awk 'BEGIN { x = 1; for (i = 0; i < 14000; i++) { x = (x * 16807) % 2147483647; print x / 2147483647 } }' >s.txt
sed -n '3001,8000p' s.txt >t.txt
for kernel in scalar portable; do
    for chunk in 64 100 2000; do
        ran sigrep --kernel $kernel --chunk $chunk -t 0.1 t.txt s.txt
    done
done
