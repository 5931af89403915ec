/*
 * fill.h - frames on their way, in which short runs of missing values become straight lines.
 *
 *     value      *                       *           finite before and after: a line over both
 *                 `-. o   o   o   o  .-'             at most `most` values are missing
 *     frames     1    2   3   4   5   6              2 to 5 wait for 6
 *
 * Each channel is bridged by itself. A value is missing if it is not finite as float32. A run that
 * is longer, or that a break, the beginning or the end cuts off, stays as it is.
 */
#ifndef IO_TIME_FILL_H
#define IO_TIME_FILL_H

#include <stdbool.h>
#include <stddef.h>

#include "io/time/exact_time.h"

typedef struct fill fill;

/* For frames of this many values. most: values of the longest run that is bridged; 0: none is.
 * NULL: out of memory. */
fill *fill_create(size_t channels, size_t most);
void fill_destroy(fill *f); /* NULL is allowed */

/* Add a frame; NULL: all of its values are missing. false: out of memory. */
bool fill_add(fill *f, const double *frame, exact_time time);

/* Nothing is bridged between the frames before and after: at a gap, and at the end. */
void fill_break(fill *f);

/* Drop the frames that wait, since what they wait for could not be read. */
void fill_drop_waiting(fill *f);

/* The number of frames that wait for no other. */
size_t fill_ready(const fill *f);

/* The times of the *n frames that wait, for whoever knows them better by now. NULL if none waits.
 * Valid until the next call on f. */
exact_time *fill_waiting_times(fill *f, size_t *n);

/* Take up to `max` of the frames that are ready. times may be NULL. Returns their number. */
size_t fill_take(fill *f, double *frames, exact_time *times, size_t max);

#endif
