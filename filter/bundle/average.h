/*
 * average.h - one sequence of frames that stands for several: DTW barycentre averaging (Petitjean,
 * Ketterlin, Gancarski, "A global averaging method for dynamic time warping, with applications to
 * clustering", Pattern Recognition 44, 2011).
 */
#ifndef FILTER_BUNDLE_AVERAGE_H
#define FILTER_BUNDLE_AVERAGE_H

#include "filter/bundle/warp.h"

/* The take that is nearest to all others: the least sum of warped distances, each divided by the
 * lengths of both. n >= 1. SIZE_MAX without memory. */
size_t average_medoid(const warp_sequence *takes, size_t n, size_t dim);

/*
 * Begin with the medoid. Ten times, each of its frames becomes the mean of all frames that warping
 * joins with it, in all takes:
 *
 *     takes      a b b c    a a b c         medoid   A  B  C      A = mean of a, a, a ...
 *
 * If all frames of the takes have one norm, as those of mfcc do, the average gets it too. *length
 * is that of the medoid. The caller frees the frames; NULL without memory.
 */
float *average_make(const warp_sequence *takes, size_t n, size_t dim, size_t *length);

#endif
