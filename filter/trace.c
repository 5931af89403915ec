#include "filter/trace.h"

#include <math.h>
#include <stdlib.h>

sigrep_status trace_create(trace *tr, const float *x, size_t length, size_t dim)
{
    *tr = (trace){.x = x, .length = length, .dim = dim};
    tr->d = malloc(length * sizeof *tr->d);
    tr->s = malloc(length * sizeof *tr->s);
    if (!tr->d || !tr->s) return SIGREP_NO_MEMORY;
    trace_start_cold(tr, 0);
    return SIGREP_OK;
}

void trace_free(trace *tr)
{
    free(tr->d);
    free(tr->s);
}

void trace_start_cold(trace *tr, uint64_t origin)
{
    for (size_t i = 0; i < tr->length; i++) tr->d[i] = INFINITY;
    trace_start_from(tr, origin);
}

void trace_start_from(trace *tr, uint64_t position)
{
    for (size_t i = 0; i < tr->length; i++) tr->s[i] = TRACE_TOO_OLD;
    tr->position = position;
}

static float cost(const float *x, const float *y, size_t dim)
{
    float c = fabsf(x[0] - y[0]);
    for (size_t k = 1; k < dim; k++) c += fabsf(x[k] - y[k]);
    return c;
}

/* Ties go to the diagonal, then left, then up. */
void trace_column(trace *tr, const float *y)
{
    int64_t t = (int64_t)tr->position;
    float diag = 0, up = 0;
    int64_t diag_s = t, up_s = t;
    for (size_t i = 0; i < tr->length; i++) {
        float left = tr->d[i], best = diag;
        int64_t left_s = tr->s[i], best_s = diag_s;
        best_s = left < best ? left_s : best_s;
        best = left < best ? left : best;
        best_s = up < best ? up_s : best_s;
        best = up < best ? up : best;
        diag = left;
        diag_s = left_s;
        tr->d[i] = up = best + cost(tr->x + i * tr->dim, y, tr->dim);
        tr->s[i] = up_s = best_s;
    }
    tr->position++;
}
