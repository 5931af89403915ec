/* cepstra.h - what front ends of cepstra share. */
#ifndef FILTER_FEATURES_CEPSTRA_H
#define FILTER_FEATURES_CEPSTRA_H

#include <math.h>
#include <stdint.h>

/* s_i cos(pi i (b + 1/2) / n): the orthonormal DCT-II's weight of band b of n in coefficient i. */
static inline double cepstra_weight(int i, int b, int n)
{
    const double pi = acos(-1.);
    return sqrt((i ? 2. : 1.) / n) * cos(pi * i * (b + 0.5) / n);
}

/* Frame t + k of those from 0 to `made` - 1: outside of them, the first or last one. */
static inline uint64_t cepstra_neighbour(uint64_t made, uint64_t t, int k)
{
    if (k < 0) return t > (uint64_t)-k ? t - (uint64_t)-k : 0;
    const uint64_t last = made - 1;
    return last - t > (uint64_t)k ? t + (uint64_t)k : last;
}

#endif
