/*
 * span.h - a sparse sweep of one span: layers of rows from top to bottom, the empty ones left out.
 *
 *     rows   +------------------------------+
 *            |  first layer, dense: row 0   |  costs nothing, so all of it is active
 *            +----+------------+------------+
 *            |    | ########   |            |  active cells get fewer from layer to layer
 *            +----+---##-------+------------+
 *            |                              |  empty: +inf
 *            +------------------------------+
 *               span, a multiple of SPAN_UNIT columns
 *
 * Needs: state.h, row.h, layer.h. Gives: span_sweep.
 */
#ifndef KERNELS_CPU_SPARSE_SPAN_H
#define KERNELS_CPU_SPARSE_SPAN_H

#include "kernels/cpu/state.h"

/* Rows from `top` on into which no active cell leads, from above or from the left: a multiple of
 * MIN_LAYER_ROWS, or all that are left. corner: D(top - 1,.) before the span. */
static size_t empty_rows(const sparse_span *span, const sparse_row *above, size_t top, float corner)
{
    const simd_template *tmpl = span->tmpl;
    const float *d = tmpl->d + tmpl->pad;
    const uint32_t end = (uint32_t)span_columns(span);
    size_t i = top;
    if (!top || corner <= tmpl->eps || next_active(above, 0, end) < end) return 0;
    while (i < tmpl->length && d[i] > tmpl->eps) i++;
    return i < tmpl->length ? (i - top) / MIN_LAYER_ROWS * MIN_LAYER_ROWS : i - top;
}

static bool is_mostly_active(const sparse_span *span, const sparse_row *row)
{
    size_t n = 0;
    for (size_t b = 0; b < LANES * span->blocks; b++) n += row->active[b];
    return 2 * n > LANES * span->blocks;
}

/* One layer from row `top` on, swept or empty; returns its rows. High layers cost less, low ones
 * follow the active cells more closely. */
static size_t next_layer(sparse_span *span, const sparse_row *above, sparse_row *below, size_t top,
                         float corner)
{
    const size_t left = span->tmpl->length - top, empty = empty_rows(span, above, top, corner);
    size_t rows = top ? MIN_LAYER_ROWS : span->tmpl->first_rows;
    memset(below->active, 0, sizeof below->active);
    if (empty) {
        float *d = span->tmpl->d + span->tmpl->pad + top;
        for (size_t i = 0; i < empty; i++) d[i] = INFINITY;
        return empty;
    }
    if (top && is_mostly_active(span, above)) rows = LAYER_ROWS / 2;
    if (rows > left) rows = left;
    layer_sweep(span, top ? above : NULL, below, top, rows, corner);
    return rows;
}

/* Write minima and scores; row: D(m,.). */
static void output_row(const sparse_span *span, sparse_row *row)
{
    const simd_chunk *chunk = span->chunk;
    const size_t n = span_columns(span), count = KERNEL_BLOCK / LANES;
    const uint64_t position = chunk->self->position;
    float *minima = chunk_minima(chunk, span->tmpl) +
                    ((position + span->begin) / KERNEL_BLOCK - position / KERNEL_BLOCK);
    for (size_t b = 0; b < n / LANES; b += count) {
        vf lowest = vf_all(INFINITY);
        for (size_t k = b; k < b + count; k++) {
            float *value = row->value + k * LANES;
            if (row->active[k])
                lowest = vf_min(lowest, vf_load(value));
            else if (chunk->out->scores)
                vf_store(value, vf_all(INFINITY));
        }
        minima[b / count] = INFINITY;
        if (!vf_at_most(lowest, span->tmpl->eps)) continue;
        for (size_t lane = 0; lane < LANES; lane++)
            if (lowest[lane] < minima[b / count]) minima[b / count] = lowest[lane];
    }
    if (chunk->out->scores)
        memcpy(chunk_scores(chunk, span->tmpl, span->begin), row->value, n * sizeof *row->value);
}

/* Will the rows from `top` on exceed the budget, at `each` a row? Not asked in the first third,
 * since fewer cells are active further down. */
static bool will_exceed_budget(const sparse_span *span, size_t each, size_t top)
{
    const size_t length = span->tmpl->length;
    return 3 * top > length && span->done + each * (length - top) > span->budget / 3 * 4;
}

/* False: given up, beyond the budget. tmpl->d is as before then; the span's minima, scores and
 * checkpoints must be written again. */
static bool span_sweep(sparse_span *span)
{
    simd_template *tmpl = span->tmpl;
    const uint64_t position = span->chunk->self->position + span->begin;
    sparse_row *above = span->scratch->sparse[0], *below = span->scratch->sparse[1];
    float corner = 0, *before = span->scratch->before;
    memcpy(before, tmpl->d + tmpl->pad, tmpl->length * sizeof *before);
    size_t deepest = 0, top = 0;
    clear_checkpoints(span, tmpl->first_rows);
    while (top < tmpl->length) {
        const size_t done = span->done, rows = next_layer(span, above, below, top, corner);
        const size_t each = top ? (span->done - done) / rows : 0;
        top += rows;
        if (span->done > done) deepest = top;
        if (span->done > span->budget || will_exceed_budget(span, each, top)) {
            memcpy(tmpl->d + tmpl->pad, before, tmpl->length * sizeof *before);
            return false;
        }
        sparse_row *next = above;
        above = below, below = next;
        corner = before[top - 1];
    }
    output_row(span, above);
    set_active_to(tmpl, position, position + span_columns(span), deepest);
    return true;
}

#endif
