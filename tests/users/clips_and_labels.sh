# A tree of recordings gets labels and clips. Clips are found again, each half a second after its
# beginning. Two threads write what one writes.
mkdir -p rec/a rec/b
cp "$SRC"/examples/audio/multiple_keywords_es.wav rec/a/talk.wav
cp "$SRC"/examples/audio/multiple_keywords_es.wav rec/b/talk.wav
cp "$SRC"/examples/words/noise.flac rec/b
echo 'recorded in March' >rec/notes.txt
sigrep-train -p mfcc -t 3 -o apple.sigrep "$SRC"/examples/audio/manzana.wav@1.3-1.9 >trained

echo '- a text file is no recording, and -v says so'
sigrep -v --recursive -c apple.sigrep rec 2>&1 | grep -v Hz | grep notes
echo '- labels'
for j in 1 2; do
    sigrep -j $j --recursive -o labels --output-dir labels-$j apple.sigrep rec
done
diff -r labels-1 labels-2
(cd labels-1 && find . -type f | sort | while read -r file; do
    echo "$file: $(cat "$file")"
done)
echo '- again into the same folder: nothing is overwritten'
sigrep --recursive -o labels --output-dir labels-1 apple.sigrep rec 2>&1
echo "status $?"
echo '- clips; both recordings have the same name'
sigrep --recursive --save clips -C 0.5 apple.sigrep rec >matches
cut -f 1,2,4 matches
sigrep --recursive apple.sigrep clips | cut -f 1,2,4
echo '- which clip is of which recording'
sigrep --recursive --save listed --exec 'echo "$SIGREP_SAVED $SIGREP_FILE"' apple.sigrep rec 2>clips.txt >again
cat clips.txt
cmp matches again
echo '- packed recordings, from a pipe'
gzip rec/a/talk.wav
sigrep -H apple.sigrep rec/a/talk.wav.gz | cut -f 1,2,4
zcat rec/a/talk.wav.gz | sigrep -o json apple.sigrep | cut -d , -f 1-4
