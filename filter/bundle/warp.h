/*
 * warp.h - dynamic time warping of takes, in double and with whole matrices, and their average.
 * It compares takes with takes; kernels/ searches streams.
 */
#ifndef FILTER_BUNDLE_WARP_H
#define FILTER_BUNDLE_WARP_H

#include <stddef.h>

/* Borrowed frames, length x dim. */
typedef struct {
    const float *frames;
    size_t length;
} warp_sequence;

/* The best score of x anywhere in y: the lowest D(m,t)/m, without a length gate
 * (docs/SEMANTICS.md, "Scores"). Negative without memory. O(x.length) memory. */
double warp_best_score(warp_sequence x, warp_sequence y, size_t dim);

/* A pair of frames that a warping path joins. */
typedef struct {
    size_t i, t; /* frame i of x, frame t of y */
} warp_pair;

/*
 * The cheapest warping path between all of x and all of y (Sakoe and Chiba 1978), from the last
 * pair to the first. Of equal costs the diagonal step goes first, then the step in y:
 *
 *     x  ^        o---o
 *        |      /            steps (1,1), (0,1), (1,0)
 *        | o---o
 *        +---------------> y
 *
 * path has room for x.length + y.length - 1 pairs. *cost is the sum of L1 distances along it. Each
 * may be NULL. Returns the number of pairs, 0 without memory. O(x.length * y.length) memory.
 */
size_t warp_path(warp_sequence x, warp_sequence y, size_t dim, warp_pair *path, double *cost);

/*
 * An average is one sequence of frames that stands for several: DTW barycentre averaging
 * (Petitjean, Ketterlin, Gancarski, "A global averaging method for dynamic time warping, with
 * applications to clustering", Pattern Recognition 44, 2011).
 */

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
