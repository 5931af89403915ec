/* finite.h - which samples are a gap: those with a value that is not finite. */
#ifndef FILTER_FINITE_H
#define FILTER_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool sample_is_finite(const float *values, size_t channels)
{
    for (size_t k = 0; k < channels; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

/* How many of the n samples at the head are finite, or are not? */
static inline size_t finite_run(const float *samples, size_t n, size_t channels, bool finite)
{
    size_t run = 0;
    while (run < n && sample_is_finite(samples + run * channels, channels) == finite) run++;
    return run;
}

#endif
