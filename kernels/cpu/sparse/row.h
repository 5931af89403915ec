/*
 * row.h - a panel: the columns of D that are swept sparsely at a time. And a row of D over a panel,
 * which a layer of rows hands to the layer below.
 *
 *     columns   |--- block ---|--- block ---|--- block ---|  ...  | +inf |
 *     value      D D D  ...    ?             D D D  ...            always
 *     active     true          false         true                 a cell <= eps in this block?
 *
 * Needs: state/simd_kernel.h.
 * Gives: sparse_panel, sparse_row, next_active; the rows from which on checkpoints are above eps.
 */
#ifndef KERNELS_CPU_SPARSE_ROW_H
#define KERNELS_CPU_SPARSE_ROW_H

#include "kernels/cpu/state/simd_kernel.h"

enum {
    PANEL_COLUMNS = 32768, /* of a panel at most */
    PANEL_BLOCKS = PANEL_COLUMNS / LANES,
    INFINITE_AT = PANEL_COLUMNS, /* a row ends in values of +inf from here on ... */
    INFINITE_COLUMNS = 16        /* ... for this many columns */
};

typedef struct sparse_row {
    float value[INFINITE_AT + INFINITE_COLUMNS]; /* defined in active blocks alone */
    bool active[PANEL_BLOCKS + 8];               /* blocks of LANES columns; read in words */
} sparse_row;

/* Some columns of a chunk for one template, swept sparsely as LANES segments. */
typedef struct {
    const simd_chunk *chunk;
    simd_template *tmpl;
    simd_scratch *scratch;
    size_t begin;        /* the chunk's frame at which the panel begins */
    size_t blocks;       /* of each segment, LANES columns each */
    bool gathered;       /* the layers' scratch holds the panel's samples */
    size_t done, budget; /* cost so far, and allowed: cells that a dense sweep does in that time */
} sparse_panel;

static size_t panel_columns(const sparse_panel *panel)
{
    return LANES * LANES * panel->blocks;
}

/* The first column in [column, end) whose block is active, else end. */
static uint32_t next_active(const sparse_row *row, uint32_t column, uint32_t end)
{
    uint64_t blocks = 0;
    for (; column < end; column += 8 * LANES) {
        memcpy(&blocks, &row->active[column / LANES], sizeof blocks);
        if (blocks) break;
    }
    for (; column < end && !row->active[column / LANES];) column += LANES;
    return column < end ? column : end;
}

/* ---- rows of checkpoints that may be active: simd_template.active_to ---- */

/* The slots of the checkpoints after frames [from, to), one by one. */
typedef struct {
    size_t slot, left;
} slot_cursor;

static slot_cursor slots_between(const checkpoints *ring, uint64_t from, uint64_t to)
{
    const uint64_t first = from / ring->spacing + 1;
    return (slot_cursor){.slot = checkpoint_slot(ring, first * ring->spacing),
                         .left = (size_t)(to / ring->spacing + 1 - first)};
}

static void next_slot(slot_cursor *at, const checkpoints *ring)
{
    at->left--;
    if (++at->slot == ring->slots) at->slot = 0;
}

/* Note that checkpoints after frames [from, to) may be active in the first `rows` rows. */
static void set_active_to(const simd_template *tmpl, uint64_t from, uint64_t to, size_t rows)
{
    const checkpoints *ring = &tmpl->checkpoints;
    if (!tmpl->active_to) return;
    for (slot_cursor at = slots_between(ring, from, to); at.left; next_slot(&at, ring))
        tmpl->active_to[at.slot] = (uint32_t)rows;
}

/* The panel's checkpoints become +inf from row `top` on. Layers then write their rows, and rows
 * that no layer sweeps are right. */
static void clear_checkpoints(const sparse_panel *panel, size_t top)
{
    const simd_template *tmpl = panel->tmpl;
    const checkpoints *ring = &tmpl->checkpoints;
    const uint64_t from = panel->chunk->self->position + panel->begin,
                   to = from + panel_columns(panel);
    for (slot_cursor at = slots_between(ring, from, to); at.left; next_slot(&at, ring)) {
        float *d = ring->d + at.slot * ring->stride;
        for (size_t i = top; i < tmpl->active_to[at.slot]; i++) d[i] = INFINITY;
    }
}

#endif
