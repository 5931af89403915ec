/*
 * read_ahead.h - a thread reads the next samples of a file while the caller searches those before.
 *
 *     caller   read_ahead_start   search read k        read_ahead_wait   search read k+1
 *     reader                      |-- source_gather --|
 *
 * Between start and wait the source belongs to the reader.
 */
#ifndef TOOLS_SIGREP_READ_AHEAD_H
#define TOOLS_SIGREP_READ_AHEAD_H

#include "io/source.h"

typedef struct read_ahead read_ahead;

/* For reads of at most `values` values. NULL: out of memory. The caller destroys it, but not
 * between start and wait; NULL is allowed there. */
read_ahead *read_ahead_create(size_t values);
void read_ahead_destroy(read_ahead *a);

/* Begin source_gather of at most `max` samples. If the system gives no thread, read_ahead_wait
 * reads instead. */
void read_ahead_start(read_ahead *a, source *src, size_t max);

/* Wait for the result of source_gather. *frames, a buffer for `values` values, is exchanged for the
 * buffer with the samples. */
ssize_t read_ahead_wait(read_ahead *a, float **frames);

#endif
