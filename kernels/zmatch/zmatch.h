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
 */
#ifndef KERNELS_ZMATCH_ZMATCH_H
#define KERNELS_ZMATCH_ZMATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "sigrep.h"

/* The longest template: beyond it the margins would be as large as the bounds. */
#define ZMATCH_MAX_LENGTH ((size_t)1 << 20)

/* Windows whose D are computed at once, at most. */
#define ZMATCH_LANES 16

/* Write the m values of y, less their mean and over their standard deviation, to z, which may be y.
 * False if y is flat: then z is undefined. */
bool zmatch_normalise(float *z, const float *y, size_t m);

/* The band in values: a share of m, from 0 to 1. */
static inline size_t zmatch_band(double share, size_t m)
{
    return (size_t)(share * (double)m);
}

typedef struct zmatch zmatch;
typedef struct zmatch_ops zmatch_ops;

/* x: m values of zmatch_normalise, copied; 2 <= m <= ZMATCH_MAX_LENGTH. ops NULL: the best there
 * is. It takes 216 bytes a value at most. The caller destroys it; NULL is allowed there.
 * SIGREP_NO_MEMORY. */
sigrep_status zmatch_create(zmatch **out, const zmatch_ops *ops, const float *x, size_t m,
                            size_t band);
void zmatch_destroy(zmatch *zm);

/* Look at the n windows that begin at y[0] ... y[n-1], 1 <= n <= m; y: n + m - 1 finite values,
 * borrowed until the next look. */
void zmatch_look(zmatch *zm, const float *y, size_t n);

/* Windows with D at most the bound, in their order. */
typedef struct {
    size_t n;
    size_t at[ZMATCH_LANES];
    float d[ZMATCH_LANES];
} zmatch_candidates;

/* Find such windows among [at, to) of those that are looked at. Returns up to where it has found
 * all: `to`, or less if some more remain. A call takes some milliseconds: of long templates it may
 * return `at` before a D is done. Then the same call goes on with it. A flat window has no D. */
size_t zmatch_find(zmatch *zm, size_t at, size_t to, float bound, zmatch_candidates *candidates);

/* The code for one instruction set; all give the same candidates. */
struct zmatch_ops {
    const char *name;
    bool (*usable)(void);
    size_t lanes; /* windows at once, at most ZMATCH_LANES */
    void (*look)(zmatch *zm);
    size_t (*find)(zmatch *zm, size_t at, size_t to, float bound, zmatch_candidates *candidates);
};

extern const zmatch_ops zmatch_portable;
extern const zmatch_ops zmatch_avx2; /* x86-64 alone, like the next one */
extern const zmatch_ops zmatch_avx512;

/* The i-th, best first; NULL after the last. */
const zmatch_ops *zmatch_ops_at(size_t i);

#endif
