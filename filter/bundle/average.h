/*
 * average.h - one sequence of frames that stands for several: DTW barycentre averaging (Petitjean,
 * Ketterlin, Gancarski, "A global averaging method for dynamic time warping, with applications to
 * clustering", Pattern Recognition 44, 2011).
 */
#ifndef FILTER_BUNDLE_AVERAGE_H
#define FILTER_BUNDLE_AVERAGE_H

#include "filter/bundle/warp.h"

/* The take with the least sum of warped distances, each divided by the lengths of both, to all
 * others; n >= 1. SIZE_MAX without memory. */
size_t average_medoid(const warp_sequence *takes, size_t n, size_t dim);

/* Begin with the medoid; ten times, let each of its frames become the mean of all frames of all
 * takes that warping joins with it. Where the frames of the takes are all of one length, as mfcc's
 * are, so are those of the average. As long as the medoid; the caller frees it, NULL without
 * memory. *length is set. */
float *average_make(const warp_sequence *takes, size_t n, size_t dim, size_t *length);

#endif
