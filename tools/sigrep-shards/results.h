/*
 * results.h - what the shards printed: files that hold results, one after the other in any order.
 *
 *     file: | result | result | resul|     a result whose end is missing is not whole
 */
#ifndef TOOLS_SIGREP_SHARDS_RESULTS_H
#define TOOLS_SIGREP_SHARDS_RESULTS_H

#include <stdio.h>

#include "tools/common/shards/shard.h"

typedef struct {
    shard_head head; /* its path is owned */
    shard_end end;
    const char *file; /* as it was named, borrowed */
    off_t body;       /* where its header begins there */
    bool is_whole;
} result;

typedef struct {
    result *items; /* by number; of one number, whole ones first */
    size_t n;
    const result **order; /* room for n: one result of each shard, for the caller to fill */
    size_t n_ordered;
    FILE *standard_input; /* a copy of it; NULL: it is not named */
} results;

/* Read and check all results of these files, "-" being standard input. false after a failure, which
 * is reported. results_free is due in any case. */
bool results_read(results *all, char **files, size_t n);
void results_free(results *all);

/* Open a file of results again. NULL after a failure, which is reported. results_close closes it.
 */
FILE *results_open(results *all, const char *file);
void results_close(results *all, FILE *file);

/* A line of a result, or bytes between lines. */
typedef struct {
    FILE *file;
    char *line; /* owned: the last one, without its newline */
    size_t room;
    uint32_t sum, sum_before; /* crc32 since the caller set it, with and without the last line */
} result_reader;

/* false at the end of the file, also if that cuts the line. */
bool result_line(result_reader *r);

/* Read n bytes, and add them to *out unless that is NULL. false: the file ends before. */
bool result_bytes(result_reader *r, uint64_t n, text_buffer *out);

#endif
