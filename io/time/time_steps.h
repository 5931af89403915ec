/*
 * time_steps.h - how far apart the times of a column are, judged by its first steps.
 *
 *     times     0.00  0.01  0.02  0.04  0.05        from a sample to the next, both times known
 *     steps         10    10    20    10   ms       their median: 10 ms, so the rate is 100 Hz
 */
#ifndef IO_TIME_TIME_STEPS_H
#define IO_TIME_TIME_STEPS_H

#include <stddef.h>

#include "io/time/exact_time.h"

enum {
    TIME_STEPS = 64,    /* the steps that count: the first ones */
    TIME_STEPS_GAP = 5, /* a longer jump, in medians, is a gap */
};

/* Begin with time_steps_none. */
typedef struct {
    double ns[TIME_STEPS];
    size_t n;
    exact_time last; /* of the sample before */
} time_steps;

time_steps time_steps_none(void);

/* Add the time of the next sample. A time that goes back makes no step. Steps beyond TIME_STEPS are
 * not counted. */
void time_steps_add(time_steps *s, exact_time time);

/* The median in nanoseconds; of an even number, the mean of the two in the middle. 0: there is no
 * step, or most of them are 0. */
double time_steps_median(const time_steps *s);

/* The same, but of an even number the lower of the two. */
double time_steps_low_median(const time_steps *s);

/* The number of steps that differ from the median by more than a tenth of it, if those are most of
 * them, or if two, and more than a quarter, are 1.5 to 5 medians long. Else 0. */
size_t time_steps_uneven(const time_steps *s);

#endif
