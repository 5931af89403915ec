#!/bin/sh
# shard.sh LIST N - run the command in line N of LIST. Its output becomes LIST.d/N, by rename, so
# this file is whole or not there. If it is there, nothing is run.
set -eu
result=$1.d/$2
unfinished=$1.d/.$2.$(uname -n).$$
[ ! -e "$result" ] || exit 0
mkdir -p "$1.d"
trap 'rm -f "$unfinished"' EXIT
sh -c "$(sed -n "$2p" "$1")" >"$unfinished"
mv "$unfinished" "$result"
