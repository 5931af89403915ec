/*
 * part.h - a part of an input: of --range alone, or a shard.
 *
 *     input     ----------|---- part ----|--------------
 *     --range             |==============|~~~~|             on, until all matches that end in the
 *                                                          part are final
 *     shard               |==============|===|             on, until it has joined the next shard,
 *     the next shard                     |---|             which it runs beside itself
 *
 * docs/SEMANTICS.md ("Shards") says why the results of all shards are those of the whole input.
 */
#ifndef TOOLS_SIGREP_PART_H
#define TOOLS_SIGREP_PART_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sigrep sigrep;             /* sigrep.h */
typedef struct listed_input listed_input; /* tools/sigrep/options/inputs.h */
typedef struct worker worker;             /* tools/sigrep/worker.h */

typedef struct {
    uint64_t begin, end; /* samples; end UINT64_MAX: of the input */
    uint64_t from;       /* the first sample that is read */
} part;

/* The open input of w->feed: find the part, and go to its first sample. A shard prints the first
 * lines of its result. false after a failure, which is reported. */
bool part_begin(worker *w, const listed_input *listed);

/* Search the part. A shard prints its last line, unless it failed, or its file has changed. */
void part_search(worker *w, const listed_input *listed);

#endif
