# Selection tables of Raven and label tracks of Audacity, out and in.
. "$SRC/tests/cli/signals"
wav 1000 1 9 9 9 0 1000 3000 1000 0 9 9 9 5000 9 7000 9 9 0 1000 3000 1000 0 9 9 >r.wav
sigrep='sigrep -p raw -t 0.001'

# Out, with the band of the template if a table gives one.
tab=$(printf '\t')
tr , "$tab" <<'END' >table.txt
Selection,View,Channel,Begin Time (s),End Time (s),Low Freq (Hz),High Freq (Hz),Annotation
1,Waveform 1,1,0.003,0.008,50,400.5,hill
1,Spectrogram 1,1,0.003,0.008,50,400.5,hill
7,Spectrogram 1,1,0.011,0.014,0,500,
END
$sigrep -o raven -e r.wav@table.txt:1 r.wav | tee out.txt
ran $sigrep -o raven --channel 1 r.wav@0.003-0.008 r.wav
ran $sigrep -o raven -e r.wav@table.txt r.wav r.wav 2>&1
ran $sigrep -o raven --output-dir d -e r.wav@table.txt r.wav
cat d/r.wav.selections.txt
# The numbers go on over runs.
ran $sigrep -o raven --state s --duration 0.015 r.wav@0.003-0.008 r.wav >all
ran $sigrep -o raven --state s r.wav@0.003-0.008 r.wav >>all
grep -v '^[$s]' all

echo '- In: all, one, those of a label, under another label; what was written is read.'
for t in @table.txt @table.txt:7 @table.txt:hill @out.txt:2; do
    ran $sigrep -e "r.wav$t" r.wav 2>&1
done
ran $sigrep other=r.wav@table.txt:1 r.wav
for t in r.wav@table.txt new=r.wav@table.txt; do
    ran sigrep-train -p raw -t 1 -o b.sigrep "$t"
done
ran sigrep-train -p raw -t 1 -l rest -o b.sigrep r.wav@table.txt
echo '- Names with : and @, an empty line, a band upside down.'
printf 'Selection\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies\n' >a:b@c.txt
printf '1\t0.003\t0.008\t400\t50\tup:hill@9\n\n' >>a:b@c.txt
for t in @a:b@c.txt @a:b@c.txt:1 @a:b@c.txt:up:hill@9; do
    ran $sigrep -o raven -e "r.wav$t" r.wav
done
echo '- A table of several sounds.'
tr , "$tab" <<'END' >several.txt
Selection,Begin Time (s),End Time (s),Begin File,File Offset (s),Label
1,0.003,0.008,other.wav,0.003,no
2,60.003,60.008,r.wav,0.003,yes
END
ran $sigrep -e r.wav@several.txt r.wav
echo '- A label track, with the byte order mark and ends of lines that some programs write.'
printf '\357\273\2770.003\t0.008\thill\r\n\\\t100\t200\r\n\r\n0.002\t0.002\tpoint\r\n\\\t1\t2\r\n0.011\t0.014\t\r\n' >track.txt
for t in @track.txt @track.txt:3 @track.txt:hill; do
    ran $sigrep -o raven -e "r.wav$t" r.wav 2>&1
done
echo '- A time column of dates: labels count from its first one.'
printf 't,x\n' >t.csv
for i in 10 11 12 13 14 15 16 17 18 19; do echo "2026-01-01T00:00:$i,$((i % 4 * i))"; done >>t.csv
printf '2\t6\tx\n' >t.txt
ran sigrep -t 0 --time-column t t.csv@t.txt t.csv

echo '- A shard of a table that has changed since the plan.'
printf '0.003\t0.008\thill\n' >moved.txt
sigrep-shards --size 1 -p raw -t 0.001 -e r.wav@moved.txt r.wav >plan
sh plan >result
ran sigrep-shards --merge result
printf '0.003\t0.008\tvalley\n' >moved.txt
sh plan 2>&1

echo '- Refused.'
printf '0.003\t0.002\tx\n' >order.txt
printf '0.003\t0.008\tx\n0.003\t0.9\tlong\n' >long.txt
printf 'no table\n' >words.txt
printf '\0\0' >bytes.txt
: >empty.txt
printf 'Selection\tBegin Time (s)\n1\t2\n' >no_end.txt
printf 'Begin Time (s)\tEnd Time (s)\tFile Offset (s)\n1\t2\tx\n' >offset.txt
head -n 1 offset.txt >no_rows.txt
for t in @nix.txt @table.txt:2 @table.txt:Hill @track.txt:2 @order.txt @long.txt @words.txt \
    @bytes.txt @empty.txt @no_end.txt @no_rows.txt @offset.txt @several.txt:1 @track.txt@1-2 @table.txt:; do
    ran $sigrep -e "r.wav$t" r.wav 2>&1
done
printf '0.003\t0.008\t=x\n' >formula.txt
ran sigrep-train -p raw -t 1 -o b.sigrep r.wav@formula.txt 2>&1
ran $sigrep -o raven --shard-size 1 r.wav r.wav 2>&1
awk 'BEGIN { for (i = 0; i < 4097; i++) print "0.003\t0.008\tx" }' >many.txt
ran $sigrep -e r.wav@many.txt r.wav 2>&1
# A file of that name is a file.
cp r.wav r.wav@table.txt
ran $sigrep -c -e r.wav@table.txt r.wav
