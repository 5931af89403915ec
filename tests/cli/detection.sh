# What inputs and templates are taken for: the rules of the manual, INPUT FORMATS, in their order.
. "$SRC/tests/cli/signals"
hill >t.txt
stream >s.txt
wav 8000 1 0 100 300 100 0 >t.wav
bytes 0 0 0 0 0 0 128 62 0 0 0 63 0 0 128 62 0 0 0 0 >t.f32
s16 32000 0 8192 16384 8192 0 32000 32000 >s.s16

echo "- inputs: a header, whatever the name"
cp t.wav name.s16
cp t.wav name.txt
sigrep -c -p raw -t 0 t.wav name.s16 name.txt
echo "- a_first_line_of_latin_1 is text, in a file and from a pipe"
{ printf 'Zeit;Gr\366\337e [m\262]\n'; sed 's/^/0;/' s.txt; } >latin.csv
sigrep -t 0.1 --columns 2 t.txt latin.csv
cat latin.csv | sigrep -t 0.1 --columns 2 t.txt
{ printf '# Ger\344t, 20 \260C\r\n'; hill; } >latin.txt
sigrep -t 0.1 latin.txt t.txt
echo "- text and f32 whatever the name; a warning if the name is of another format"
cp s.txt s.u8
cp t.f32 x.f32
cp t.f32 x.f32be
sigrep -t 0.1 t.txt s.u8 2>&1
sigrep -c -t 0.001 t.f32 s.s16 x.f32 x.f32be 2>&1
echo "- and after the reason why it cannot be read"
for _ in $(seq 1100); do printf '12.5'; done >held.s16
sigrep -t 0.1 t.txt held.s16 2>&1
{ printf '\265V\n'; cat s.txt; printf '5\n'; } >uv.csv # too little of a line, and not of whole floats
sigrep -t 0.1 t.txt uv.csv 2>&1
for _ in $(seq 300); do bytes 51 51 179 65; done >held.f32
echo "- utf_16_is_an_error, not raw samples"
iconv -f UTF-8 -t UTF-16 s.txt >wide.csv
iconv -f UTF-8 -t UTF-16BE s.txt | { bytes 254 255; cat; } >wide.txt
sigrep -t 0.1 t.txt wide.csv wide.txt s.txt 2>&1
echo "exit $?"
sigrep -t 0.1 wide.csv s.txt 2>&1
echo "exit $?"
{ bytes 255 254; bytes 49 0 50 0 51 0 52 0 53 0; } >wide.s16 # -257 first
sigrep -f s16 -t 0 wide.s16 wide.s16 2>&1
echo "- held_floats_are_raw"
sigrep -c -t 0.001 t.f32 held.f32 2>&1
echo "- which -v reports"
for f in t.wav t.f32 t.txt x.f32be latin.csv; do
    sigrep -v -p raw -t 0 -m 1 $f $f 2>&1 | sed "/front end/d"
done
sigrep -v -t 9 -m 1 -f s16be t.f32 <s.s16 2>&1 | sed '/front end/d'
echo "- but for -f"
sigrep -t 0.001 -f s16 t.f32 s.s16 2>&1
sigrep -c -t 0.1 -f text t.txt s.u8

echo "- templates: a header, whatever the name and -f"
sigrep -r 8000 -p raw -f s16 -t 1 name.s16 s.s16
echo "- a_tiny_raw_template_of_printable_bytes is of the format of its name"
printf '12233445566778877665544332211223' >digits
{ s16 300; cat digits; s16 300 300 300; } >in.s16
cp digits digits.s16
cp digits digits.s16le
for f in auto text s16 s16be f32; do
    for t in digits.s16 digits.s16le; do
        echo "$f $(sigrep -f $f -t 0.001 $t in.s16 2>&1)"
    done
done
{ cat t.txt; echo; } >text.s16 # of an odd size
sigrep -t 0.1 text.s16 in.s16 2>&1
echo "- or text, whatever -f"
sigrep -f text -t 0.1 t.txt s.txt
sigrep -f u8 -t 0 t.txt t.txt
echo "- or of the format of -f"
s16 0 8192 16384 8192 0 >t.bin
sigrep -f s16 -t 0.001 t.bin s.s16
sigrep -f s16 -t 0.001 digits in.s16 2>&1 # text it could be
echo "- or f32"
cp t.f32 t.bin
sigrep -t 0.001 t.bin t.f32 2>&1
lines 0 0.25 0.5 0.25 0 >low.txt
sigrep -f text -t 0.001 t.bin low.txt 2>&1
