#!/bin/sh
# parallel.sh LIST [OPTION OF parallel]... - run the commands of LIST, one a line, by GNU parallel.
# The output of line N becomes LIST.d/N. Started again, it runs only the missing ones, which it
# knows from LIST.joblog. GPUS=N: N at a time, each with a GPU of its own.
set -eu
here=$(dirname "$0")
list=$1
shift
seq "$(wc -l <"$list")" |
    parallel --quote --joblog "$list.joblog" --resume-failed ${GPUS:+-j "$GPUS"} "$@" \
        env ${GPUS:+CUDA_VISIBLE_DEVICES="{= \$_ = slot() - 1 =}"} sh "$here/shard.sh" "$list" '{}'
