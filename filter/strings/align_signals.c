/*
 * align_signals.c - two signals as wholes, behind sigrep_text.h: dynamic time warping.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/search/path.h"
#include "kernels/float_env.h"
#include "sigrep_text.h"

/* The cost of a pair of frames, summed as docs/SEMANTICS.md says. */
static float frame_cost(const path_problem *p, size_t i, size_t t)
{
    float sum = 0;
    for (size_t k = 0; k < p->dim; k++) sum += fabsf(p->x[i * p->dim + k] - p->y[t * p->dim + k]);
    return sum;
}

/* D(m,n), column by column. */
static float warped_distance(const path_problem *p, float *column)
{
    for (size_t i = 0; i < p->m; i++) column[i] = INFINITY;
    for (size_t t = 0; t < p->n; t++) {
        float diagonal = t > 0 ? INFINITY : 0, up = INFINITY;
        for (size_t i = 0; i < p->m; i++) {
            const float left = column[i];
            float best = diagonal < left ? diagonal : left;
            if (up < best) best = up;
            up = column[i] = best + frame_cost(p, i, t);
            diagonal = left;
        }
    }
    return column[p->m - 1];
}

sigrep_status sigrep_text_align_signals(const float *x, size_t m, const float *y, size_t n,
                                        size_t dim, double *distance, sigrep_pair *pairs,
                                        size_t *n_pairs)
{
    const stopping never = {0};
    path_problem p = {.x = x, .m = m, .y = y, .n = n, .dim = dim, .stop = &never};
    sigrep_status status = SIGREP_OK;
    float *column = malloc(m * sizeof *column);
    if (!column) return SIGREP_NO_MEMORY;
    const float_env before = float_env_enter();
    *distance = p.d = warped_distance(&p, column);
    if (pairs) *n_pairs = 0;
    if (pairs && isfinite(p.d)) status = path_find(&p, pairs, n_pairs);
    float_env_leave(before);
    for (size_t k = 0; pairs && k < *n_pairs; k++) {
        pairs[k].start = pairs[k].match_frame;
        pairs[k].end = pairs[k].start + 1;
    }
    free(column);
    return status;
}
