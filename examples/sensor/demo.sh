#!/bin/sh
# demo.sh - find a letter in the log of a pen, read from a pipe. `make demo` runs it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$(dirname "$(readlink -f "$here/../../build/sigrep")")}
PATH=$BUILD:$PATH
export PATH LC_ALL=C
cd "$here"

cat <<'END'
SENSOR: the log of a pen that writes 45 letters, 15 of them a G; one G is the template.

$ cat pen.csv | sigrep --time-column 1 --columns 2,3 -p diff -t 3 G=g.csv
END
# shellcheck disable=SC2002 # the pipe is what is shown
cat pen.csv | sigrep --time-column 1 --columns 2,3 -p diff -t 3 G=g.csv
