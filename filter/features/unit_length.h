/* unit_length.h - scale a vector to Euclidean length 1. */
#ifndef FILTER_FEATURES_UNIT_LENGTH_H
#define FILTER_FEATURES_UNIT_LENGTH_H

#include <math.h>
#include <stddef.h>

/* n finite values below 1e150 in, n floats out. The squares are added by rising index. A
 * vector of zeros stays zeros. */
static inline void unit_length(const double *values, size_t n, float *out)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) squares += values[i] * values[i];
    const double length = sqrt(squares);
    for (size_t i = 0; i < n; i++) out[i] = length > 0 ? (float)(values[i] / length) : 0;
}

#endif
