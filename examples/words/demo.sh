#!/bin/sh
# demo.sh - find a spoken phrase in loud noise by any one of six takes, and compare with the
# truth. `make demo` runs it.
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

cat <<'TEXT'

The six takes without their silence, as a bundle. The threshold lies between the phrase and "alexa"
(README.md). Of the other recordings "ok casa" is too much like the phrase.
TEXT
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for i in 1 2 3 4 5 6; do
    sigrep-record -o "$scratch/${i}_" take_$i.flac >"$scratch/printed"
done
sigrep-train -p resample=8000+speech -t 6.6 -o "$scratch/casa.sigrep" \
    "$scratch"/?_1.wav >"$scratch/printed"
sigrep "$scratch/casa.sigrep" real_sample.flac | tee "$scratch/found"
awk -f places.awk truth.csv "$scratch/found"
for other in noise alexa_1 alexa_2 alexa_3 ok_casa; do
    printf '%s: %s matches\n' "$other" "$(sigrep -c "$scratch/casa.sigrep" $other.flac || true)"
done
