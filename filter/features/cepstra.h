/* cepstra.h - the parts that mfcc and speech share. */
#ifndef FILTER_FEATURES_CEPSTRA_H
#define FILTER_FEATURES_CEPSTRA_H

#include <math.h>
#include <stdint.h>

/* The weight of band b of n in coefficient i of the orthonormal DCT-II:
 *
 *     s_i cos(pi i (b + 1/2) / n)      s_0 = sqrt(1/n), else sqrt(2/n)
 */
static inline double cepstra_weight(int i, int b, int n)
{
    const double pi = acos(-1.);
    return sqrt((i ? 2. : 1.) / n) * cos(pi * i * (b + 0.5) / n);
}

/* Frame t + k, clamped to the frames 0 ... n_frames - 1; t < n_frames. */
static inline uint64_t cepstra_neighbour(uint64_t n_frames, uint64_t t, int k)
{
    if (k < 0) return t > (uint64_t)-k ? t - (uint64_t)-k : 0;
    const uint64_t last = n_frames - 1;
    return last - t > (uint64_t)k ? t + (uint64_t)k : last;
}

#endif
