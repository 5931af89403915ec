#!/bin/sh
# demo.sh - search features that another program computes, by a pipe. `make demo` runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$PATH
export PATH LC_ALL=C
cd "$here"
command -v python3 >/dev/null || { echo "FEATURES: no python3, nothing to show"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat <<'TEXT'
FEATURES: frames of 16 floats, made by 60 lines of Python, and compared by sigrep.

$ ./features.py ../audio/manzana.wav > manzana.f32
$ ./features.py ../audio/multiple_keywords_es.wav |
      sigrep -f f32 --channels 16 -r 100 -b 2 manzana=manzana.f32@1.3-1.9
TEXT
python3 features.py ../audio/manzana.wav >"$scratch/manzana.f32"
python3 features.py ../audio/multiple_keywords_es.wav |
    sigrep -f f32 --channels 16 -r 100 -b 2 "manzana=$scratch/manzana.f32@1.3-1.9"
