/*
 * column_times.h - the times of a time column, by sample: kept as far back as a match may
 * begin, or all of them.
 */
#ifndef FILTER_CLI_COLUMN_TIMES_H
#define FILTER_CLI_COLUMN_TIMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct run_times run_times;

/* Keep the last `horizon` samples at least; UINT64_MAX: all, in memory and then in a
 * temporary file. NULL: out of memory. */
run_times *times_create(uint64_t horizon);
void times_destroy(run_times *t);

/* The next n samples' times. NULL, or what went wrong. */
const char *times_add(run_times *t, const double *times, size_t n);

/* The time of a sample, NaN where it is not kept. */
double times_at(run_times *t, uint64_t sample);

/* When the sample before `end` is over: its time and the step that led to it, so that it
 * never depends on what came later. No step is known of the first sample: it takes none. */
double times_end(run_times *t, uint64_t end);

#endif
