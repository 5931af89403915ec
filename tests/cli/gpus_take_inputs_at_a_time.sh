# Inputs at a time, each on the next GPU: the bytes of one input after the other.
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=t.s16 bs=2 skip=100000 count=128 2>/dev/null
head -c 200000 "$ecg" >y.s16
sigrep -f s16 -t 0.046 t.s16 y.s16 t.s16 y.s16 >want
FAKE_CUDA=2 sigrep-fake-gpu -d cuda:all -j 3 -f s16 -t 0.046 t.s16 y.s16 t.s16 y.s16 | cmp - want
wc -l <want
