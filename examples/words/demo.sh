#!/bin/sh
# demo.sh - a spoken phrase in loud noise, found from any one of six takes, and checked
# against the truth. `make demo` runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$PATH
export PATH LC_ALL=C
cd "$here"

cat <<'TEXT'
WORDS: "oye casa", said three times over loud noise. The template is one other take of it.

$ sigrep -p mfcc -b 3 casa=take_1.flac real_sample.flac
TEXT
sigrep -p mfcc -b 3 casa=take_1.flac real_sample.flac

printf '\n%s\n' 'Each of the six takes by itself, against the places that are known:'
for take in take_?.flac; do
    printf '%s: ' "$take"
    sigrep -p mfcc -b 3 "casa=$take" real_sample.flac | awk -f places.awk truth.csv -
done
