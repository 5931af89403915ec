# words and voices: another voice, bundles, threads, parts, states, silence, clipping, gaps, low rates.
if [ "${SAN-}" = thread ]; then
    echo "SKIP it takes minutes under ThreadSanitizer"
    exit 77
fi
digits=$SRC/tests/data/digits
. "$SRC/tests/cli/signals"
join() {
    for f in 1_george_0 7_george_4 3_george_3 7_george_5; do
        tail -c +45 "$digits/$f.wav"
    done >joined.raw
}
join
search() {
    sigrep -d cpu -p words -f s16 -r 8000 "$@"
}
seven=$digits/7_george_0.wav
echo "- found"
search -b 2 "seven=$seven" joined.raw | cut -f 1,2,4
sigrep -d cpu -p voices -f s16 -r 8000 -b 2 "seven=$seven" joined.raw | cut -f 1,2,4
echo "- the same by threads, chunks and from a pipe"
search -b 9 "seven=$seven" joined.raw >whole
for options in '-j 3' '--chunk 64' '-j 2 --chunk 300'; do
    # shellcheck disable=SC2086
    search -b 9 $options "seven=$seven" joined.raw | cmp - whole
done
search -b 9 "seven=$seven" - <joined.raw | cmp - whole
echo "- parts give what the whole gives"
search -t 11 "seven=$seven" joined.raw >all
wc -l <all
{
    search -t 11 --range 0-1.2 "seven=$seven" joined.raw
    search -t 11 --range 1.2-2.336375 "seven=$seven" joined.raw
} | cmp - all
echo "- a state goes on"
head -c 14000 joined.raw >first.raw
search --state s -t 11 "seven=$seven" first.raw >out
cp joined.raw first.raw
search --state s -t 11 "seven=$seven" first.raw >>out
sort -u out | cmp - all
echo "- a bundle"
sigrep-train -p words -o b.sigrep "seven=$seven" "seven=$digits/7_george_1.wav" | cut -f 1-3
sigrep --show b.sigrep | sed -n 1,4p
sigrep -d cpu -f s16 -r 8000 b.sigrep joined.raw 2>&1 | cut -f 1,2,4
echo "- silence, full scale"
head -c 64000 /dev/zero >silence.raw
ran search -q "seven=$seven" silence.raw
ran sigrep -q -d cpu -p voices -f s16 -r 8000 "seven=$seven" silence.raw
awk 'BEGIN { for (t = 0; t < 16000; t++) print t % 80 < 40 ? 1e30 : -1e30 }' >loud.txt
ran sigrep -q -d cpu -p words -r 8000 "seven=$seven" loud.txt
echo "- no match spans a gap"
awk 'BEGIN { for (t = 0; t < 16000; t++) print t == 8000 ? "nan" : t % 80 / 80 }' >gap.txt
ran sigrep -q -d cpu -p words -r 8000 -t 0.5 "seven=$seven" gap.txt 2>&1
echo "- a low rate"
ran sigrep -d cpu -p voices -f s16 -r 4000 -t 0.1 -q low=joined.raw@0.5-1.5 joined.raw 2>&1
for rate in 7599 7600; do
    ran sigrep -d cpu -p words -f s16 -r $rate -t 0.1 -q low=joined.raw@0.5-1.5 joined.raw 2>&1
done
for steps in resample=4000+words resample=8000+words; do
    ran sigrep -d cpu -p $steps -f s16 -r 8000 -t 0.1 -q low=joined.raw@0.5-1.5 joined.raw 2>&1
done
{
    head -c 24 "$seven"
    u32 4000
    u32 8000
    tail -c +33 "$seven"
} >low.wav
cp "$seven" seven.wav
ran sigrep -d cpu -p voices -t 0.1 -q low.wav seven.wav 2>&1
