# dev/instructions/check with a valgrind that is made up: COUNT instructions of whatever it runs; LACKS is a kernel
# that it cannot run.
[ -z "${SAN-}" ] || { echo "SKIP a script alone: nothing of it is sanitized"; exit 77; }
mkdir -p bin dev/instructions build/dev/instructions
cp "$SRC/dev/instructions/check" dev/instructions
cp "$(command -v sh)" build/dev/instructions/count
echo '#!/bin/sh' >bin/valgrind
cat >>bin/valgrind <<'END'
case "$*" in *" ${LACKS:-none} "*) exit 77 ;; esac
echo "==1== Collected : $COUNT"
END
printf '#!/bin/sh\necho "#define __VERSION__ \\"1.2 ($0)\\"" | sed "s,/.*/,,"\n' >bin/one
cp bin/one bin/other
printf '#!/bin/sh\ncp "$4" "$3"\n' >bin/strip
chmod +x bin/*
PATH=$PWD/bin:$PATH
export BUILD="$PWD/build" CFLAGS=-O2 STRIP=strip
echo '# counts' >dev/instructions/recorded
check() { # COUNT, compiler, options
    echo "- $*"
    COUNT=$1 CC=$2 dev/instructions/check $3 >printed 2>&1
    echo "status $?, $(tail -n 1 printed)"
}
written() {
    cut -f 1,2 dev/instructions/recorded | sed 's/^[^,]*, //' | cut -d ' ' -f 1-4 | sort | uniq -c | tr -s ' '
}
check 1000000 one
check 1000000 one --accept
check 1000000 other --accept
written
check 1000000 one
check 1020000 one
check 1040000 one
grep -c 'more than 3 % above' printed
check 900000 one
grep -c 'time for --accept' printed
check 0 one

# Regression: accept_that_forgot_what_it_could_not_count.
export LACKS=avx2
check 2000000 one --accept
unset LACKS
written
check 1000000 one
grep -c 'time for --accept' printed

echo "- what is no option"
for arguments in --nosuch 'accept' '--accept --accept'; do
    # shellcheck disable=SC2086 # cut into words
    dev/instructions/check $arguments 2>&1
    echo "status $?"
done
