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

/* Are FINITE_AT_ONCE values all finite? Compilers vectorise a loop of fixed length without an exit.
 * Adding 1 to an exponent carries into the sign bit only if all its bits are ones. */
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

/* The number of finite values before the first that is not. */
static inline size_t finite_values(const float *values, size_t n)
{
    size_t count = 0;
    while (n - count >= FINITE_AT_ONCE && values_are_finite(values + count))
        count += FINITE_AT_ONCE;
    while (count < n && isfinite(values[count])) count++;
    return count;
}

/* The number of samples before the first gap; if !finite, before the first that is none. */
static inline size_t finite_run(const float *samples, size_t n, size_t channels, bool finite)
{
    if (finite) return finite_values(samples, n * channels) / channels;
    size_t count = 0;
    while (count < n && !sample_is_finite(samples + count * channels, channels)) count++;
    return count;
}

/* The same of doubles. One beyond float32 is a gap, as an infinity is. */
static inline bool doubles_are_finite(const double *values, size_t channels)
{
    for (size_t k = 0; k < channels; k++)
        if (!isfinite((float)values[k])) return false;
    return true;
}

static inline size_t finite_run_doubles(const double *samples, size_t n, size_t channels,
                                        bool finite)
{
    size_t count = 0;
    while (count < n && doubles_are_finite(samples + count * channels, channels) == finite) count++;
    return count;
}

#endif
