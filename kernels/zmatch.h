/*
 * zmatch.h - how far windows of a stream are from a template, each window z-normalised by itself
 * (docs/SEMANTICS.md, "Each match normalised").
 *
 *     stream      . . [ y_s . . . . . . y_(s+m-1) ] . .      m values, as many as the template
 *     window      z_i = (y_(s+i) - mean) / deviation
 *     D           DTW of x and z from corner to corner, cells |i - j| <= band alone
 *
 * A D above the caller's bound is not computed: bounds from below come first, the cheapest before
 * the others (Rakthanmanon et al. 2012, the UCR suite). They have a margin for their rounding, so
 * what they leave out is above the bound.
 *
 *     of n windows at once    LB_Kim: the first and the last two values
 *     of one window           LB_Keogh of z in the envelope of x, then of x in the envelope of z
 *                             D by anti-diagonals, until they and the rest of LB_Keogh are too much
 */
#ifndef KERNELS_ZMATCH_H
#define KERNELS_ZMATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sigrep.h"

/* The longest template: beyond it the margins would be as large as the bounds. */
#define ZMATCH_MAX_LENGTH ((size_t)1 << 20)

/* Write the m values of y, less their mean and over their standard deviation, to z. False if y is
 * flat: then z is undefined. */
bool zmatch_normalise(float *z, const float *y, size_t m);

typedef struct zmatch zmatch;

/* x: m values of zmatch_normalise, copied; 2 <= m <= ZMATCH_MAX_LENGTH. The caller destroys it;
 * NULL is allowed there. SIGREP_NO_MEMORY. */
sigrep_status zmatch_create(zmatch **out, const float *x, size_t m, size_t band);
void zmatch_destroy(zmatch *zm);

/* Look at the n windows that begin at y[0] ... y[n-1], 1 <= n <= m; y: n + m - 1 finite values,
 * borrowed until the next look. */
void zmatch_look(zmatch *zm, const float *y, size_t n);

/* The first of them, from number `at` on, whose D may be at most `bound`; n: there is none. */
size_t zmatch_next(const zmatch *zm, size_t at, float bound);

/* D of window `at`; +inf if it is above `bound`, or the window is flat. */
float zmatch_distance(zmatch *zm, size_t at, float bound);

#endif
