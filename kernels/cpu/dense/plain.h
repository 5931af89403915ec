/*
 * plain.h - frames of a chunk without segments: short chunks, the ends of long ones, repairs.
 *
 *     samples                                by anti-diagonals (diagonal.h)
 *     fewer than MIN_DIAGONAL samples        by columns
 *     frames of several values               by columns
 *
 * A column is swept in two steps: all its costs, LANES rows in parallel, then one pass down the
 * rows. Both ways go on from tmpl->d and leave the last column there, so any sweep may follow.
 *
 * Needs: state/simd_kernel.h, diagonal.h. Gives: sweep_plain.
 */
#ifndef KERNELS_CPU_DENSE_PLAIN_H
#define KERNELS_CPU_DENSE_PLAIN_H

#include "kernels/cpu/state/simd_kernel.h"

enum {
    MIN_DIAGONAL = 8,  /* samples: anti-diagonals take a while to fill */
    MAX_LINE = 1 << 15 /* columns: a thread's line stays in its cache */
};
_Static_assert(MAX_LINE % KERNEL_BLOCK == 0, "a block has one minimum");

/* Costs of one frame against all rows, summed over k in index order. x: dim x rows; rows: a
 * multiple of LANES. */
SIMD_INLINE void column_costs(const float *x, size_t rows, const float *y, size_t dim, float *cost)
{
    for (size_t i = 0; i < rows; i += LANES) {
        vf sum = cell_cost(vf_load(x + i), vf_all(y[0]));
        for (size_t k = 1; k < dim; k++)
            sum = add_cell_cost(sum, vf_load(x + k * rows + i), vf_all(y[k]));
        vf_store(cost + i, sum);
    }
}

/* D(.,t-1) becomes D(.,t). Returns D(m,t). */
static float column_sweep(float *d, const float *cost, size_t length)
{
    float diag = 0, up = 0;
    for (size_t i = 0; i < length; i++) {
        const float left = d[i];
        float best = diag < left ? diag : left;
        best = up < best ? up : best;
        diag = left;
        d[i] = up = best + cost[i];
    }
    return up;
}

static float min_of(const float *v, size_t n)
{
    vf many = vf_all(INFINITY);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) many = vf_min(many, vf_load(v + i));
    float lowest = INFINITY;
    for (size_t lane = 0; lane < LANES; lane++) lowest = many[lane] < lowest ? many[lane] : lowest;
    for (; i < n; i++) lowest = v[i] < lowest ? v[i] : lowest;
    return lowest;
}

/* Write the minima and the scores of frames [from, to); line: their D(m,.). */
static void output_line(const simd_chunk *chunk, const simd_template *tmpl, const float *line,
                        size_t from, size_t to)
{
    const uint64_t position = chunk->self->position;
    const uint64_t first = position / KERNEL_BLOCK;
    float *minima = chunk_minima(chunk, tmpl);
    for (size_t t = from; t < to;) {
        const uint64_t block = (position + t) / KERNEL_BLOCK;
        size_t end = (size_t)((block + 1) * KERNEL_BLOCK - position);
        if (end > to) end = to;
        minima[block - first] = min_of(line + t - from, end - t);
        t = end;
    }
    if (chunk->out->scores)
        memcpy(chunk_scores(chunk, tmpl, from), line, (to - from) * sizeof *line);
}

static void sweep_by_columns(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                             size_t from, size_t to)
{
    const size_t dim = chunk->self->dim, rows = tmpl->pad + tmpl->length;
    float *d = tmpl->d + tmpl->pad;
    for (size_t t = from; t < to; t++) {
        column_costs(tmpl->planes, rows, chunk->frames + t * dim, dim, scratch->column);
        scratch->line[t - from] = column_sweep(d, scratch->column + tmpl->pad, tmpl->length);
        const uint64_t position = chunk->self->position + t + 1;
        if (position % tmpl->checkpoints.spacing == 0)
            memcpy(checkpoint_at(&tmpl->checkpoints, position), d, tmpl->length * sizeof *d);
    }
}

/* At most MAX_LINE frames. */
static void sweep_line(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                       size_t from, size_t to)
{
    if (chunk->self->dim > 1 || to - from < MIN_DIAGONAL) {
        sweep_by_columns(chunk, tmpl, scratch, from, to);
    } else {
        const diagonal_samples samples = {.y = chunk->frames + from,
                                          .row = scratch->line,
                                          .n = to - from,
                                          .position = chunk->self->position + from,
                                          .checkpoints = &tmpl->checkpoints};
        diagonal_sweep(&samples, tmpl->x, tmpl->d + tmpl->pad, tmpl->length);
    }
    output_line(chunk, tmpl, scratch->line, from, to);
}

/* Frames [from, to) of the chunk, on from tmpl->d: checkpoints, minima and scores. */
static void sweep_plain(const simd_chunk *chunk, simd_template *tmpl, simd_scratch *scratch,
                        size_t from, size_t to)
{
    while (from < to) {
        const size_t most = MAX_LINE - (size_t)((chunk->self->position + from) % MAX_LINE);
        const size_t end = to - from < most ? to : from + most;
        sweep_line(chunk, tmpl, scratch, from, end);
        from = end;
    }
}

#endif
