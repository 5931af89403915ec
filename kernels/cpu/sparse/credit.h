/*
 * credit.h - which templates are swept sparsely, and for how long. A counter of columns decides:
 *
 *     credit   +  what a sparse panel saved, beside a dense sweep of it     at most CREDIT_MOST
 *              +  2 % of what was swept densely
 *              -  what a panel cost that was given up
 *
 * A panel full of active cells costs more than a dense sweep, and one that is given up is swept
 * again. So each panel has a budget of PANEL_COST dense sweeps, and is only as long as the credit
 * can pay for. However activity alternates, all sweeps together cost at most 2 % more than dense
 * ones, and CREDIT_FIRST.
 *
 * Needs: state/simd_kernel.h, dense/plain.h, row.h, layer.h, panel.h.
 * Gives: can_be_sparse, credit_reset, panel_try, sweep_sparse, decide_after_dense.
 */
#ifndef KERNELS_CPU_SPARSE_CREDIT_H
#define KERNELS_CPU_SPARSE_CREDIT_H

#include "kernels/cpu/state/simd_kernel.h"

enum {
    SPARSE_MIN = 4096,             /* columns of a panel; with fewer, lanes have too little to do */
    SPARSE_ROWS = 2 * TILE_ROWS,   /* shorter templates have hardly a row to prune */
    PANEL_COST = 2,                /* dense sweeps: a panel that costs more is given up */
    CREDIT_FIRST = 6 * SPARSE_MIN, /* columns at position 0 */
    CREDIT_MOST = 4 * PANEL_COLUMNS /* columns: what a stream may lose when it becomes active */
};

static const double INCOME_OF_DENSE = 0.02; /* share of densely swept columns that becomes credit */

static bool can_be_sparse(const simd_template *tmpl, size_t dim)
{
    return dim == 1 && isfinite(tmpl->eps) && tmpl->length >= SPARSE_ROWS;
}

static void credit_reset(simd_template *tmpl)
{
    tmpl->sparse = false;
    tmpl->first_rows = MIN_LAYER_ROWS;
    tmpl->credit = CREDIT_FIRST;
}

static void credit_add(simd_template *tmpl, double columns)
{
    tmpl->credit = fmin(tmpl->credit + columns, CREDIT_MOST);
}

/* Columns of the next panel, of n that are left; 0: too few, or too little credit. */
static size_t next_panel_columns(const simd_template *tmpl, size_t n)
{
    const double paid = fmin(tmpl->credit / PANEL_COST, PANEL_COLUMNS);
    if ((double)n > paid) n = (size_t)fmax(paid, 0);
    return n < SPARSE_MIN ? 0 : n / PANEL_UNIT * PANEL_UNIT;
}

/* Sweep n frames of the chunk from `from` on as a panel. False: given up beyond its budget. */
static bool panel_try(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                      size_t from, size_t n)
{
    sparse_panel panel = {.chunk = chunk,
                          .tmpl = tmpl,
                          .scratch = scratch,
                          .begin = from,
                          .blocks = n / (LANES * LANES),
                          .budget = PANEL_COST * tmpl->length * n};
    const bool done = panel_sweep(&panel);
    credit_add(tmpl, (done ? (double)n : 0) - (double)panel.done / (double)tmpl->length);
    return done;
}

/* Sweep the chunk from frame `from` on, panel by panel, while the credit lasts. Returns the first
 * frame that a dense sweep must do. */
static size_t sweep_sparse(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                           size_t from)
{
    const uint64_t position = chunk->self->position;
    const size_t to = chunk->n, head = (size_t)(-(position + from) % KERNEL_BLOCK);
    size_t at = to - from < head ? to : from + head, n;
    set_active_to(tmpl, position + from, position + at, tmpl->length);
    sweep_plain(chunk, tmpl, scratch, from, at);
    for (; (n = next_panel_columns(tmpl, to - at)); at += n)
        if (!panel_try(chunk, tmpl, scratch, at, n)) break;
    return at;
}

/* After n columns of a chunk were swept densely: shall the next chunk be swept sparsely? */
static void decide_after_dense(simd_template *tmpl, size_t n)
{
    credit_add(tmpl, INCOME_OF_DENSE * (double)n);
    tmpl->sparse = next_panel_columns(tmpl, SPARSE_MIN) > 0;
}

#endif
