#!/bin/sh
# demo.sh - find a phrase of a whale's song by one time that it was sung. `make demo` runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$PATH
export PATH LC_ALL=C
cd "$here"

cat <<'TEXT'
WHALE: a minute of a humpback's song. It sings a phrase of five seconds, a moan and a high
note, four times, and then something else. The third time is the template.

$ sigrep -p resample=8000+mfcc -t 3.9 phrase=humpback.ogg@15.3-20.2 humpback.ogg
TEXT
sigrep -p resample=8000+mfcc -t 3.9 phrase=humpback.ogg@15.3-20.2 humpback.ogg
