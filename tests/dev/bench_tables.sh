# dev/bench/tables with a sigrep-bench that is made up, into a document.
[ -z "${SAN-}" ] || { echo "SKIP a script alone: nothing of it is sanitized"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP python3 is not installed"; exit 77; }
echo '#!/bin/sh' >bench
cat >>bench <<'END'
# The bench's answers: a row for each kernel, and what it was asked in `asked`.
echo "$*" >>asked
rows() { # part, m, K, templates, n, threads
    for kernel in papers avx512 avx2; do
        printf '%s{"kernel":"%s","m":%s,"dim":%s,"templates":%s,"n":%s,"threads":%s,' \
            "$comma" "$kernel" "$1" "$2" "$3" "$4" "$5"
        printf '"gcups_median":%s,"ceiling_share":0.5,"times_papers":7}' "$1"
        comma=,
    done
}
comma=
printf '{"machine":{"cpu":"Z80","cores":1,"clock_ghz":0.0035,"compiler":"cc","flags":"-O2"},"kernels":['
case $* in
*--chunk*) rows "${*##* }" 1 1 1048576 1 ;;
*'-j 1,2'*) rows 128 1 1 4194304 1; rows 128 1 1 4194304 2 ;;
*-k\ 13*) rows 100 13 1 1048576 1; rows 100 40 1 1048576 1 ;;
*growth*) printf '],"growth":['; rows 512 1 1 4096 1; rows 512 1 1 1048576 1; rows 512 1 16 1048576 1 ;;
*) rows 16 1 1 1048576 1; rows 1024 1 1 1048576 1 ;;
esac
echo ']}'
END
chmod +x bench
export BENCH="$PWD/bench" REPEAT=1
undated() { sed 's/^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9];/DATE;/'; }
printf '%s\n' before '<!-- z80: begin -->' old '<!-- z80: end -->' after >whole.md
cp whole.md failed.md
grep -v end whole.md >endless.md
"$SRC/dev/bench/tables" --into whole.md --part z80 && undated <whole.md
echo "- what it asked"
cat asked
echo "- one kernel, printed"
KERNELS=avx2 "$SRC/dev/bench/tables" | sed -n '/^| input/,/^| recording/p'
echo "- a bench that fails"
BENCH=false "$SRC/dev/bench/tables" --into failed.md --part z80 2>&1 | sed 's/\[.*\]/[...]/'
wc -l <failed.md

# Regression: tables_that_ate_the_rest_of_a_document. It has no end mark.
"$SRC/dev/bench/tables" --into endless.md --part z80 2>&1
echo "status $?"
tail -n 1 endless.md
"$SRC/dev/bench/tables" --into nosuch.md 2>&1
echo "status $?"
