# Raw formats, both byte orders, beside templates in another format.
. "$SRC/tests/cli/signals"
lines 0 0.25 0.5 0.25 0 >t.txt
bytes 0 0 0 0 0 0 128 62 0 0 0 63 0 0 128 62 0 0 0 0 >t.f32
s16 32000 0 8192 16384 8192 0 32000 32000 >s.s16le
bytes 127 0 0 0 32 0 64 0 32 0 0 0 127 0 >s.s16be
bytes 0 0 127 0 0 0 0 0 32 0 0 64 0 0 32 0 0 0 0 0 127 >s.s24le
bytes 127 0 0 0 0 0 32 0 0 64 0 0 32 0 0 0 0 0 127 0 0 >s.s24be
bytes 250 128 160 192 160 128 250 >s.u8
bytes 0 0 0 127 0 0 0 0 0 0 0 32 0 0 0 64 0 0 0 32 0 0 0 0 0 0 0 127 >s.s32
{
    bytes 0 0 128 63
    cat t.f32
    bytes 0 0 128 63
} >s.f32
{
    bytes 0 0 0 0 0 0 240 63 0 0 0 0 0 0 0 0 0 0 0 0 0 0 208 63 0 0 0 0 0 0 224 63
    bytes 0 0 0 0 0 0 208 63 0 0 0 0 0 0 0 0 0 0 0 0 0 0 240 63
} >s.f64
for format in s16 s16le s16be s24 s24be u8 s32 f32 f64; do
    for t in t.txt t.f32; do
        file=s.$format
        [ -e "$file" ] || file=s.${format}le
        echo "$format $t $(sigrep -f $format -t 0.001 $t "$file" 2>&1)"
    done
done
sigrep -t 0.001 t.txt s.f32 2>&1
sigrep -f f32 -t 0.001 t.txt <s.f32
sigrep -f s16 -t 0.001 s.s16le s.s16le
printf '0.9\n0\n0.25\n0.5\n0.25\n0\n' | sigrep -f text -t 0.001 t.f32
echo "- a_raw_template_that_begins_like_text is of the format of -f"
s16 2609 0 8192 16384 8192 0 >t.s16 # 2609: "1" and a line's end
s16 32000 2609 0 8192 16384 8192 0 32000 >begins.s16
sigrep -f s16 -t 0.001 t.s16 begins.s16
echo "- a_text_template_with_a_letter_of_latin_1 is text all the same"
{ lines 0 0.25 0.5; printf '# Ger\344t\n'; lines 0.25 0; } >latin.txt
sigrep -f s16 -t 0.001 latin.txt s.s16le
echo "- a_raw_template_that_begins_like_mp3 is of the format of -f"
s16 -1025 144 8192 16384 8192 0 >like_mp3.s16 # ff fb 90 00: a frame of 128 kbit/s
s16 32000 -1025 144 8192 16384 8192 0 32000 >begins.s16
sigrep -f s16 -t 0.001 like_mp3.s16 begins.s16
