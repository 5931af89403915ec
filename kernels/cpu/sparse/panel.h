/*
 * panel.h - the sparse sweep of one panel: layers of rows from top to bottom, the empty ones left
 * out.
 *
 *     rows   +------------------------------+
 *            |  first layer, dense: row 0   |  costs nothing, so all of it is active
 *            +----+------------+------------+
 *            |    | ########   |            |  active cells get fewer from layer to layer
 *            +----+---##-------+------------+
 *            |                              |  empty: +inf
 *            +------------------------------+
 *               panel, a multiple of PANEL_UNIT columns
 *
 * Needs: state/simd_kernel.h, row.h, layer.h. Gives: panel_sweep.
 */
#ifndef KERNELS_CPU_SPARSE_PANEL_H
#define KERNELS_CPU_SPARSE_PANEL_H

#include "kernels/cpu/state/simd_kernel.h"

/* The number of rows from `top` on into which no active cell leads, from above or from the left. It
 * is a multiple of MIN_LAYER_ROWS, or all rows left. corner: D(top - 1,.) before the panel. */
static size_t empty_rows(const sparse_panel *panel, const sparse_row *above, size_t top,
                         float corner)
{
    const simd_template *tmpl = panel->tmpl;
    const float *d = tmpl->d + tmpl->pad;
    const uint32_t end = (uint32_t)panel_columns(panel);
    size_t i = top;
    if (!top || corner <= tmpl->eps || next_active(above, 0, end) < end) return 0;
    while (i < tmpl->length && d[i] > tmpl->eps) i++;
    return i < tmpl->length ? (i - top) / MIN_LAYER_ROWS * MIN_LAYER_ROWS : i - top;
}

static bool is_mostly_active(const sparse_panel *panel, const sparse_row *row)
{
    size_t n = 0;
    for (size_t b = 0; b < LANES * panel->blocks; b++) n += row->active[b];
    return 2 * n > LANES * panel->blocks;
}

/* Do the layer from row `top` on, swept or empty. Returns its rows. High layers cost less; low ones
 * follow the active cells more closely. */
static size_t next_layer(sparse_panel *panel, const sparse_row *above, sparse_row *below,
                         size_t top, float corner)
{
    const size_t left = panel->tmpl->length - top, empty = empty_rows(panel, above, top, corner);
    size_t rows = top ? MIN_LAYER_ROWS : panel->tmpl->first_rows;
    memset(below->active, 0, sizeof below->active);
    if (empty) {
        float *d = panel->tmpl->d + panel->tmpl->pad + top;
        for (size_t i = 0; i < empty; i++) d[i] = INFINITY;
        return empty;
    }
    if (top && is_mostly_active(panel, above)) rows = LAYER_ROWS / 2;
    if (rows > left) rows = left;
    layer_sweep(panel, top ? above : NULL, below, top, rows, corner);
    return rows;
}

/* Write minima and scores; row: D(m,.). */
static void output_row(const sparse_panel *panel, sparse_row *row)
{
    const simd_chunk *chunk = panel->chunk;
    const size_t n = panel_columns(panel), count = KERNEL_BLOCK / LANES;
    const uint64_t position = chunk->self->position;
    float *minima = chunk_minima(chunk, panel->tmpl) +
                    ((position + panel->begin) / KERNEL_BLOCK - position / KERNEL_BLOCK);
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
        if (!vf_at_most(lowest, panel->tmpl->eps)) continue;
        for (size_t lane = 0; lane < LANES; lane++)
            if (lowest[lane] < minima[b / count]) minima[b / count] = lowest[lane];
    }
    if (chunk->out->scores)
        memcpy(chunk_scores(chunk, panel->tmpl, panel->begin), row->value, n * sizeof *row->value);
}

/* Will the rows from `top` on exceed the budget by a third, at `each` a row? In the first third of
 * the rows that is unknown, since fewer cells are active further down. */
static bool will_exceed_budget(const sparse_panel *panel, size_t each, size_t top)
{
    const size_t length = panel->tmpl->length;
    return 3 * top > length && panel->done + each * (length - top) > panel->budget / 3 * 4;
}

/* Sweep a panel. False: given up beyond its budget. tmpl->d is then as before, and a dense sweep
 * must write the panel's minima, scores and checkpoints. */
static bool panel_sweep(sparse_panel *panel)
{
    simd_template *tmpl = panel->tmpl;
    const uint64_t position = panel->chunk->self->position + panel->begin;
    sparse_row *above = panel->scratch->sparse[0], *below = panel->scratch->sparse[1];
    float corner = 0, *before = panel->scratch->before;
    memcpy(before, tmpl->d + tmpl->pad, tmpl->length * sizeof *before);
    size_t deepest = 0, top = 0;
    clear_checkpoints(panel, tmpl->first_rows);
    while (top < tmpl->length) {
        const size_t done = panel->done, rows = next_layer(panel, above, below, top, corner);
        const size_t each = top ? (panel->done - done) / rows : 0;
        top += rows;
        if (panel->done > done) deepest = top;
        if (panel->done > panel->budget || will_exceed_budget(panel, each, top)) {
            memcpy(tmpl->d + tmpl->pad, before, tmpl->length * sizeof *before);
            return false;
        }
        sparse_row *next = above;
        above = below, below = next;
        corner = before[top - 1];
    }
    output_row(panel, above);
    set_active_to(tmpl, position, position + panel_columns(panel), deepest);
    return true;
}

#endif
