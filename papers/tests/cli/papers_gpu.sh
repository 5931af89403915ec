# sigrep-papers on GPUs that are made up, on sizes too small to measure speed: both outputs. It
# compares each algorithm's results with the CPU's.
command -v sigrep-papers-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
export FAKE_CUDA=2
. "$SRC/tests/dev/bench_json"
papers() {
    echo "- $*"
    sigrep-papers-fake-gpu --repeat 2 --lap 0.001 "$@" >printed
    echo "status $?"
}

papers -d cuda:1 -o json -n 70000 -m 8,33
keys
valid
sed -n 's/.*"gpu":"\([^"]*\)","index":\([0-9]*\),.*/\1 \2/p' printed
echo papers
sed -n '/^,*"papers":/,/\]/s/.*\("m":.*"n":[^,}]*\).*/\1/p' printed
sed -n 's/.*"by":"\([a-zA-Z0-9 ]*\)".*/\1/p' printed | sort | uniq -c | tr -s ' '
sed -n 's/.*"algorithm":"\([a-z]*\)","claim":"\(.*\)","of":"\([a-z]*\)","m":\([0-9]*\),.*"result":\([0-9.]*\)}.*/\1 \2 \3 \4 \5/p' printed
sed -n 's/.*"minimum":"\([a-z]*\)","words":\([0-9]*\),.*/\1 \2/p' printed

papers -d cuda:1 -n 3000 -m 7,32 --repeat 1
sed -n 's/^| *\([0-9]*\) |\(.*|\)$/\1 \2/p' printed | tr -s ' 0-9.' ' x'

# Above m = 1024 are more rows than the papers' threads.
papers -d cuda -n 3000 -m 1024,1025 --repeat 1 -o json
sed -n 's/.*"by":"\(strings\|signals\)",\("d16_ms":[a-z0-9.]*\),.*/\1 \2/p; s/.*"algorithm":"\(blocks\)",.*"m":\([0-9]*\),.*/\1 \2/p' printed

papers -d cuda:2 2>&1
# Another result than the CPU's, and failures before and in each table.
for gpus in '1 instant' '1 papers 5' '1 papers 905' '1 papers 924' '1 papers 929' '1 papers 954'; do
    FAKE_CUDA=$gpus papers -d cuda -m 5 -n 700 2>&1
done
FAKE_CUDA=0 papers -d cuda 2>&1
wc -c <printed
