/*
 * sparse_way_simd.h - how a strip of a sparse sweep is swept (sparse_simd.h), by what is active in
 * the row above it.
 */
#ifndef KERNELS_SPARSE_WAY_SIMD_H
#define KERNELS_SPARSE_WAY_SIMD_H

#include "kernels/sparse_full_simd.h"

enum {
    /* Most rows of a strip that lanes sweep at their own pace; half as many of templates below
     * SPARSE_LONG. */
    SPARSE_ROWS = 2 * TILE_ROWS,
    SPARSE_LONG = 16 * TILE_ROWS,
    /* What a block of every lane takes, in hundredths of what it takes in a dense sweep: where
     * lanes are in step, and at their own pace. More blocks live than are active above. */
    FULL_COST = 160,
    LANES_COST = 220,
    /* A block of a run takes about a ninth of the latter (AVX-512). */
    RUNS_A_TURN = 9 * LANES / 16,
};

typedef enum { NO_STRIP, FULL_STRIP, LANES_STRIP, RUNS_STRIP } strip_way;

typedef struct {
    strip_way way;
    size_t rows;
} strip_plan;

/* Active blocks of a row. */
typedef struct {
    size_t all, most; /* in one segment at most */
    size_t pieces;    /* of a segment: those in pieces with an active one in any segment */
} row_activity;

static row_activity activity_of(const sparse_part *p, const sparse_row *row)
{
    row_activity a = {0};
    size_t blocks[LANES] = {0};
    for (size_t b = 0; b < p->blocks; b += FULL_BLOCKS) {
        uint32_t some = 0, four;
        for (size_t lane = 0; lane < LANES; lane++)
            for (size_t k = 0; k < FULL_BLOCKS; k += 4) {
                memcpy(&four, &row->active[lane * p->blocks + b + k], sizeof four);
                blocks[lane] += (size_t)__builtin_popcount(four);
                some |= four;
            }
        if (some) a.pieces += FULL_BLOCKS;
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        a.all += blocks[lane];
        if (blocks[lane] > a.most) a.most = blocks[lane];
    }
    return a;
}

/* Does nothing lead into so many rows from `top` on? corner: D(top - 1,.) before the part. */
static bool strip_is_empty(const sparse_part *p, const sparse_row *above, size_t top, size_t rows,
                           float corner)
{
    const simd_template *own = p->own;
    const uint32_t end = (uint32_t)part_columns(p);
    return next_active(above, 0, end) == end && corner > own->eps &&
           !any_at_most(own->d + own->pad + top, rows, own->eps);
}

/* Of samples, below the first strip. */
static strip_way way_below(const row_activity *a, size_t left)
{
    const size_t full = FULL_COST * a->pieces, lanes = LANES_COST * a->most;
    const size_t runs = left < RUN_ROWS ? SIZE_MAX : LANES_COST * a->all / RUNS_A_TURN;
    if (full <= lanes && full <= runs) return FULL_STRIP;
    return lanes <= runs ? LANES_STRIP : RUNS_STRIP;
}

/* The strip from row `top` on. */
static strip_plan plan_strip(const sparse_part *p, const sparse_row *above, size_t top,
                             float corner)
{
    const simd_template *own = p->own;
    const size_t left = own->length - top;
    const bool high = top && own->length >= SPARSE_LONG, samples = p->w->self->dim == 1;
    strip_plan plan = {LANES_STRIP, high ? SPARSE_ROWS : SPARSE_ROWS / 2};
    if (!top && samples) {
        plan = (strip_plan){FULL_STRIP, own->full_rows};
    } else if (top && strip_is_empty(p, above, top, plan.rows < left ? plan.rows : left, corner)) {
        plan.way = NO_STRIP;
    } else if (samples) {
        const row_activity a = activity_of(p, above);
        plan.way = way_below(&a, left);
        if (plan.way == RUNS_STRIP) plan.rows = RUN_ROWS;
        if (plan.way == FULL_STRIP)
            plan.rows =
                top > p->first + 1 && 2 * a.all > LANES * p->blocks ? FULL_ROWS / 2 : FULL_LEAST;
    }
    if (plan.rows > left) plan.rows = left;
    return plan;
}

#endif
