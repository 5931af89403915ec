/*
 * auto_threshold.h - a threshold from a template alone (docs/SEMANTICS.md, "The threshold
 * auto"): what it costs to match the template by chance, in material made of its own frames.
 */
#ifndef FILTER_SESSION_AUTO_THRESHOLD_H
#define FILTER_SESSION_AUTO_THRESHOLD_H

#include "kernels/kernel.h"

/* A template after the front end. */
typedef struct {
    const float *frames; /* length x dim, finite; borrowed */
    size_t length;       /* m >= 2 frames */
    size_t dim;
    double unrelated_distance; /* front_end_unrelated_distance, 0 where not known */
} auto_template;

/* The level of chance: the mean, over 16 orders of its blocks, of the lowest score that the
 * template has there. 0 where each holds a copy of it; infinite beyond float32. At most
 * about 10^6 cells. */
sigrep_status auto_level(double *level, const auto_template *x, const kernel_ops *ops);

/* *threshold > 0, mean cost per frame, three significant digits; the same for every kernel.
 * SIGREP_NO_THRESHOLD where chance costs nothing, or more than float32 holds. */
sigrep_status auto_threshold(double *threshold, const auto_template *x, const kernel_ops *ops);

#endif
