/*
 * warp.h - dynamic time warping of two short sequences of frames, in doubles and with whole
 * matrices: for takes against takes, not for streams (those are the kernels').
 */
#ifndef FILTER_BUNDLE_WARP_H
#define FILTER_BUNDLE_WARP_H

#include <stddef.h>

/* Frames that are borrowed: length x dim. */
typedef struct {
    const float *frames;
    size_t length;
} warp_sequence;

/* The lowest D(m,t)/m of x anywhere in y, cold start, no length gate (docs/SEMANTICS.md,
 * "Scores"); negative without memory. */
double warp_best_score(warp_sequence x, warp_sequence y, size_t dim);

/* A pair of frames that a warping path joins. */
typedef struct {
    size_t i, t; /* of x, of y */
} warp_pair;

/* The warping path of the least cost between all of x and all of y (Sakoe and Chiba 1978, steps
 * (1,1), (0,1), (1,0), ties in this order), from the last pair to the first. path has room for
 * x.length + y.length - 1 pairs, NULL: not wanted. *cost is its sum of L1 distances, NULL: not
 * wanted. Returns the number of pairs, 0 without memory. */
size_t warp_path(warp_sequence x, warp_sequence y, size_t dim, warp_pair *path, double *cost);

#endif
