/* finite.h - find gaps: samples of which a value is not finite. */
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

/* Are FINITE_AT_ONCE values all finite? A fixed length and no early exit let compilers use vectors.
 * Adding 1 to an exponent of ones, and to no other, carries into the sign bit. */
enum { FINITE_AT_ONCE = 64 };

static inline bool values_are_finite(const float *values)
{
    const uint32_t sign = 0x80000000, one = 0x00800000;
    uint32_t any = 0;
    for (size_t k = 0; k < FINITE_AT_ONCE; k++) {
        uint32_t bits;
        memcpy(&bits, values + k, sizeof bits);
        any |= (bits & ~sign) + one;
    }
    return !(any & sign);
}

/* How many values from the first on are finite? */
static inline size_t finite_values(const float *values, size_t n)
{
    size_t run = 0;
    while (n - run >= FINITE_AT_ONCE && values_are_finite(values + run)) run += FINITE_AT_ONCE;
    while (run < n && isfinite(values[run])) run++;
    return run;
}

/* How many samples from the first on are finite (or, if !finite, are gaps)? */
static inline size_t finite_run(const float *samples, size_t n, size_t channels, bool finite)
{
    if (finite) return finite_values(samples, n * channels) / channels;
    size_t run = 0;
    while (run < n && !sample_is_finite(samples + run * channels, channels)) run++;
    return run;
}

#endif
