/*
 * credit.h - which templates are swept sparsely, and for how long.
 *
 *     credit (columns)   +  what a sparse span saved      +  2 % of what was swept densely
 *                        -  what a sparse span took
 *
 *     dense  -- few cells active, and credit -->  sparse
 *     dense  <-- credit used up, span given up, or too little saved --  sparse
 *
 * A span full of active cells costs more than a dense sweep, and one that is given up is swept
 * again. The credit pays for both. A span is only as long as the credit can pay for, and is given
 * up when the credit is used up. So however activity alternates, the total cost is little more than
 * that of dense sweeps.
 *
 * Needs: state.h, dense/plain.h, row.h, layer.h, span.h.
 * Gives: can_be_sparse, credit_reset, sparse_span_try, sweep_sparse, decide_after_dense.
 */
#ifndef KERNELS_CPU_SPARSE_CREDIT_H
#define KERNELS_CPU_SPARSE_CREDIT_H

#include "kernels/cpu/state.h"

enum {
    SPARSE_MIN = 4096,             /* columns of a span; with fewer, lanes have too little to do */
    SPARSE_ROWS = 2 * TILE_ROWS,   /* shorter templates have hardly a row to prune */
    SPARSE_SAMPLES = 16,           /* checkpoints at which active cells are counted, ... */
    SPARSE_RECENT = 4,             /* ... in the last fourth of a chunk */
    CREDIT_FIRST = 6 * SPARSE_MIN, /* columns at position 0 */
    CREDIT_LEAST = SPARSE_MIN,     /* columns: with less, no span begins */
    CREDIT_MOST = 1000             /* spans of SPAN_COLUMNS */
};

static const double SPAN_COST = 1.5, /* share of a dense sweep's cost at which a span is given up */
    PROBE_COST = 1,                  /* the same for the first frames of a stream */
    FEW_CELLS = 0.2,         /* share of cells: with more active ones, no sparse sweep begins */
    GAIN_OF_CHUNK = 0.05,    /* share of a chunk to save, or the next one is swept densely */
    INCOME_OF_DENSE = 0.02,  /* share of densely swept columns that becomes credit */
    COST_BESIDE_CELLS = 1.2; /* time of a span, in that of its counted cells */

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
    const double most = (double)CREDIT_MOST * SPAN_COLUMNS;
    tmpl->credit += columns;
    if (tmpl->credit > most) tmpl->credit = most;
}

static bool has_credit(const simd_template *tmpl)
{
    return tmpl->credit >= CREDIT_LEAST;
}

/* Were few cells active in [from, to), judged by some of its checkpoints? */
static bool few_were_active(const simd_template *tmpl, uint64_t from, uint64_t to)
{
    const size_t spacing = tmpl->checkpoints.spacing;
    const uint64_t first = from / spacing + 1, n = to / spacing + 1 - first;
    const uint64_t stride = n / SPARSE_SAMPLES + 1;
    size_t samples = 0, active = 0;
    for (uint64_t i = first; i < first + n; i += stride, samples++) {
        const float *d = checkpoint_at(&tmpl->checkpoints, i * spacing);
        for (size_t k = 0; k < tmpl->length; k++) active += d[k] <= tmpl->eps;
    }
    return samples && (double)active <= FEW_CELLS * (double)samples * (double)tmpl->length;
}

/* After frames [from, to) were swept densely: shall the next chunk be swept sparsely? */
static void decide_after_dense(simd_template *tmpl, uint64_t from, uint64_t to)
{
    const size_t spacing = tmpl->checkpoints.spacing;
    uint64_t recent = from;
    credit_add(tmpl, INCOME_OF_DENSE * (double)(to - from));
    if (to - from > SPARSE_RECENT * spacing) recent = to - (to - from) / SPARSE_RECENT;
    tmpl->sparse = has_credit(tmpl) && few_were_active(tmpl, recent, to);
}

/* n frames of the chunk from `from` on. False: given up at `share` of a dense sweep's cost, or
 * beyond the credit. */
static bool sparse_span_try(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                            size_t from, size_t n, double share)
{
    const double paid = tmpl->credit / (COST_BESIDE_CELLS * (double)n);
    sparse_span span = {.chunk = chunk,
                        .tmpl = tmpl,
                        .scratch = scratch,
                        .begin = from,
                        .blocks = n / (LANES * LANES),
                        .budget = (size_t)(fmin(share, paid) * (double)(tmpl->length * n))};
    const bool done = span_sweep(&span);
    const double cost = COST_BESIDE_CELLS * (double)span.done / (double)tmpl->length;
    credit_add(tmpl, (done ? (double)n : 0) - cost);
    return done;
}

/* Columns of the next span, of n >= SPARSE_MIN that are left: the credit can pay for sweeping them
 * again. */
static size_t next_span_columns(double credit, size_t n)
{
    const double paid = fmax(credit / COST_BESIDE_CELLS, SPARSE_MIN);
    if ((double)n > paid) n = (size_t)paid;
    return (n < SPAN_COLUMNS ? n : SPAN_COLUMNS) / SPAN_UNIT * SPAN_UNIT;
}

/* The chunk from frame `from` on, span by span. Returns the frame at which it stopped; the rest is
 * to be swept densely. */
static size_t sweep_sparse(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                           size_t from)
{
    const uint64_t position = chunk->self->position;
    const size_t to = chunk->n, head = (size_t)(-(position + from) % KERNEL_BLOCK);
    const size_t begin = to - from < head ? to : from + head;
    const double credit = tmpl->credit;
    size_t at = begin;
    set_active_to(tmpl, position + from, position + at, tmpl->length);
    sweep_plain(chunk, tmpl, scratch, from, at);
    while (to - at >= SPARSE_MIN && tmpl->sparse) {
        const size_t n = next_span_columns(tmpl->credit, to - at);
        tmpl->sparse = sparse_span_try(chunk, tmpl, scratch, at, n, SPAN_COST);
        if (!tmpl->sparse) break;
        at += n;
        if (!has_credit(tmpl)) tmpl->sparse = false;
    }
    if (tmpl->credit < credit + GAIN_OF_CHUNK * (double)(at - begin)) tmpl->sparse = false;
    return at;
}

#endif
