# Audio as it comes: joined, tagged, with a wrong total, damaged. The bugs: parts of it were dropped
# without a word, or it was taken for raw f32.
. "$SRC/tests/cli/signals"
word=$SRC/examples/words/take_3.flac
once="$word -t 3 -p mfcc"
found() {
    # shellcheck disable=SC2086 # options
    ran sigrep $once "$@" 2>&1 | sed 's/take_3.flac.*-p mfcc/WORD/'
}
echo "- FLAC: joined, tagged, with half of its total, or with none"
cat "$word" "$word" >joined.flac
{ printf 'ID3\3\0\0\0\0\0\12\0\0\0\0\0\0\0\0\0\0'; cat "$word"; } >tagged.flac
{ head -c 21 "$word"; bytes 160 0 0 64 0; tail -c +27 "$word"; } >quarter.flac
{ head -c 21 "$word"; bytes 160 0 0 0 0; tail -c +27 "$word"; } >unknown.flac
for f in joined tagged quarter unknown; do found $f.flac; done
cat joined.flac | found
echo "- damaged in the first of two"
{ head -c 8000 "$word"; head -c 4096 /dev/zero; tail -c +12097 "$word"; cat "$word"; } >damaged.flac
found damaged.flac
echo "- other kinds in mid-stream: no numbers"
chain() { # head, bytes of a frame
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        # shellcheck disable=SC2059 # the head has escapes
        printf "$1"
        head -c $(($2 - $3)) /dev/zero | tr '\0' "\\$((200 + i))"
    done
}
hill >t.txt
chain '\377\361\120\200\056\177\374' 371 7 | tail -c +100 >radio.aac
chain '\013\167\022\064\024\100' 768 6 | tail -c +100 >x.ac3
chain '\107\101\000\020\000' 188 5 | tail -c +100 >x.ts
printf 'TTA1\1\0\1\0\20\0' >x.tta
for f in radio.aac x.ac3 x.ts x.tta; do ran sigrep -t 0.1 t.txt $f 2>&1; done
mkdir memos
cp radio.aac memos
{ bytes 0 0 0 32; printf 'ftypM4A \0\0\0\0'; } >memos/memo.m4a
{ bytes 26 69 223 163 159 66 134 129; } >memos/a.webm
wav 8000 1 1 2 3 >memos/other.wav
ran sigrep --recursive -t 0.1 t.txt memos 2>&1
echo "- -f audio"
ran sigrep -f audio -c $once "$word" 2>&1 | tail -2
ran sigrep -f audio -t 0.1 t.txt t.txt 2>&1
echo "- raw s8, ulaw and alaw; BW64"
bytes 0 32 96 32 0 9 9 9 >s.s8
bytes 255 183 159 183 255 9 9 9 >s.ulaw
bytes 213 157 181 157 213 9 9 9 >s.alaw
for f in s8 ulaw alaw; do ran sigrep -b 1 -p raw t.txt s.$f -f $f 2>&1; done
{ printf 'BW64\377\377\377\377WAVEds64'; u32 28; u32 60; u32 0; u32 16; u32 0; u32 8; u32 0; u32 0
    printf 'fmt '; u32 16; s16 1 1; u32 8000; u32 16000; s16 2 16
    printf 'data\377\377\377\377'; s16 0 8192 24576 8192 0 0 0 0; } >bw64.wav
ran sigrep -b 1 -p raw -r 8000 t.txt bw64.wav 2>&1
echo "- channels that cancel each other"
wav 8000 2 0 0 8192 -8192 24576 -24576 8192 -8192 0 0 >anti.wav
ran sigrep -t 0.1 -p raw -r 8000 t.txt anti.wav 2>&1
ran sigrep -b 1 -p raw -r 8000 --channel 1 t.txt anti.wav 2>&1
echo "- MS ADPCM: the same for every chunk and -j"
{
    coefficients='256 0 512 -256 0 0 192 64 240 0 460 -208 392 -232'
    printf 'RIFF'; u32 196690; printf 'WAVEfmt '; u32 50
    # shellcheck disable=SC2086 # numbers
    { s16 2 1; u32 11025; u32 5644; s16 256 4 32 500 7 $coefficients; }
    printf fact; u32 4; u32 384000; printf data; u32 196608
    { bytes 0; s16 16 0 0; i=0; while [ $i -lt 249 ]; do bytes $((i * 37 % 256)); i=$((i + 1)); done; } >block
    for i in 1 2 3 4 5 6 7 8; do cat block block block block block block block block; done >blocks
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat blocks; done
} >adpcm.wav
for options in '' '--chunk 4096' '-j 2'; do
    # shellcheck disable=SC2086 # options
    ran sigrep $options -c -p raw -t 0 -r 11025 t.txt adpcm.wav 2>&1
done
echo "- digital silence matches no hum"
awk 'BEGIN { for (i = 0; i < 9600; i++) print 0.2 * sin(i * 0.0235619449) }' >hum.txt
zeros() { awk 'BEGIN { for (i = 0; i < 80000; i++) print 0 }'; }
{ zeros; cat hum.txt; zeros; } >stream.txt
for p in mfcc speech; do ran sigrep -c -p $p -r 16000 hum.txt stream.txt 2>&1; done
