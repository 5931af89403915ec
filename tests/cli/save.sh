# --save: each match becomes a file, with what came before and after it.
. "$SRC/tests/cli/signals"
hill >bell.txt
stream >door.txt
echo '- a log: the files are parts of it, with its header'
{
    printf '# written by a sensor\ntime;level;note\n'
    awk '{ printf "2026-11-25T12:00:%02dZ; %s;ok\r\n", NR, $1 }' door.txt
} >log.csv
ran sigrep --time-column 1 --columns 2 -T clock -t 0.1 --save seen -B 2 -A 1 bell.txt log.csv
for file in seen/*; do
    echo "$file"
    tr '\r' '$' <"$file"
done
ran sigrep --time-column 1 --columns 2 -T clock -t 0.1 bell.txt seen/*12.000Z.csv
echo '- sound: each file holds its match, whatever brings the samples'
wav 10 1 9000 9000 9000 0 1000 3000 1000 0 9000 9000 9000 0 1000 3000 3000 1000 0 9000 9000 >door.wav
wav 10 1 0 1000 3000 1000 0 >bell.wav
ran sigrep -p raw -t 0 --save rings -C 0.2 bell.wav door.wav
dd bs=1 if=door.wav 2>/dev/null | sigrep -p raw -t 0 --chunk 1 --save rings -C 0.2 bell.wav
tail -c +45 door.wav | sigrep -p raw -f s16 -r 10 -t 0 --save rings -C 0.2 bell.wav
ls rings
for start in 0.300 1.100; do
    cmp rings/door_bell_$start.wav rings/standard_input_bell_$start.wav
    cmp rings/door_bell_$start.wav rings/standard_input_bell_$start-2.wav
    od -A n -t d2 -j 44 rings/door_bell_$start.wav
done
ran sigrep -p raw -t 0 bell.wav rings/door_*.wav
echo '- two channels: both, whichever is searched'
wav 10 2 9000 9 0 0 1000 0 3000 0 1000 0 0 0 9000 9 >two.wav
wav 10 2 0 0 1000 0 3000 0 1000 0 0 0 >ring2.wav
for channel in 1 mix each; do
    sigrep -p raw -t 0 --channel $channel --save two.$channel ring2.wav two.wav
    od -A n -t u2 -j 22 -N 2 two.$channel/*
    od -A n -t d2 -j 44 two.$channel/*
done
sigrep -p raw -t 0 -j 2 --save two.threads ring2.wav two.wav
cmp two.mix/* two.threads/*
echo '- the width of the input: the bytes of a clip are those of the input'
# kind_and_bits WAV: 1 (integers) or 3 (floats), and the bits of each.
kind_and_bits() {
    od -A n -t u2 -j 20 -N 16 "$1" | awk '{ print $1, $8 }'
}
lines 0 0.5 0.25 0.75 0 >hill.txt
bytes 128 192 160 224 128 >u8
bytes 0 0 0 0 0 64 0 0 32 0 0 96 0 0 0 >s24
bytes 0 0 0 0 0 0 0 64 0 0 0 32 0 0 0 96 0 0 0 0 >s32
bytes 0 0 0 0 0 0 0 63 0 0 128 62 0 0 64 63 0 0 0 0 >f32
bytes 0 0 0 0 0 0 0 0 0 0 0 0 0 0 224 63 0 0 0 0 0 0 208 63 0 0 0 0 0 0 232 63 0 0 0 0 0 0 0 0 >f64
for format in u8 s24 s32 f32 f64; do
    header=44
    case $format in f*) header=58 ;; esac
    sigrep -q -f $format -r 10 -t 0 --save width hill.txt $format
    clip=width/${format}_hill_0.000.wav
    echo "$format $(kind_and_bits "$clip")"
    tail -c +$((header + 1)) "$clip" | cmp -n "$(wc -c <$format)" - $format
done
for input in words/take_1.flac whale/humpback.ogg; do # integers; floats by nature
    sigrep -q -b 1 --save width take=$SRC/examples/$input@0.3-0.5 $SRC/examples/$input
    set -- width/*_take_*
    kind_and_bits "$1"
    rm "$1"
done
echo '- an earlier end of the search (-m), an end of the input, a gap'
for m in 1 2 9; do
    { cat door.txt; lines bad; lines 7 7; } |
        sigrep -r 10 --skip-bad -t 0.1 -m $m --save end.$m -A 5 bell.txt 2>/dev/null
    for file in end.$m/*; do tr '\n' ' ' <"$file"; echo; done
done
# -q saves all that follows, too, over more than one read.
{ lines 0 1 3 1 0; yes 9 | head -n 300000; } | sigrep -q -t 0 --save quiet -A 200000 bell.txt
cat quiet/* | wc -l
echo '- samples that bridge a gap have no line'
lines t,x 0,9 1,0 2,1 3,3 10,3 11,1 12,0 13,9 14,9 15,9 16,9 17,9 18,9 19,9 20,9 >jump.csv
ran sigrep --time-column t --fill 10 -g 0.5,3 -t 0 --save bridged -C 1 bell.txt jump.csv
cat bridged/*
echo '- the best, which are known at the end; files that are there stay'
sigrep -r 10 -b 1 --save best -C 0.1 bell.txt door.txt
sigrep -r 10 -b 1 --save best -C 0.1 bell.txt door.txt
ls best
echo '- a command runs when its file is there'
sigrep -r 10 -t 0.1 --save run -A 0.3 --exec 'echo "$SIGREP_SAVED: $(wc -l <"$SIGREP_SAVED")"' \
    bell.txt door.txt 2>said >/dev/null
cat said
echo '- no name leads out of the folder'
sigrep -q -t 0.1 --save safe -e ..=bell.txt ./door.txt
sigrep -q -t 0.1 --save safe -e .=bell.txt - <door.txt
cp door.txt './-rf *.$(x)'
sigrep -q -t 0.1 --save safe -e "$(printf 'a\n\033[2Jb')=bell.txt" './-rf *.$(x)'
find safe -type f | sort
echo '- what cannot be written is an error; the search goes on'
ran sigrep -t 0.1 --save door.txt bell.txt door.txt 2>&1
ran sigrep -t 0.1 --save no/such bell.txt door.txt 2>&1
mkfifo fifo out
sigrep -t 0.1 --save gone --exec 'echo "saved: ${SIGREP_SAVED-nothing}"' bell.txt <fifo >out 2>err &
exec 3>fifo 4<out
lines 0 1 3 1 0 9 9 9 9 9 9 9 9 9 9 9 >&3
read -r line <&4
echo "$line"
rm -r gone
for _ in 2 3 4; do lines 0 1 3 1 0 9 9 9 9 9 9 9 9 9 9 9 >&3; done
exec 3>&-
cat <&4
wait $!
echo "status $?"
sort err
ran sigrep -t 0.1 -A 1 bell.txt door.txt 2>&1
ran sigrep -t 0.1 --save x -C -1 bell.txt door.txt 2>&1
