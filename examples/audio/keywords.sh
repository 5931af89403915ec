#!/bin/sh
# keywords.sh - find each keyword of keywords.csv in its stream, by -p mfcc -t 2.
#
# Shows each command and what it prints. Fails unless there is exactly one match, with START within
# 0.05 s of the known time.
set -eu
cd "$(dirname "$0")"

tail -n +2 keywords.csv | {
    status=0
    while IFS=, read -r keyword range stream start; do
        printf '\n$ sigrep -p mfcc -t 2 %s@%s %s\n' "$keyword" "$range" "$stream"
        sigrep -p mfcc -t 2 "$keyword@$range" "$stream" | awk -v start="$start" '
            { print; off = $1 - start }
            END {
                right = NR == 1 && off <= 0.05 && off >= -0.05
                printf "known: %.3f, %s\n", start, right ? "right" : "WRONG"
                exit !right
            }' || status=1
    done
    exit $status
}
