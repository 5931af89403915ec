/*
 * column_times.h - the times of a time column, by sample. They are kept as far back as a match may
 * begin, or all of them.
 */
#ifndef TOOLS_COMMON_INPUT_COLUMN_TIMES_H
#define TOOLS_COMMON_INPUT_COLUMN_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "io/time/exact_time.h"

typedef struct column_times column_times;

/* Keep the last `horizon` samples at least; UINT64_MAX: all, in memory and then in a
 * temporary file. NULL: out of memory. */
column_times *column_times_create(uint64_t horizon);
void column_times_destroy(column_times *t);

/* Begin, instead of at sample 0 with nothing known, at this sample: with the decimals and the first
 * known time of those before. */
void column_times_begin_at(column_times *t, uint64_t sample, int16_t decimals, exact_time first);

/* Add the times of the next n samples. Each gets the decimals of all times up to it, so that what
 * is printed of a match depends on no later sample. NULL, or what went wrong. */
const char *column_times_add(column_times *t, exact_time *times, size_t n);

/* The decimals of all times so far. */
int16_t column_times_decimals(const column_times *t);

/* The first time that is known; unknown if there is none so far. */
exact_time column_times_first(const column_times *t);

/* The time of a sample; unknown if it is not kept, or could not be read back. */
exact_time column_times_at(column_times *t, uint64_t sample);

/* When the sample before `end` is over: its time, and the step that led to it, so that it never
 * depends on later samples. The first sample, and one whose time went back, take none. */
exact_time column_times_end(column_times *t, uint64_t end);

/* Why a time could not be read back; "" if all could. */
const char *column_times_error(const column_times *t);

#endif
