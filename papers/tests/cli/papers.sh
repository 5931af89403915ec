# sigrep-papers on one core, on sizes too small to measure speed: both outputs, each wrong option.
if [ "${SAN-}" = thread ]; then
    echo "SKIP it measures for minutes under ThreadSanitizer"
    exit 77
fi
. "$SRC/tests/dev/bench_json"
papers() {
    echo "- $*"
    sigrep-papers --repeat 2 --lap 0.001 "$@" >printed
    echo "status $?"
}

# All algorithms have one result, of strings at least.
papers -o json -n 300 -m 1,7,40
keys
sed -n 's/.*"algorithm":"\([a-z]*\)","of":"strings","m":\([0-9]*\),.*"result":\([0-9.]*\).*/\1 \2 \3/p' printed
grep -c '"of":"signals"' printed
valid

papers -d cpu --frames 99 --lengths=8
sed -n 's/^| \([a-z]*\) *| \(strings\|signals\) *| *8 |.*/\1 \2/p' printed

sigrep-papers --help | sed -n 1p
for arguments in '--nosuch' 'operand' '-m 0' '-m x' '-n 0' '--repeat 102' '--lap 0' '-o xml' '-d tpu' '--device'; do
    echo "- $arguments"
    # shellcheck disable=SC2086 # cut into words
    sigrep-papers --repeat 1 --lap 0.001 $arguments 2>printed >/dev/null
    echo "status $?"
    cat printed
done
