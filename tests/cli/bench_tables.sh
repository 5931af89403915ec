# tools/bench-tables with a sigrep-bench that is made up, into a document.
[ -z "${SAN-}" ] || { echo "SKIP a script alone: nothing of it is sanitized"; exit 77; }
echo '#!/bin/sh' >bench
cat >>bench <<'END'
printf 'machine\n\n| set |\n| --- |\n| avx2 |\n\nKernels:\n\n| kernel | m |\n| --- | --- |\n| papers | 1 |\n'
echo "| $4 | $* |" | sed 's/-d cpu --kernel //'
END
chmod +x bench
export BENCH="$PWD/bench" KERNELS=avx2 REPEAT=1
printf '%s\n' before '<!-- bench-tables: begin -->' old '<!-- bench-tables: end -->' after >whole.md
cp whole.md failed.md
grep -v end whole.md >endless.md
"$SRC/tools/bench-tables" --into "$PWD/whole.md" && cat whole.md
BENCH=false "$SRC/tools/bench-tables" --into "$PWD/failed.md"
echo "status $?, $(wc -l <failed.md) lines"

# Regression: tables_that_ate_the_rest_of_a_document. It has no end mark.
"$SRC/tools/bench-tables" --into "$PWD/endless.md" 2>&1 | sed "s|$PWD|.|"
tail -n 1 endless.md

echo "- what is no option"
for arguments in --nosuch --into 'whole.md' '--into whole.md more'; do
    # shellcheck disable=SC2086 # cut into words
    "$SRC/tools/bench-tables" $arguments 2>&1
    echo "status $?"
done
