/*
 * sparse_top_simd.h - the first rows of a sparse sweep of samples (sparse_runs_simd.h). Row 0
 * is free, so that nothing in them can be skipped: they are swept by LANES segments of the part, a
 * lane each, as in seams_simd.h. What comes out below is told where it is <= eps.
 */
#ifndef KERNELS_SPARSE_TOP_SIMD_H
#define KERNELS_SPARSE_TOP_SIMD_H

#include "kernels/sparse_row_simd.h"

enum {
    TOP_ROWS = 16,
    TOP_PIECE = KERNEL_BLOCK,               /* columns of each lane's segment at a time */
    TOP_UNIT = LANES * TOP_PIECE,           /* a part is a multiple of it */
    TOP_PIECES = SPARSE_COLUMNS / TOP_UNIT, /* of a part at most */
};

/* Where lanes of the first strip were after each piece. */
typedef struct runs_top {
    vf state[TOP_PIECES][TOP_ROWS];
} runs_top;

/* Lanes that are at a column to keep: their rows. c: columns that each has behind it. */
static void top_keep(const sparse_part *p, const vf *state, size_t rows, size_t c, uint32_t lanes)
{
    const simd_template *own = p->own;
    const uint64_t begin = p->w->self->position + p->begin + c;
    const size_t each = LANES * p->blocks, spacing = own->kept.spacing;
    float *d[LANES];
    uint32_t kept = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        kept |= (uint32_t)(((begin + lane * each) & (spacing - 1)) == 0) << lane;
    kept &= lanes;
    if (!kept) return;
    if (each % spacing == 0)
        columns_series(&own->kept, begin, each, LANES, d);
    else
        for (size_t lane = 0; lane < LANES; lane++)
            d[lane] = columns_at(&own->kept, begin + lane * each);
    for (size_t i = 0; i < rows; i += LANES) {
        const size_t count = rows - i < LANES ? rows - i : LANES;
        const float *p_rows[LANES];
        vf r[LANES];
        for (size_t k = 0; k < LANES; k++)
            p_rows[k] = (const float *)&state[i + (k < count ? k : 0)];
        vf_load_transposed(p_rows, r);
        for (uint32_t left = kept; left; left &= left - 1) {
            const size_t lane = (size_t)__builtin_ctz(left);
            memcpy(d[lane] + i, &r[lane], count * sizeof(float));
        }
    }
}

/* The bottom row of a piece from column c of each lane's segment on, where it is active. */
static void top_tell(const sparse_part *p, sparse_row *below, size_t c, uint32_t lanes)
{
    const vf *row = p->bench->row;
    const size_t each = LANES * p->blocks;
    for (size_t t = 0; t < TOP_PIECE; t += RUN_STEPS) {
        vf least = row[t];
        for (size_t k = 1; k < RUN_STEPS; k++) least = vf_min(least, row[t + k]);
        const uint32_t out = vf_at_most(least, p->own->eps) & lanes;
        for (size_t k = 0; out && k < RUN_STEPS; k += LANES) {
            const float *rows[LANES];
            vf values[LANES];
            for (size_t i = 0; i < LANES; i++) rows[i] = (const float *)&row[t + k + i];
            vf_load_transposed(rows, values);
            for (uint32_t left = out; left; left &= left - 1) {
                const size_t lane = (size_t)__builtin_ctz(left);
                const size_t at = lane * each + c + t;
                vf_store(below->value + at + k, values[lane]);
                below->active[(at + k) / LANES] = true;
            }
        }
    }
}

/* Lanes that differ, in a cell <= eps, from where they were before. */
static uint32_t top_differs(const vf *a, const vf *b, size_t rows, float eps)
{
    vi differs = {0};
    for (size_t i = 0; i < rows; i++) differs |= (a[i] != b[i]) & (vf_min(a[i], b[i]) <= eps);
    return sparse_lanes(differs);
}

/* Sweep some lanes' segments; all of them but in the first round until they are where they
 * were before. Returns which never were; `state` is where lanes got to. */
static uint32_t top_round(sparse_part *p, sparse_row *below, vf *state, size_t rows, uint32_t lanes,
                          bool again)
{
    const simd_template *own = p->own;
    const size_t each = LANES * p->blocks;
    for (size_t c = 0; c < each && lanes; c += TOP_PIECE) {
        const float *y = p->w->frames + p->begin + c;
        segments_gather(y, each, TOP_PIECE, p->bench->y);
        memset(p->bench->row, 0, TOP_PIECE * sizeof *p->bench->row);
        segments_piece(state, own->x, rows, p->bench->y, p->bench->row, (vf){0}, TOP_PIECE, 1,
                       &(segments_ahead){0});
        top_tell(p, below, c, lanes);
        top_keep(p, state, rows, c + TOP_PIECE, lanes);
        vf *was = p->bench->top->state[c / TOP_PIECE];
        if (again) lanes &= top_differs(state, was, rows, own->eps);
        for (size_t i = 0; i < rows; i++) was[i] = vf_pick(lanes, state[i], was[i]);
        p->done += rows * TOP_UNIT * 5 / 4;
    }
    return lanes;
}

/* Lanes but the first begin from +inf, and again from where their predecessors got to. */
static void top_sweep(sparse_part *p, sparse_row *below, size_t rows)
{
    const uint32_t all = (1u << LANES) - 1;
    float *d = p->own->d + p->own->pad;
    vf state[TOP_ROWS], *end = p->bench->top->state[part_columns(p) / TOP_UNIT - 1];
    for (size_t i = 0; i < rows; i++) {
        state[i] = vf_all(INFINITY);
        state[i][0] = d[i];
    }
    top_round(p, below, state, rows, all, false);
    for (uint32_t lanes = all & ~1u; lanes && p->done <= p->budget;) {
        for (size_t i = 0; i < rows; i++) state[i] = vf_shift(vf_all(INFINITY), end[i]);
        lanes = top_round(p, below, state, rows, lanes, true) << 1 & all;
    }
    for (size_t i = 0; i < rows; i++) d[i] = end[i][LANES - 1];
}

#endif
