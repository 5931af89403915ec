# sigrep-bench on GPUs that are made up, on sizes too small to measure speed: every part, both
# outputs. It compares each kernel's results with the scalar kernel's.
command -v sigrep-bench-fake-gpu >/dev/null || { echo "SKIP built without CUDA"; exit 77; }
export FAKE_CUDA=2
. "$SRC/tests/dev/bench_json"
bench() {
    echo "- $*"
    sigrep-bench-fake-gpu --repeat 2 --lap 0.001 --program "$(command -v sigrep-fake-gpu)" "$@" >printed
    echo "status $?"
}
# The fields that follow m in all rows of a table.
table() {
    sed -n "/^,*\"$1\":/,/\\]/s/.*\\(\"m\":.*\"$2\":[^,}]*\\).*/\\1/p" printed
}

bench -d cuda:1 -o json -n 70000 -m 8,33 -k 2
keys
valid
table gpus index
sed -n 's/.*"gpu":"\([^"]*\)","index":\([0-9]*\),.*/\1 \2/p' printed
for part in kernels frames live; do echo $part; table $part step; done
echo program
sed -n 's/.*\("input".*"n":[0-9]*\),.*/\1/p' printed

bench -d cuda --parts kernels,live --kernel cuda --templates 1,2 -m 5 -n 700 --chunk 200
sed -n 's/^| \(cuda\) *| \([a-z]*\) *|\([0-9 |]*|\).*/\1 \2 \3/p' printed | tr -s ' '

# Regression: frames_of_one_value_lacked_a_column. All rows have the head's columns.
bench -d cuda --parts frames -k 1,3 -m 5 -n 300
awk -F '|' '/^\|/ { print NF - 2, "columns" }' printed | tail -n 4

# Regression: streams_shorter_than_a_chunk_were_not_measured.
for chunk in '' '--chunk 300'; do
    # shellcheck disable=SC2086 # cut into words
    bench -d cuda --parts live -m 5 -n 100 $chunk
    sed -n 's/^| \(cuda\) *| \([a-z]*\) *|\([0-9 |]*|\).*/\1 \2 \3/p' printed | tr -s ' '
done

for arguments in '-d cuda:2' '-d cuda:all' '-d cuda --parts kernels,growth' '--parts live' '-d cuda --parts live --chunk 4194304' '-d cuda --kernel scalar' '-d cuda --program ./nosuch --parts program -m 5 -n 99'; do
    # shellcheck disable=SC2086 # cut into words
    bench $arguments 2>&1
done
FAKE_CUDA='1 launch 30' bench -d cuda --parts kernels -m 5 -n 700 2>&1
FAKE_CUDA='1 cudaMalloc 1' bench -d cuda --parts live -m 5 -n 700 2>&1
FAKE_CUDA=0 bench -d cuda 2>&1
wc -c <printed
