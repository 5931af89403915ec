/*
 * sparse_row_simd.h - what sparse sweeps hand from a strip of rows to the next, of a part of the
 * window, and what they keep.
 */
#ifndef KERNELS_CPU_SPARSE_ROW_H
#define KERNELS_CPU_SPARSE_ROW_H

#include "kernels/cpu/dense/dense.h"

enum {
    SPARSE_COLUMNS = 32768, /* most of a part */
    SPARSE_BLOCKS = SPARSE_COLUMNS / LANES,
    SPARSE_NOTHING = SPARSE_COLUMNS, /* a column behind the part, +inf in all its rows, and ... */
    SPARSE_INFINITE = 16             /* ... so many of it */
};

/* A row of the part: its values, and which blocks have a cell <= eps; the values of the others
 * say nothing. */
typedef struct sparse_row {
    float value[SPARSE_NOTHING + SPARSE_INFINITE];
    bool active[SPARSE_BLOCKS + 8]; /* read in words */
} sparse_row;

typedef struct {
    const simd_window *w;
    simd_template *own;
    simd_bench *bench;
    size_t begin;        /* the part's first frame in the window */
    bool gathered;       /* its samples are transposed: sparse_full_simd.h */
    size_t blocks;       /* of LANES columns, of each of LANES segments */
    size_t done, budget; /* cells that the dense sweep does in the time taken, and allowed; about */
} sparse_part;

static size_t part_columns(const sparse_part *p)
{
    return LANES * LANES * p->blocks;
}

/* The first column from `column` to `end` whose block is active: eight blocks at a time. */
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

/* Columns kept after frames [from, to): their slots, one after the other. */
typedef struct {
    size_t slot, left;
} kept_slots;

static kept_slots kept_between(const columns *kept, uint64_t from, uint64_t to)
{
    const uint64_t first = from / kept->spacing + 1;
    return (kept_slots){.slot = columns_slot(kept, first * kept->spacing),
                        .left = (size_t)(to / kept->spacing + 1 - first)};
}

static void kept_next(kept_slots *at, const columns *kept)
{
    at->left--;
    if (++at->slot == kept->slots) at->slot = 0;
}

/* They may have values of eps or less in so many rows. */
static void kept_say_rows(const simd_template *own, uint64_t from, uint64_t to, size_t rows)
{
    if (!own->kept_rows) return;
    for (kept_slots at = kept_between(&own->kept, from, to); at.left; kept_next(&at, &own->kept))
        own->kept_rows[at.slot] = (uint32_t)rows;
}

/* Columns that are kept within the part begin as +inf from row `top` on. */
static void sparse_clear_kept(const sparse_part *p, size_t top)
{
    const simd_template *own = p->own;
    const uint64_t from = p->w->self->position + p->begin, to = from + part_columns(p);
    for (kept_slots at = kept_between(&own->kept, from, to); at.left; kept_next(&at, &own->kept)) {
        float *d = own->kept.d + at.slot * own->kept.stride;
        for (size_t i = top; i < own->kept_rows[at.slot]; i++) d[i] = INFINITY;
    }
}

#endif
