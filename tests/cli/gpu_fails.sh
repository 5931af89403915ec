# A GPU that fails, on a machine that is made up. It is an error if the GPU was asked for. Else the
# CPU takes over, which is reported once, and no match is lost.
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=t.s16 bs=2 skip=100000 count=128 2>/dev/null
search() {
    sigrep-fake-gpu -T samples -f s16 -t 0.046 --chunk 20000 "$@" t.s16 - <y.s16
    echo "exit $?"
}
head -c 200000 "$ecg" >y.s16
export FAKE_CUDA='2'
search -d cpu >want
echo "$(wc -l <want) lines"
for device in cuda cuda:1 cuda:all; do search -d $device | cmp - want; done
echo '-- no such GPU' >&2
search -d cuda:2
echo '-- lost on the way' >&2
FAKE_CUDA='2 launch 12' search -d cuda | tail -n 1
FAKE_CUDA='2 launch 12' search -d cuda:all | tail -n 1
echo '-- too little memory' >&2
FAKE_CUDA='2 cudaMalloc 0' search -d cuda
echo '-- the same under auto' >&2
pipe() {
    cat y.s16 | sigrep-fake-gpu -T samples -f s16 -t 0.046 --chunk 20000 "$@" t.s16 -
    echo "exit $?"
}
FAKE_CUDA='1 launch 12' pipe | cmp - want
FAKE_CUDA='1 cudaMalloc 0' pipe -d auto | cmp - want
FAKE_CUDA='1 launch 12' pipe -v 2>&1 >/dev/null | grep -c 'CPU is used' >&2
echo '-- neither GPU nor driver' >&2
FAKE_CUDA='0' pipe | cmp - want
FAKE_CUDA='0' search -d cuda:all
