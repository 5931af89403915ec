#!/bin/sh
# demo.sh - find a sound in a recording that holds a copy of it, and keywords of three languages
# at their known times. `make demo` runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$PATH
export PATH LC_ALL=C
cd "$here"

cat <<'TEXT'
AUDIO: nine seconds of speech that hold a copy of a word; 0.2 s of it are the template.

$ sigrep -p raw -t 0.001 manzana=manzana.wav@1.5-1.7 multiple_keywords_es.wav
TEXT
sigrep -p raw -t 0.001 manzana=manzana.wav@1.5-1.7 multiple_keywords_es.wav

printf '\n%s\n' 'Whole recordings of a keyword, by mfcc. The start of each is known to 0.05 s:'
./keywords.sh
