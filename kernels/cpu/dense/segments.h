/*
 * segments_simd.h - windows of many template lengths, frames of any dim: LANES segments of
 * the window side by side, one in each lane.
 *
 *     window   |<- segment 0 ->|<- segment 1 ->|  ...  |<- LANES-1 ->|
 *     lane             0               1                     LANES-1
 *
 * A tile is some rows of the template by a piece of columns; its state, one vector a row,
 * stays in registers, and the row between two tiles in cache. All segments start at once:
 * the first from the true column before the window, the others from +inf. See seams_simd.h
 * for what makes that exact.
 */
#ifndef KERNELS_CPU_DENSE_SEGMENTS_H
#define KERNELS_CPU_DENSE_SEGMENTS_H

#include "kernels/cpu/isa/vector.h"

/* Rows of a tile whose state fits into the registers beside what is in flight. */
#if LANES == 16
enum { TILE_ROWS = 16 };
#else
enum { TILE_ROWS = 8 };
#endif
enum { TILE_ROWS_OF_FRAMES = 8 };
_Static_assert(TILE_ROWS % TILE_ROWS_OF_FRAMES == 0, "strips of whole tiles begin with a block");

/* Where row i of a template begins. Frames lie in blocks of TILE_ROWS_OF_FRAMES rows, each dim x
 * TILE_ROWS_OF_FRAMES: what a tile compares with one value of a frame stands side by side. */
SIMD_INLINE size_t tile_row_at(size_t i, size_t dim)
{
    const size_t within = i % TILE_ROWS_OF_FRAMES;
    return (i - within) * dim + within;
}

/* Rows of a tile depend on each other from top to bottom, columns from left to right. So a tile
 * is cut in two halves, and the lower one is a column behind the upper one: two chains of
 * dependent operations, in turns, so that a processor need look ahead less far. */
enum { HALVES = 2 };

/* Of the halves from first up to last, of `rows` rows each, the columns u and u - 1. up: D of the
 * row above each, there, in place that of its bottom row; before: D of the row above, one
 * column before. */
SIMD_INLINE void halves_column(vf *s, const vf *x, const vf *y, size_t u, vf up[HALVES],
                               vf before[HALVES], const int rows, const int first, const int last)
{
    vf diag[HALVES];
    UNROLL
    for (int h = first; h < last; h++) {
        diag[h] = before[h];
        before[h] = up[h];
    }
    UNROLL
    for (int i = 0; i < rows; i++) {
        UNROLL
        for (int h = first; h < last; h++) {
            const int r = h * rows + i;
            vf best = vf_min(s[r], diag[h]);
            vf cost = vf_abs(y[u - (size_t)h] - x[r]);
            diag[h] = s[r];
            s[r] = up[h] = vf_min(best, up[h]) + cost;
        }
    }
}

/* One tile: `rows` rows, in one or two halves, by n columns of samples. state: D(.,t-1) of its
 * rows; row: D of the row above, in place that of the bottom row; corner: D of the row above
 * before the piece. The template's values are copied to all lanes once: on Zen 4 to do so at each
 * load takes what a sixth operation of each cell would. */
SIMD_INLINE void tile_samples(vf *state, const float *template, const vf *y, vf *row, vf corner,
                              size_t n, const int rows, const int halves)
{
    vf s[TILE_ROWS], x[TILE_ROWS], up[HALVES], before[HALVES] = {corner};
    const int half = rows / halves;
    size_t u = 0;
    UNROLL
    for (int r = 0; r < rows; r++) {
        s[r] = state[r];
        x[r] = vf_all(template[r]);
    }
    if (halves > 1) {
        before[1] = s[half - 1];
        up[0] = row[u];
        halves_column(s, x, y, u++, up, before, half, 0, 1);
        up[1] = up[0];
    }
#pragma GCC unroll 2
    for (; u < n; u++) {
        up[0] = row[u];
        halves_column(s, x, y, u, up, before, half, 0, halves);
        row[u - (size_t)halves + 1] = up[halves - 1];
        up[halves - 1] = up[0];
    }
    if (halves > 1) {
        halves_column(s, x, y, u, up, before, half, 1, HALVES);
        row[u - 1] = up[1];
    }
    UNROLL
    for (int r = 0; r < rows; r++) state[r] = s[r];
}

/* Add |y - x| to the costs of `rows` <= TILE_ROWS_OF_FRAMES rows. So that they do not wait for each
 * other, each operation is done for all of them, where there are registers for what lies between.
 */
SIMD_INLINE void costs_add(vf *cost, const float *x, vf y, const int rows)
{
#if LANES == 16
    vf d[TILE_ROWS_OF_FRAMES];
    UNROLL
    for (int r = 0; r < rows; r++) d[r] = y - vf_all(x[r]);
    UNROLL
    for (int r = 0; r < rows; r++) d[r] = vf_abs(d[r]);
    UNROLL
    for (int r = 0; r < rows; r++) cost[r] = vf_add_fused(d[r], cost[r]);
#else
    UNROLL
    for (int r = 0; r < rows; r++) cost[r] = vf_add_fused(vf_abs(y - vf_all(x[r])), cost[r]);
#endif
}

