# Regression: spare_kernel_that_shared_the_threads_of_its_searches. The GPU is lost while searches on
# several threads ask it for columns. The CPU's kernel that took over waited for them for ever.
command -v sigrep-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
ecg=$SRC/examples/ecg/100.dat
dd if="$ecg" of=a.s16 bs=2 skip=100000 count=128 2>/dev/null
dd if="$ecg" of=b.s16 bs=2 skip=103000 count=128 2>/dev/null
head -c 100000 "$ecg" >y.s16
search() {
    cat y.s16 | timeout 60 sigrep-fake-gpu -T samples -f s16 -t 0.046 --chunk 10000 -j 2 "$@" -e a.s16 -e b.s16 -
}
FAKE_CUDA=1 search -d cpu >want
wc -l <want
for after in 15 20 25 30 40 50 60; do
    FAKE_CUDA="1 cudaSetDevice $after" search -d auto 2>printed | cmp - want
    cat printed
done
