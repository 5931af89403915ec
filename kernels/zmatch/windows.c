#include "kernels/zmatch/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const zmatch_ops *const table[] = {
#if defined(__x86_64__)
    &zmatch_avx512, &zmatch_avx2,
#endif
    &zmatch_portable};

const zmatch_ops *zmatch_ops_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

static const zmatch_ops *best_ops(void)
{
    size_t i = 0;
    while (!table[i]->usable()) i++;
    return table[i];
}

/* Where the margins come from. Let u = 2^-24. A float sum of at most 2 m costs, rounded too, is at
 * least its true value (1 - u)^(2m + 1), and the sums of the bounds are at most theirs (1 + u)^m
 * and a few. Both together are below 1 + 8 m u for m <= 2^20. A window's z, as the bounds compute
 * it, is off by few u of |z| + |shift|, and by the error of gain and shift. Any value of the window
 * is within 2 sqrt(m) deviations of another, so the sums of the windows give the variance to
 * m^2 2^-51. The mean of |z| is at most 1, and |shift| at most sqrt(m). */
static void set_margins(zmatch *zm)
{
    const double m = (double)zm->m;
    zm->rounding = 1 + m * 0x1p-21;
    zm->margin = m * (1 + 2 * sqrt(m)) * (0x1p-21 + m * m * 0x1p-50);
}

/* Give each array its part of the memory, or count the floats if there is none yet. */
static size_t share_memory(zmatch *zm)
{
    const size_t m = zm->m, lanes = zm->ops->lanes;
    const struct {
        float **array;
        size_t n;
    } parts[] = {{&zm->lane_z, m * lanes},
                 {&zm->lane_d, m * lanes},
                 {&zm->rest, m / ZMATCH_EVERY * lanes},
                 {&zm->x, m},
                 {&zm->upper, m},
                 {&zm->lower, m},
                 {&zm->gain, m},
                 {&zm->shift, m},
                 {&zm->kim, m},
                 {&zm->y_upper, 2 * m},
                 {&zm->y_lower, 2 * m},
                 {&zm->sliding, 4 * m},
                 {&zm->of_window, m},
                 {&zm->of_template, m},
                 {&zm->z, m}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; n += parts[i++].n)
        if (zm->memory) *parts[i].array = zm->memory + n;
    return n;
}

static sigrep_status allocate(zmatch *zm)
{
    zm->memory = calloc(share_memory(zm), sizeof *zm->memory);
    zm->sums = calloc(zm->m, sizeof *zm->sums);
    zm->squares = calloc(zm->m, sizeof *zm->squares);
    if (!zm->memory || !zm->sums || !zm->squares) return SIGREP_NO_MEMORY;
    share_memory(zm);
    return SIGREP_OK;
}

sigrep_status zmatch_create(zmatch **out, const zmatch_ops *ops, const float *x, size_t m,
                            size_t band)
{
    zmatch *zm = *out = calloc(1, sizeof *zm);
    if (!zm) return SIGREP_NO_MEMORY;
    *zm = (zmatch){.ops = ops ? ops : best_ops(), .m = m, .band = band < m ? band : m - 1};
    if (allocate(zm)) {
        zmatch_destroy(zm);
        *out = NULL;
        return SIGREP_NO_MEMORY;
    }
    memcpy(zm->x, x, m * sizeof *x);
    zmatch_envelope(zm, zm->upper, x, m, 1);
    zmatch_envelope(zm, zm->lower, x, m, -1);
    set_margins(zm);
    return SIGREP_OK;
}

void zmatch_destroy(zmatch *zm)
{
    if (!zm) return;
    free(zm->memory);
    free(zm->sums);
    free(zm->squares);
    free(zm);
}

void zmatch_look(zmatch *zm, const float *y, size_t n)
{
    zm->y = y;
    zm->n = n;
    zm->anchor = y[zm->m - 1];
    zm->has_envelope = false;
    zm->row = 0;
    zm->ops->look(zm);
}

size_t zmatch_find(zmatch *zm, size_t at, size_t to, float bound, zmatch_candidates *candidates)
{
    return zm->ops->find(zm, at, to, bound, candidates);
}
