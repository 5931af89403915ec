/*
 * column_times.h - the times of a time column, by sample. They are kept as far back as a match may
 * begin, or all of them.
 */
#ifndef FILTER_CLI_COLUMN_TIMES_H
#define FILTER_CLI_COLUMN_TIMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct column_times column_times;

/* Keep the last `horizon` samples at least; UINT64_MAX: all, in memory and then in a
 * temporary file. NULL: out of memory. */
column_times *column_times_create(uint64_t horizon);
void column_times_destroy(column_times *t);

/* Add the times of the next n samples. NULL, or what went wrong. */
const char *column_times_add(column_times *t, const double *times, size_t n);

/* The time of a sample; NaN if it is not kept. */
double column_times_at(column_times *t, uint64_t sample);

/* When the sample before `end` is over: its time, and the step that led to it, so that it never
 * depends on later samples. No step is known of the first sample: it takes none. */
double column_times_end(column_times *t, uint64_t end);

#endif
