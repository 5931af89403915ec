# Times from the names of files, and zones.
. "$SRC/tests/cli/signals"
exec 2>&1
wav 1000 1 9 9 9 0 1000 3000 1000 0 9 9 9 >t.wav
for name in 20260101_120000.WAV BAT_20260701_235959_999.wav 20260701T120000+1000_REC.wav \
    20260329_023000.wav 20261025_023000.wav; do
    cp t.wav "$name"
done
sigrep='sigrep -p raw -t 0.001'
template=t.wav@0.003-0.008
echo '- The times of names are printed as they are, of -T clock as UTC.'
ran $sigrep --file-time $template 2026*0.WAV BAT*.wav *REC.wav
ran $sigrep --file-time -T clock $template 20260101_120000.WAV
for format in json csv labels raven; do
    ran $sigrep --file-time -o $format $template 20260101_120000.WAV
done
echo '- In a zone.'
ran $sigrep --file-time --time-zone Europe/Berlin $template ./*.WAV BAT*.wav *REC.wav
ran $sigrep --file-time --time-zone America/St_Johns $template 20260101_120000.WAV
echo '- Hours that clocks skip, or show twice.'
ran $sigrep --file-time --time-zone Europe/Berlin $template 20260329_023000.wav
ran $sigrep --file-time --time-zone Europe/Berlin $template 20261025_023000.wav
ran $sigrep --file-time --time-zone Etc/GMT-1 $template 20260329_023000.wav 20261025_023000.wav
echo '- Names in UTC, which know no skipped hours; one with a zone keeps it.'
for zone in UTC Europe/Berlin; do
    ran $sigrep --file-time=utc --time-zone $zone $template 20260329_023000.wav \
        20261025_023000.wav ./*REC.wav
done
ran $sigrep --file-time=utc $template 20260101_120000.WAV
echo '- With ranges, threads, clips, commands, and runs that go on.'
ran $sigrep --file-time --range 0.002-0.011 $template BAT*.wav
ran $sigrep --file-time -j 3 $template ./*.WAV BAT*.wav *REC.wav
ran $sigrep --file-time --save clips --time-zone Asia/Tokyo \
    --exec 'echo "$SIGREP_START $TZ" >command' $template 20260101_120000.WAV
cat command; ls clips
ran $sigrep --file-time --state s --duration 0.006 $template 20260101_120000.WAV
ran $sigrep --file-time --state s $template 20260101_120000.WAV
ran $sigrep --state s $template 20260101_120000.WAV
ran $sigrep --file-time=utc --state s $template 20260101_120000.WAV
ran $sigrep --file-time --time-zone UTC --state s $template 20260101_120000.WAV

mkdir folder
cp t.wav BAT*.wav folder
ran $sigrep --file-time --recursive $template folder
sigrep-shards --size 1 -p raw -t 0.001 --file-time --time-zone UTC $template BAT*.wav >plan
sh plan >result
ran sigrep-shards --merge result
echo '- Refused.'
ran $sigrep --file-time $template t.wav 20260101_120000.WAV
ran $sigrep --file-time $template - <t.wav
ran $sigrep --file-time $template mic:
ran $sigrep --file-time -T seconds $template 20260101_120000.WAV
ran $sigrep --file-time --time-column 1 $template 20260101_120000.WAV
for zone in '' Nowhere/City ../etc/passwd CET-1CEST; do
    ran $sigrep --file-time --time-zone "$zone" $template 20260101_120000.WAV
done
ran $sigrep --time-zone UTC $template t.wav
ran $sigrep --file-time=local $template 20260101_120000.WAV
ran $sigrep --time-zone UTC --time-column 1 -T clock $template t.wav
ran $sigrep --time-zone UTC -T clock $template t.wav
