/*
 * even_times.h - samples at even times, by straight lines between the rows of uneven ones.
 *
 *     rows       a       b             c        the first row has the first sample
 *     samples    *    o    o    o    o    o     on the lines from a to b and from b to c
 *     times      t  t+1/r  ...
 *
 * Sample k is at the time of the first row + k / rate, rounded to the decimals of the rate or of
 * that time, whichever are more; and its value is that of the line there. A gap has no samples. A
 * row before the first one begins anew. A missing value leaves both lines that it is an end of
 * without values.
 */
#ifndef IO_TIME_EVEN_TIMES_H
#define IO_TIME_EVEN_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "io/time/exact_time.h"

typedef struct even_times even_times;

/* For frames of this many values. NULL: out of memory. */
even_times *even_times_create(double rate_hz, size_t channels);
void even_times_destroy(even_times *e); /* NULL is allowed */

/* The next row begins a run: a gap is before it. */
void even_times_break(even_times *e);

/* Add a row, not before the one before in its run. Then take its samples. */
void even_times_add(even_times *e, const double *row, exact_time time);

/* Take the next sample up to the last row. false: there is none. */
bool even_times_take(even_times *e, double *sample, exact_time *time);

#endif
