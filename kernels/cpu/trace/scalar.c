/*
 * scalar.c - the readable reference: D and S of docs/SEMANTICS.md, a column at a time. Never tuned,
 * and it prunes nothing. The tests compare the other trace kernels with it, bit for bit.
 */
#include <math.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/trace_kernel.h"

/* The sum over the values of a frame, in index order, each addition rounded to float32. */
static float frame_cost(const trace_cells *cells, size_t i, const float *y)
{
    float sum = fabsf(cells->x[i] - y[0]);
    for (size_t k = 1; k < cells->dim; k++) sum += fabsf(cells->x[k * cells->rows + i] - y[k]);
    return sum;
}

/* Compute column t of the batch. Ties go to the diagonal, then left, then up. */
static void column(trace_cells *cells, int32_t t, const float *y)
{
    float diag = 0, up = 0;
    int32_t diag_s = t, up_s = t;
    for (size_t i = 0; i < cells->length; i++) {
        float left = cells->d[i], best = diag;
        int32_t left_s = cells->s[i], best_s = diag_s;
        best_s = left < best ? left_s : best_s;
        best = left < best ? left : best;
        best_s = up < best ? up_s : best_s;
        best = up < best ? up : best;
        diag = left;
        diag_s = left_s;
        cells->d[i] = up = best + frame_cost(cells, i, y);
        cells->s[i] = up_s = best_s;
    }
    cells->end_d[t] = up;
    cells->end_s[t] = up_s;
}

/* Note column t if a cell is live there: see trace_watch. */
static void watch_column(const trace_cells *cells, int32_t t, trace_watch *watch)
{
    for (size_t i = 0; i < cells->length; i++) {
        int32_t s = cells->s[i];
        if (cells->d[i] < watch->d && s <= watch->last && s > t - watch->length_max)
            watch->latest = t;
    }
}

static void scalar_run(trace_cells *cells, const float *frames, size_t n, float bound,
                       trace_watch *watch)
{
    (void)bound;
    if (watch) watch->latest = -1;
    for (size_t t = 0; t < n; t++) {
        column(cells, (int32_t)t, frames + t * cells->dim);
        if (watch) watch_column(cells, (int32_t)t, watch);
    }
    for (size_t i = 0; i < cells->length; i++) cells->s[i] = trace_start_moved(cells->s[i], n);
}

const trace_kernel trace_scalar = {
    .name = "scalar", .tile_rows = 1, .usable = usable_anywhere, .run = scalar_run};
