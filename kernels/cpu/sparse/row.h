/*
 * row.h - one row of D over a span: what a layer of a sparse sweep hands to the layer below.
 *
 *     columns   |--- block ---|--- block ---|--- block ---|  ...  | +inf |
 *     value      D D D  ...    ?             D D D  ...            always
 *     active     true          false         true                 a cell <= eps in this block?
 *
 * Needs: state.h. Gives: sparse_row, sparse_span, next_active; the rows below which checkpoints are
 * known to be above eps.
 */
#ifndef KERNELS_CPU_SPARSE_ROW_H
#define KERNELS_CPU_SPARSE_ROW_H

#include "kernels/cpu/state.h"

enum {
    SPAN_COLUMNS = 32768, /* of a span at most */
    SPAN_BLOCKS = SPAN_COLUMNS / LANES,
    INFINITE_AT = SPAN_COLUMNS, /* where values are +inf, ... */
    INFINITE_COLUMNS = 16       /* ... so many of them */
};

typedef struct sparse_row {
    float value[INFINITE_AT + INFINITE_COLUMNS]; /* defined in active blocks alone */
    bool active[SPAN_BLOCKS + 8];                /* blocks of LANES columns; read in words */
} sparse_row;

/* Some frames of a chunk, swept sparsely for one template, as LANES segments. */
typedef struct {
    const simd_chunk *chunk;
    simd_template *tmpl;
    simd_scratch *scratch;
    size_t begin;        /* the chunk's frame at which the span begins */
    size_t blocks;       /* of each segment, LANES columns each */
    bool gathered;       /* the layers' scratch holds the span's samples */
    size_t done, budget; /* time taken and allowed, in cells that a dense sweep does in it */
} sparse_span;

static size_t span_columns(const sparse_span *span)
{
    return LANES * LANES * span->blocks;
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

/* ---- rows of checkpoints that may be active ---- */

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

/* Checkpoints after frames [from, to) may be active in the first `rows` rows. */
static void set_active_to(const simd_template *tmpl, uint64_t from, uint64_t to, size_t rows)
{
    const checkpoints *ring = &tmpl->checkpoints;
    if (!tmpl->active_to) return;
    for (slot_cursor at = slots_between(ring, from, to); at.left; next_slot(&at, ring))
        tmpl->active_to[at.slot] = (uint32_t)rows;
}

/* The span's checkpoints become +inf from row `top` on; layers then write active rows alone. */
static void clear_checkpoints(const sparse_span *span, size_t top)
{
    const simd_template *tmpl = span->tmpl;
    const checkpoints *ring = &tmpl->checkpoints;
    const uint64_t from = span->chunk->self->position + span->begin, to = from + span_columns(span);
    for (slot_cursor at = slots_between(ring, from, to); at.left; next_slot(&at, ring)) {
        float *d = ring->d + at.slot * ring->stride;
        for (size_t i = top; i < tmpl->active_to[at.slot]; i++) d[i] = INFINITY;
    }
}

#endif
