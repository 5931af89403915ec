/*
 * lanes.h - LANES segments side by side, one in each lane; a few columns of all rows at a time.
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
 * Needs: isa/vector.h, tile.h. Gives: lanes_gather, lanes_sweep, lanes_prefetch.
 */
#ifndef KERNELS_CPU_DENSE_LANES_H
#define KERNELS_CPU_DENSE_LANES_H

#include "kernels/cpu/isa/vector.h"

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
