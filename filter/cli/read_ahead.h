/*
 * run_ahead.h - the next piece of a file, read by a thread of its own while the searcher takes the
 * present one. One thread at a time has the source: between ahead_start and ahead_wait the reader.
 */
#ifndef FILTER_CLI_READ_AHEAD_H
#define FILTER_CLI_READ_AHEAD_H

#include "io/source.h"

typedef struct run_ahead run_ahead;

/* For pieces of so many values. NULL: no memory, or no thread; the caller ends it. */
run_ahead *ahead_create(size_t values);
void ahead_destroy(run_ahead *a); /* not between start and wait; NULL is allowed */

/* Begin source_gather of at most `max` samples. */
void ahead_start(run_ahead *a, source *src, size_t max);

/* What it gave. The samples lie in *frames, which was the caller's buffer for as many and becomes
 * the reader's. */
ssize_t ahead_wait(run_ahead *a, float **frames);

#endif
