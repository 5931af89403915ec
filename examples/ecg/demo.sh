#!/bin/sh
# demo.sh - find the normal heartbeats of a recording by one of them.
#
# `make demo` runs it. By hand, once everything is built: examples/ecg/demo.sh
# BUILD names the folder with sigrep and examples/ecg/{wfdb212,picture}.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$BUILD/examples/ecg:$PATH
export PATH LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$work"
cp "$here"/100.hea "$here"/100.dat "$here"/100_beats.csv "$here"/score.awk .

# Show a command line, then run it.
run() {
    printf '\n$ %s\n' "$1"
    eval "$1"
}

cat <<'END'
ECG: MIT-BIH record 100, half an hour at 360 samples a second, 2239 normal beats.
One of them, a quarter of a second cut out at 67.4 s, is the template.
END
run 'wfdb212 100.hea >100.txt'
run 'sigrep -r 360 -p znorm=0.5 -t 0.55 beat=100.txt@67.4-67.65 100.txt >matches.tsv'
run 'head -n 5 matches.tsv'

printf '\nA ventricular beat at 1518.9 s is no match:\n'
run 'picture 100.txt 360 1516 1522 <matches.tsv'

printf "\nAgainst the cardiologists' annotations, a beat being 25 ms before the end of a match:\n"
run 'awk -v rate=360 -v shift=-0.025 -f score.awk 100_beats.csv matches.tsv'
