# Raw samples without -f are read as f32 with a warning; absurd values are reported with -f, too.
. "$SRC/tests/cli/signals"
bytes 0 0 0 0 0 0 128 62 0 0 0 63 0 0 128 62 0 0 0 0 >t.f32
{ bytes 0 0 128 63; cat t.f32; bytes 0 0 128 63; } >samples
echo "- a guess is reported, of a file, a pipe and a template; the status is none of an error's"
ran sigrep -t 0.001 t.f32 samples 2>&1
cat samples | ran sigrep -t 0.001 t.f32 2>&1
ran sigrep -c -t 0.001 samples@1-6 samples 2>&1
ran sigrep -q -t 0.001 t.f32 samples 2>&1
echo "- -f f32 says that it is"
ran sigrep -f f32 -t 0.001 t.f32 samples 2>&1
cat samples | ran sigrep -f f32 -t 0.001 t.f32 2>&1
echo "- a user's recording of 16 bits, read as something else"
wav=$SRC/examples/audio/multiple_keywords_es.wav
tail -c +45 "$wav" >speech
lines 0 0.25 0.5 0.25 0 >t.txt
for f in s16 f32 f32be f64; do
    echo "read as $f"
    sigrep -f $f -c -t 0.001 t.txt speech 2>&1 | sort | tee file
    cat speech | sigrep -f $f -c -t 0.001 t.txt 2>&1 | sed 's/(standard input)/speech/' | sort | diff file -
    { dd bs=7 count=9000 2>/dev/null; cat; } <speech | sigrep -f $f -c -t 0.001 t.txt 2>&1 |
        sed 's/(standard input)/speech/' | sort | diff file -
done
echo "- gaps in a good recording are not absurd"
{ cat samples samples samples; bytes 0 0 192 127 0 0 128 127; } >gaps
ran sigrep -f f32 -c -t 0.001 t.f32 gaps 2>&1