/* The same for frames: x is that of tile_row_at, y is n x dim vectors. */
SIMD_INLINE void tile_frames(vf *state, const float *x, const vf *y, vf *row, vf corner, size_t n,
                             size_t dim, const int rows)
{
    vf s[TILE_ROWS_OF_FRAMES], before = corner;
    UNROLL
    for (int r = 0; r < rows; r++) s[r] = state[r];
    for (size_t t = 0; t < n; t++) {
        vf cost[TILE_ROWS_OF_FRAMES];
        UNROLL
        for (int r = 0; r < rows; r++) cost[r] = vf_abs(y[t * dim] - vf_all(x[r]));
        const float *value = x;
        for (size_t k = 1; k < dim; k++) {
            value += TILE_ROWS_OF_FRAMES;
            costs_add(cost, value, y[t * dim + k], rows);
        }
        vf up = row[t], diag = before;
        before = up;
        UNROLL
        for (int r = 0; r < rows; r++) {
            vf best = vf_min(s[r], diag);
            diag = s[r];
            s[r] = up = vf_min(best, up) + cost[r];
        }
        row[t] = up;
    }
    UNROLL
    for (int r = 0; r < rows; r++) state[r] = s[r];
}

/* `rows` is a power of two up to the tile's. */
static void tile(vf *state, const float *x, const vf *y, vf *row, vf corner, size_t n, size_t dim,
                 size_t rows)
{
    if (dim > 1) {
        switch (rows) {
        case 8: tile_frames(state, x, y, row, corner, n, dim, 8); break;
        case 4: tile_frames(state, x, y, row, corner, n, dim, 4); break;
        case 2: tile_frames(state, x, y, row, corner, n, dim, 2); break;
        default: tile_frames(state, x, y, row, corner, n, dim, 1);
        }
        return;
    }
    switch (rows) {
    case 16: tile_samples(state, x, y, row, corner, n, 16 % (TILE_ROWS + 1), HALVES); break;
    case 8: tile_samples(state, x, y, row, corner, n, 8, HALVES); break;
    case 4: tile_samples(state, x, y, row, corner, n, 4, 1); break;
    case 2: tile_samples(state, x, y, row, corner, n, 2, 1); break;
    default: tile_samples(state, x, y, row, corner, n, 1, 1);
    }
}

/* What goes towards the cache while the tiles before it are swept, line by line: all at once would
 * keep these from their own loads. `lines` cache lines of each lane's segment, the segments being
 * `stride` floats apart, that are gathered next; and each lane's column, where the piece ends in
 * one to keep. */
typedef struct {
    const float *y;
    size_t stride, lines;
    size_t line;        /* the next one of each lane */
    float *kept[LANES]; /* or kept[0] is NULL */
} segments_ahead;

/* Where rows from i on are to be kept, if that is where a line begins. */
static inline void segments_prefetch_kept(const segments_ahead *next, size_t i)
{
    if (!next->kept[0] || i % LINE_FLOATS) return;
    for (size_t lane = 0; lane < LANES; lane++) __builtin_prefetch(next->kept[lane] + i, 1);
}

/* As many lines of each lane as are below `line`. */
static inline void segments_prefetch(segments_ahead *next, size_t line)
{
    for (; next->line < line; next->line++) {
        const float *y = next->y + next->line * LINE_FLOATS;
        for (size_t lane = 0; lane < LANES; lane++) __builtin_prefetch(y + lane * next->stride);
    }
}

/* `length` rows of a template, from a block's beginning on, over a piece of n columns: state is
 * `length` vectors, row and corner as for a tile. */
static inline void segments_piece(vf *state, const float *x, size_t length, const vf *y, vf *row,
                                  vf corner, size_t n, size_t dim, segments_ahead *next)
{
    size_t rows = dim > 1 ? TILE_ROWS_OF_FRAMES : TILE_ROWS;
    for (size_t i = 0; i < length; i += rows) {
        while (i + rows > length) rows /= 2;
        const vf below = state[i + rows - 1];
        segments_prefetch(next, next->lines * (i + rows) / length);
        segments_prefetch_kept(next, i);
        tile(state + i, x + tile_row_at(i, dim), y, row, corner, n, dim, rows);
        corner = below;
    }
}

/* LANES rows of `count` floats, the lanes' segments being `stride` floats apart, become count
 * vectors, one float of every lane in each. count >= LANES. */
static inline void segments_gather(const float *y, size_t stride, size_t count, vf *out)
{
    for (size_t i = 0; i < count; i += LANES) {
        const size_t at = i + LANES <= count ? i : count - LANES;
        const float *p[LANES];
        vf r[LANES];
        for (size_t lane = 0; lane < LANES; lane++) p[lane] = y + lane * stride + at;
        vf_load_transposed(p, r);
        for (size_t k = 0; k < LANES; k++) out[at + k] = r[k];
    }
}

#endif
