/* finite.h - which samples are a gap: those with a value that is not finite. */
#ifndef FILTER_FINITE_H
#define FILTER_FINITE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool sample_is_finite(const float *values, size_t channels)
{
    for (size_t k = 0; k < channels; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

/* Are FINITE_BLOCK values all finite? One length and no way out, so that compilers make vectors of
 * it. One more makes an exponent of ones overflow, and no other, into the place of the sign. */
enum { FINITE_BLOCK = 64 };

static inline bool block_is_finite(const float *values)
{
    const uint32_t sign = 0x80000000, one = 0x00800000;
    uint32_t any = 0;
    for (size_t k = 0; k < FINITE_BLOCK; k++) {
        uint32_t bits;
        memcpy(&bits, values + k, sizeof bits);
        any |= (bits & ~sign) + one;
    }
    return !(any & sign);
}

/* How many of the n values at the head are finite? */
static inline size_t finite_values(const float *values, size_t n)
{
    size_t run = 0;
    while (n - run >= FINITE_BLOCK && block_is_finite(values + run)) run += FINITE_BLOCK;
    while (run < n && isfinite(values[run])) run++;
    return run;
}

/* How many of the n samples at the head are finite, or are not? */
static inline size_t finite_run(const float *samples, size_t n, size_t channels, bool finite)
{
    if (finite) return finite_values(samples, n * channels) / channels;
    size_t run = 0;
    while (run < n && !sample_is_finite(samples + run * channels, channels)) run++;
    return run;
}

#endif
