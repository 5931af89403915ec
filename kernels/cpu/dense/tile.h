/*
 * tile.h - one tile: a few rows of a template by some columns, for LANES segments in step.
 *
 *                      columns u ->
 *     corner | row   row   row   row          the row above; in place, the bottom row
 *     state    .     .     .     .
 *     state    .     .     .     .            one vector for each row stays in a register
 *     state  row'  row'  row'  row'
 *
 * Within a tile rows depend on each other from top to bottom, and columns from left to right. So a
 * tile of samples has two halves, which do two columns at a time:
 *
 *     upper half    column u          two independent chains of operations, taken in turns, so that
 *     lower half    column u - 1      a processor need not look far ahead
 *
 * Lanes sweep LANES segments side by side, one in each lane, a few columns of all rows at a time:
 *
 *     chunk    |<- segment 0 ->|<- segment 1 ->|  ...  |<- LANES-1 ->|
 *               n               n                       n                 columns at a time
 *     lane      0               1                       LANES-1
 *
 *     +----------------+
 *     |      tile      |  |   n columns of every segment, transposed: a vector holds one column of
 *     +----------------+  |   each. Tiles go from top to bottom; the row between two of them stays
 *     |      tile      |  v   in the cache.
 *     +----------------+
 *
 * Needs: isa/vector.h. Gives: TILE_ROWS, tile_row_at, lanes_gather, lanes_sweep, lanes_prefetch.
 */
#ifndef KERNELS_CPU_DENSE_TILE_H
#define KERNELS_CPU_DENSE_TILE_H

#include "kernels/cpu/isa/vector.h"

/* Rows of a tile: their state fits into the registers beside the values under way. */
#if LANES == 16
enum { TILE_ROWS = 16 };
#else
enum { TILE_ROWS = 8 };
#endif
enum { TILE_ROWS_OF_FRAMES = 8, HALVES = 2 };
_Static_assert(TILE_ROWS % TILE_ROWS_OF_FRAMES == 0, "a tile begins with a whole block of rows");

/* The place of row i of a template, its first value. Frames lie in blocks of TILE_ROWS_OF_FRAMES
 * rows, each dim x TILE_ROWS_OF_FRAMES: one value of all rows of a block is contiguous. */
SIMD_INLINE size_t tile_row_at(size_t i, size_t dim)
{
    const size_t within = i % TILE_ROWS_OF_FRAMES;
    return (i - within) * dim + within;
}

/* Do halves [first, last), of `rows` rows each, at columns u and u - 1. up: D of the row above each
 * half, replaced by D of its bottom row. before: D of the row above, one column earlier. */
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
            const vf best = vf_min(s[r], diag[h]);
            const vf cost = cell_cost(y[u - (size_t)h], x[r]);
            diag[h] = s[r];
            s[r] = up[h] = vf_min(best, up[h]) + cost;
        }
    }
}

/* Sweep `rows` rows of samples, in one or two halves, by n columns. state: D(.,t-1) of the rows.
 * row: D of the row above, replaced by the bottom row. corner: D of the row above, before the tile.
 * The template is copied to all lanes once: a copy at each load would cost Zen 4 as much as a
 * sixth operation of each cell. */
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

/* The same for frames. x: at tile_row_at; y: n x dim vectors. */
SIMD_INLINE void tile_frames(vf *state, const float *x, const vf *y, vf *row, vf corner, size_t n,
                             size_t dim, const int rows)
{
    vf s[TILE_ROWS_OF_FRAMES], before = corner;
    UNROLL
    for (int r = 0; r < rows; r++) s[r] = state[r];
    for (size_t t = 0; t < n; t++) {
        vf cost[TILE_ROWS_OF_FRAMES];
        UNROLL
        for (int r = 0; r < rows; r++) cost[r] = cell_cost(y[t * dim], vf_all(x[r]));
        const float *value = x;
        for (size_t k = 1; k < dim; k++) {
            value += TILE_ROWS_OF_FRAMES;
            UNROLL
            for (int r = 0; r < rows; r++)
                cost[r] = add_cell_cost(cost[r], y[t * dim + k], vf_all(value[r]));
        }
        vf up = row[t], diag = before;
        before = up;
        UNROLL
        for (int r = 0; r < rows; r++) {
            const vf best = vf_min(s[r], diag);
            diag = s[r];
            s[r] = up = vf_min(best, up) + cost[r];
        }
        row[t] = up;
    }
    UNROLL
    for (int r = 0; r < rows; r++) state[r] = s[r];
}

/* `rows`: a power of two, at most TILE_ROWS, or TILE_ROWS_OF_FRAMES if dim > 1. */
static void tile_sweep(vf *state, const float *x, const vf *y, vf *row, vf corner, size_t n,
                       size_t dim, size_t rows)
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

/* ---- lanes ---- */

/* Memory to fetch into the cache while tiles are swept: a few lines before each tile, since all at
 * once would delay the tiles' own loads. */
typedef struct {
    const float *y;           /* the samples of lane 0 that are gathered next */
    size_t stride;            /* floats from one lane's segment to the next one's */
    size_t lines;             /* cache lines of each lane */
    size_t line;              /* those that were fetched so far */
    float *checkpoint[LANES]; /* columns to store after the tiles; [0] NULL: none */
} lanes_prefetch;

/* Fetch the samples up to `line` of each lane. */
static inline void prefetch_samples(lanes_prefetch *next, size_t line)
{
    for (; next->line < line; next->line++) {
        const float *y = next->y + next->line * LINE_FLOATS;
        for (size_t lane = 0; lane < LANES; lane++) __builtin_prefetch(y + lane * next->stride);
    }
}

/* Fetch row i of the checkpoints, if a cache line begins there. */
static inline void prefetch_checkpoints(const lanes_prefetch *next, size_t i)
{
    if (!next->checkpoint[0] || i % LINE_FLOATS) return;
    for (size_t lane = 0; lane < LANES; lane++) __builtin_prefetch(next->checkpoint[lane] + i, 1);
}

/* Sweep `length` rows of a template by n columns; x begins with a block of rows. state: `length`
 * vectors; row and corner: as for a tile. */
static inline void lanes_sweep(vf *state, const float *x, size_t length, const vf *y, vf *row,
                               vf corner, size_t n, size_t dim, lanes_prefetch *next)
{
    size_t rows = dim > 1 ? TILE_ROWS_OF_FRAMES : TILE_ROWS;
    for (size_t i = 0; i < length; i += rows) {
        while (i + rows > length) rows /= 2;
        const vf below = state[i + rows - 1];
        prefetch_samples(next, next->lines * (i + rows) / length);
        prefetch_checkpoints(next, i);
        tile_sweep(state + i, x + tile_row_at(i, dim), y, row, corner, n, dim, rows);
        corner = below;
    }
}

/* Transpose: lane i of out[k] is y[i * stride + k], for k < count; count >= LANES. */
static inline void lanes_gather(const float *y, size_t stride, size_t count, vf *out)
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
