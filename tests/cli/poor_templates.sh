# Templates that can be read but not used: too short, silent, clipped, or of a rate or channels that
# do not fit. Each has words of its own.
. "$SRC/tests/cli/signals"
# repeat N WORD...: the words N times
repeat() {
    repeat_n=$1
    shift
    while [ "$repeat_n" -gt 0 ]; do
        printf '%s ' "$@"
        repeat_n=$((repeat_n - 1))
    done
}
# shellcheck disable=SC2046 # words are samples
{
    wav 8000 1 0 900 -300 500 >4.wav
    wav 8000 1 900 >1.wav
    wav 8000 1 >0.wav
    wav 8000 1 $(repeat 35 0 900 -300 500) >140.wav
    wav 8000 1 $(repeat 35 0 900 -300 500) 7 >141.wav
    wav 8000 1 $(repeat 100 0 900 -300 500) >400.wav
    wav 8000 1 $(repeat 99 0 900 -300 500) $(repeat 300 0) >quiet_end.wav
    wav 8000 1 $(repeat 400 0) >silent.wav
    wav 8000 1 $(repeat 400 -7) >offset.wav
    wav 8000 2 $(repeat 200 1 0) >silent2.wav
    wav 8000 1 $(repeat 100 0 30000 -30000 500) >loud.wav
    wav 8000 1 $(repeat 100 0 32767 -32768 500) >clipped.wav
    wav 8000 1 $(repeat 200 32767 -32768) >square.wav
    wav 8000 1 $(repeat 9 32767 5) $(repeat 100 0 900 -300 500) >nine.wav
    wav 8000 1 $(repeat 10 32767 5) $(repeat 100 0 900 -300 500) >ten.wav
    wav 8000 2 $(repeat 100 0 900 -300 500) >stereo.wav
    wav 10 1 0 900 -300 500 >slow.wav
}
# au_floats BYTE...: an AU file of big-endian float32 at 8000 Hz.
au_floats() {
    printf .snd
    bytes 0 0 0 24 255 255 255 255 0 0 0 6 0 0 31 64 0 0 0 1 "$@"
}
# shellcheck disable=SC2046 # words are bytes
{
    au_floats $(repeat 200 64 0 0 0 190 0 0 0) >above.au    # 2, -0.125
    au_floats $(repeat 200 63 128 0 0 190 0 0 0) >at_one.au # 1, -0.125
}
lines 3 3 3 3 >flat.txt
echo "- too short for mfcc"
for t in 0.wav 1.wav 4.wav 140.wav 141.wav 400.wav@0-0.02 400.wav@0.02-0.03 400.wav@0-0.0275 \
    400.wav@0.01-0.0375 400.wav@0.0225-0.05 400.wav@0-0.00001; do
    ran sigrep -c -t 0 "$t" 400.wav 2>&1
done
echo "- for others"
ran sigrep -p logmel -t 0 140.wav 400.wav 2>&1
ran sigrep -c -p logmel -t 0 141.wav 400.wav 2>&1
ran sigrep -p raw -t 0 1.wav 400.wav 2>&1
ran sigrep -c -p raw -t 0 400.wav@0-0.0002 4.wav 2>&1
ran sigrep -p raw -t 0 400.wav@0-0.0001 4.wav 2>&1
ran sigrep -p envelope -t 0 4.wav 400.wav 2>&1
ran sigrep -p resample=1000 -t 0 4.wav 400.wav 2>&1
ran sigrep -p envelope=4 -t 0 flat.txt flat.txt 2>&1
echo "- silent"
for t in silent.wav offset.wav silent2.wav quiet_end.wav@0.06-0.08; do
    ran sigrep -c -t 1 "$t" 400.wav 2>&1
done
ran sigrep -p raw -t 1 silent.wav 400.wav 2>&1
ran sigrep -p logmel -t 1 silent.wav 400.wav 2>&1
ran sigrep --channel each -t 1 silent2.wav stereo.wav 2>&1
ran sigrep -c -t 0 quiet_end.wav quiet_end.wav 2>&1
echo "- numbers may be as flat as they like"
ran sigrep -c -t 0 flat.txt flat.txt 2>&1
echo "- clipped"
for t in loud.wav clipped.wav square.wav nine.wav ten.wav; do
    ran sigrep -c -t 0 "$t" "$t" 2>&1
done
ran sigrep -c -p raw -t 0 clipped.wav clipped.wav 2>&1
ran sigrep -c -t 0 ten.wav@0.005-0.05 ten.wav 2>&1
echo "- floats above full scale are not clipped"
ran sigrep -c -t 0 above.au above.au 2>&1
ran sigrep -c -t 0 at_one.au at_one.au 2>&1
echo "- rates and channels"
ran sigrep -p raw -t 0 -e 400.wav -e slow.wav 400.wav 2>&1
ran sigrep -t 0 slow.wav 400.wav 2>&1
ran sigrep -t 0 --channel each -e 400.wav -e stereo.wav 400.wav 2>&1
ran sigrep -t 0 --channel each 400.wav stereo.wav 2>&1
ran sigrep -t 0 --channel 2 400.wav stereo.wav 2>&1
