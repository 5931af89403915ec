# Another front end by a pipe: frames of 16 floats, as templates, in a bundle, and as a stream
# (examples/features).
command -v python3 >/dev/null || { echo "SKIP no python3"; exit 77; }
. "$SRC/tests/cli/signals"
features() { python3 "$SRC/examples/features/features.py" "$1"; }
cp "$SRC"/tests/data/digits/*.wav .
for take in 0 1 2; do features 7_george_$take.wav >7_$take.f32; done
for take in 3_george_3 7_george_4 1_george_0 7_george_5; do
    tail -c +45 "$take.wav"
    head -c 3200 /dev/zero
done >said.raw
size=$(wc -c <said.raw)
{
    printf RIFF
    u32 $((36 + size))
    wav 8000 1 | tail -c +9 | head -c 32
    u32 "$size"
    cat said.raw
} >said.wav
search() { features said.wav | sigrep -f f32 --channels 16 -r 100 "$@"; }
echo "- a template, and the same word said again"
search -b 2 7_0.f32 | sort -n | cut -f 1,2
echo "- a bundle of three takes"
sigrep-train -f f32 --channels 16 -r 100 -o seven.sigrep 7_0.f32 7_1.f32 7_2.f32 | wc -l
search -b 2 seven.sigrep | sort -n | cut -f 1,2,4
echo "- frames of another size, or another front end, are not compared"
features said.wav >said.f32
ran sigrep -f f32 --channels 15 -r 100 -t 1 seven.sigrep said.f32 2>&1
ran sigrep -f f32 --channels 16 -r 100 -p diff -t 1 seven.sigrep said.f32 2>&1
ran sigrep -t 1 seven.sigrep 7_george_0.wav 2>&1
