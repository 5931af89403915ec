# sigrep-bench on sizes too small to measure speed: every part, every option, both outputs. Before it
# measures, it compares each kernel's results with the papers' loop.
if [ "${SAN-}" = thread ]; then
    echo "SKIP it measures for minutes under ThreadSanitizer"
    exit 77
fi
. "$SRC/tests/dev/bench_json"
bench() {
    echo "- $*"
    sigrep-bench --repeat 2 --lap 0.001 --ecg "$SRC/examples/ecg/100.dat" "$@" >printed
    echo "status $?"
}
# How many rows have this kernel.
rows() {
    grep -c "\"kernel\":\"$1\"" printed
}

bench -n 2000 -m 8,33 -j 1,2 --templates 1,2 --kernel scalar,portable
grep -c '^| papers ' printed
grep -c '^| scalar .* 33 .* 2 .* 2000 ' printed
sed -n 's/^| \(portable\|scalar\) *| \(ecg\|file\|periodic\|pipe\) .*/\1 \2/p' printed
grep -c '^Kernels' printed

bench -o json -n 2000 -m 8,33 -k 1,3 -d cpu --kernel portable
keys
rows papers
rows portable
valid

bench --output=json --frames 300 --chunk 7 --lengths=16 --dims=2 --threads=2 --device=auto --parts=kernels,growth
keys
grep -c '"m":16,"dim":2,"templates":1,"n":300,"threads":2' printed | sed 's/^0$/none/; s/^[0-9]*$/some/'
valid

ln -s "$(command -v sigrep)" other
bench --parts program --kernel portable --program ./other -o json -m 16 -n 3000
rows portable | sed 's/^[1-9][0-9]*$/some/'
valid

bench --parts matches -o json --kernel scalar -n 40000
sed -n 's/.*"stream":"\([a-z]*\)","m":\([0-9]*\),"n":40000,"matches":\([0-9]*\),.*/\1 \2 \3/p' printed

bench --parts pruning -o json --kernel scalar,portable -n 4000 -m 40
sed -n 's/.*"stream":"\([a-z]*\)","m":\([0-9]*\),"n":4000,"active_percent":\([0-9.]*\),.*/\1 \2 \3/p' printed | sort -u -k1,1 -k3,3n
valid

sigrep-bench --help | sed -n 1p
for arguments in '--nosuch' 'operand' '-m 0' '-m 1,' '-m x' '-k 4097' '-n 0' '-j 0' '--templates 0' '--chunk 0' \
    '--repeat 102' '--lap 0' '--lap x' '--parts kernels,x' '-o xml' '-d tpu' '--kernel nonsense' '--device' \
    '--program=' '--parts program --program ./nosuch -m 8 -n 99 -o json' '--parts matches --ecg nosuch -n 99'; do
    echo "- $arguments"
    # shellcheck disable=SC2086 # cut into words
    sigrep-bench --repeat 1 --lap 0.001 $arguments 2>printed >/dev/null
    echo "status $?"
    cat printed
done
