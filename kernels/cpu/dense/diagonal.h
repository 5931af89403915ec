/*
 * diagonal.h - any number of samples, along anti-diagonals: in each step every row of a tile does
 * one cell.
 *
 *     column   0   1   2   3   4           the number in a cell is its step: row + column
 *     row 0    0   1   2   3   4
 *     row 1    1   2   3   4   5           cells of one step do not depend on each other
 *     row 2    2   3   4   5   6
 *
 * Rows are dealt to the vectors in turns (Farrar's stripes), here 9 rows to 3 vectors of 3 lanes:
 *
 *     vector    0   1   2
 *     lane 0    0   1   2      rows        up   = the vector before, one step ago
 *     lane 1    3   4   5                  left = the vector itself, one step ago
 *     lane 2    6   7   8                  diag = the vector before, two steps ago
 *
 * Before vector 0 comes the last vector: its lanes move up by one, and lane 0 gets the row above
 * the tile. Samples move through the vectors in the same way, a row each step.
 *
 * The bottom row, the last lane of the last vector, is handed to the next tile. The first tile may
 * begin above the template. Those rows cost nothing, so D is 0 in them as in row 0. Lanes that have
 * not begun, or are done, hold their value: a sweep goes from a column to a column.
 *
 * Row r of a checkpoint appears r steps after its row 0, in vector r mod `vectors`. So steps leave
 * vectors in memory, the trail, and after some steps the rows of checkpoints are copied from there.
 * If `vectors` is a power of two, it divides the spacing of checkpoints. Then all rows that appear
 * in one step are in the same vector, and the step leaves this one alone; else it leaves all.
 *
 * Needs: isa/vector.h, checkpoints.h. Gives: diagonal_samples, diagonal_sweep.
 */
#ifndef KERNELS_CPU_DENSE_DIAGONAL_H
#define KERNELS_CPU_DENSE_DIAGONAL_H

#include <math.h>

#include "kernels/cpu/isa/vector.h"
#include "kernels/cpu/state/checkpoints.h"

/* The registers hold each vector three times: two steps' values and the samples. */
#if LANES == 16
enum { DIAGONAL_VECTORS = 8 };
#else
enum { DIAGONAL_VECTORS = 4 };
#endif
enum {
    DIAGONAL_ROWS = DIAGONAL_VECTORS * LANES,
    DIAGONAL_TRAIL = 4096 / LANES,  /* vectors: 16 KiB, which fit into the first cache */
    FEW_SAMPLES = 8 * DIAGONAL_ROWS /* with fewer, tiles are lower, so that they fill sooner */
};

/* What is swept, and where the results go. */
typedef struct {
    const float *y; /* n >= 1 samples */
    float *row;     /* n values: D of the row above a tile, replaced by its bottom row */
    size_t n;
    uint64_t position; /* frames before the first sample */
    const checkpoints *checkpoints;
} diagonal_samples;

/* One tile under way. */
typedef struct {
    vf x[DIAGONAL_VECTORS];
    vi sign_off[DIAGONAL_VECTORS]; /* INT32_MAX, or 0 above the template */
    vf now[DIAGONAL_VECTORS];      /* D one step ago */
    vf before[DIAGONAL_VECTORS];   /* D two steps ago */
    vf corner;                     /* diag of vector 0 */
    vf y[DIAGONAL_VECTORS];        /* the samples one step ago */
    vf trail[DIAGONAL_TRAIL];      /* what the last steps left */
    size_t rows;                   /* lanes of all vectors */
    size_t missing;                /* the first rows, which lie above the template */
    size_t top;                    /* the template's first row in this tile */
    size_t checkpoint_after;       /* columns up to the first checkpoint that still lacks rows */
    float *checkpoint;             /* this checkpoint's memory */
} diagonal_tile;

/* Vectors that a step leaves in the trail. */
SIMD_INLINE int trail_width(const int vectors)
{
    return vectors & (vectors - 1) ? vectors : 1;
}

/* Steps after which the trail begins with the same vector again. Even, since steps swap two arrays.
 */
SIMD_INLINE int trail_period(const int vectors, const int width)
{
    return width < vectors ? vectors : 2;
}

/* The arithmetic of a step: `before` becomes the step after `now`. y: the samples one step ago,
 * replaced by this step's. *bottom: D of the bottom row before the step. */
SIMD_INLINE void step_vectors(const diagonal_tile *tile, const vf *now, vf *before, vf *corner,
                              vf *y, float sample, float above, float *bottom, const int vectors)
{
    const vf last = vf_rotate(now[vectors - 1]);
    const vf up = vf_with_first(last, above);
    const vf first = vf_shift(y[vectors - 1], sample);
    *bottom = last[0];
    UNROLL
    for (int v = vectors - 1; v > 0; v--) {
        y[v] = y[v - 1];
        const vf best = vf_min(vf_min(before[v - 1], now[v]), now[v - 1]);
        before[v] = best + masked_cell_cost(y[v], tile->x[v], tile->sign_off[v]);
    }
    y[0] = first;
    before[0] =
        vf_min(vf_min(*corner, now[0]), up) + masked_cell_cost(y[0], tile->x[0], tile->sign_off[0]);
    *corner = up;
}

/* Lanes at columns outside of [0, n) hold their value. */
SIMD_INLINE void hold_outside(const vf *now, vf *next, size_t step, size_t n, const int vectors)
{
    UNROLL
    for (int v = 0; v < vectors; v++) {
        const vi t = (int32_t)step - v - vi_iota() * vectors;
        next[v] = vf_where(vi_within(t, (int32_t)n), next[v], now[v]);
    }
}

/* Step number `step` of the tile. edge: some lanes may not have begun, or be done. */
SIMD_INLINE void diagonal_step(diagonal_tile *tile, const diagonal_samples *samples, size_t step,
                               const vf *now, vf *before, vf *corner, vf *y, const int vectors,
                               const bool edge)
{
    const size_t bottom = tile->rows; /* the bottom row's column is this far back: a step late */
    float nowhere;
    const bool inside = !edge || step < samples->n;
    const float sample = inside ? samples->y[step] : 0, above = inside ? samples->row[step] : 0;
    const bool reached = !edge || (step >= bottom && step < samples->n + bottom);
    step_vectors(tile, now, before, corner, y, sample, above,
                 reached ? &samples->row[step - bottom] : &nowhere, vectors);
    if (edge) hold_outside(now, before, step, samples->n, vectors);
}

/* The i-th step leaves all vectors in the trail, or one. */
SIMD_INLINE void leave_trail(vf *trail, const vf *d, int i, const int vectors, const int width)
{
    UNROLL
    for (int v = 0; v < width; v++) trail[i * width + v] = d[width == vectors ? v : i % vectors];
}

/* Steps [step, step + steps), each leaving `width` vectors: whole periods, except at an edge. */
SIMD_INLINE void diagonal_steps(diagonal_tile *tile, const diagonal_samples *samples, size_t step,
                                size_t steps, const int vectors, const int width, const bool edge)
{
    const int period = trail_period(vectors, width);
    vf a[DIAGONAL_VECTORS], b[DIAGONAL_VECTORS], y[DIAGONAL_VECTORS];
    vf corner = tile->corner, *trail = tile->trail;
    UNROLL
    for (int v = 0; v < vectors; v++) {
        a[v] = tile->now[v];
        b[v] = tile->before[v];
        y[v] = tile->y[v];
    }
    size_t i = 0;
    for (; i + (size_t)period <= steps; i += (size_t)period, trail += period * width) {
        UNROLL
        for (int k = 0; k < period; k += 2) {
            const size_t even = step + i + (size_t)k;
            diagonal_step(tile, samples, even, a, b, &corner, y, vectors, edge);
            leave_trail(trail, b, k, vectors, width);
            diagonal_step(tile, samples, even + 1, b, a, &corner, y, vectors, edge);
            leave_trail(trail, a, k + 1, vectors, width);
        }
    }
    const bool one = edge && i < steps;
    if (one) {
        diagonal_step(tile, samples, step + i, a, b, &corner, y, vectors, edge);
        leave_trail(trail, b, 0, vectors, width);
    }
    UNROLL
    for (int v = 0; v < vectors; v++) {
        tile->now[v] = one ? b[v] : a[v];
        tile->before[v] = one ? a[v] : b[v];
        tile->y[v] = y[v];
    }
    tile->corner = corner;
}

/* Copy rows of checkpoints from the trail of steps [step, step + steps). The checkpoint after
 * `after` columns is column after - 1, so its row r appeared in step after - 1 + r:
 *
 *     trail     | step s | step s + 1 | ...     its row r = s + 1 - after is in vector
 *     row         r        r + 1                r mod vectors, lane r / vectors
 */
SIMD_INLINE void store_from_trail(diagonal_tile *tile, const diagonal_samples *samples, size_t step,
                                  size_t steps, const int vectors, const int width)
{
    const size_t count = (size_t)vectors;
    const size_t apart = (size_t)(width == vectors ? width + 1 : 1) * LANES;
    const float *trail = (const float *)tile->trail;
    float *column = tile->checkpoint;
    for (size_t after = tile->checkpoint_after; after <= samples->n && after <= step + steps;
         after += samples->checkpoints->spacing) {
        const size_t from = after <= step ? step + 1 - after : 0;
        const size_t rows = step + steps + 1 - after, to = rows < tile->rows ? rows : tile->rows;
        for (size_t r = from > tile->missing ? from : tile->missing; r < to;) {
            const size_t lane = r / count, i = after + r - step - 1;
            const size_t end = (lane + 1) * count < to ? (lane + 1) * count : to;
            const size_t v = width == vectors ? r % count : 0;
            const float *d = trail + (i * (size_t)width + v) * LANES + lane;
            float *out = column + tile->top + r - tile->missing;
            if (end - r == count) {
                UNROLL
                for (size_t k = 0; k < count; k++) out[k] = d[k * apart];
            } else {
                for (size_t k = 0; k < end - r; k++) out[k] = d[k * apart];
            }
            r = end;
        }
        column = checkpoint_next(samples->checkpoints, column);
        if (to < tile->rows) continue;
        tile->checkpoint_after += samples->checkpoints->spacing;
        tile->checkpoint = column;
    }
}

SIMD_INLINE void steps_and_checkpoints(diagonal_tile *tile, const diagonal_samples *samples,
                                       size_t step, size_t steps, const int vectors,
                                       const int width, const bool edge)
{
    diagonal_steps(tile, samples, step, steps, vectors, width, edge);
    store_from_trail(tile, samples, step, steps, vectors, width);
}

/* All steps of a tile, and one more, since the bottom row is handed on a step late:
 *
 *     | begin: an edge | whole periods, without an edge | end: an edge |
 *
 * Whole periods begin at a step whose checkpoint rows are in vector 0. */
SIMD_INLINE void all_steps(diagonal_tile *tile, const diagonal_samples *samples, const int vectors)
{
    const int width = trail_width(vectors);
    const size_t count = (size_t)vectors, period = (size_t)trail_period(vectors, width);
    const size_t most = DIAGONAL_TRAIL / (size_t)width / period * period;
    const size_t end = samples->n + tile->rows;
    const size_t begin = tile->rows + (width < vectors ? (tile->checkpoint_after - 1) % count : 0);
    for (size_t step = 0, steps; step < end; step += steps) {
        steps = samples->n > step ? (samples->n - step) / period * period : 0;
        if (steps > most) steps = most;
        if (step >= begin && steps) {
            steps_and_checkpoints(tile, samples, step, steps, vectors, width, false);
            continue;
        }
        const size_t until = step < begin && begin < end ? begin : end;
        steps = until - step < DIAGONAL_TRAIL / count ? until - step : DIAGONAL_TRAIL / count;
        steps_and_checkpoints(tile, samples, step, steps, vectors, vectors, true);
    }
}

/* A tile. Its first `missing` rows lie above the template, the others begin at the template's row
 * `top`. d: the template's column. above: D(top - 1,.) before the first sample. */
SIMD_INLINE void diagonal_tile_sweep(const diagonal_samples *samples, const float *x, float *d,
                                     size_t top, size_t missing, float above, const int vectors)
{
    const size_t count = (size_t)vectors, spacing = samples->checkpoints->spacing;
    diagonal_tile tile;
    tile.rows = count * LANES;
    tile.missing = missing;
    tile.top = top;
    tile.checkpoint_after = spacing - (size_t)(samples->position % spacing);
    tile.checkpoint =
        checkpoint_at(samples->checkpoints, samples->position + tile.checkpoint_after);
    for (size_t v = 0; v < count; v++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t r = lane * count + v;
            tile.x[v][lane] = r < missing ? 0 : x[top + r - missing];
            tile.sign_off[v][lane] = r < missing ? 0 : INT32_MAX;
            tile.now[v][lane] = r < missing ? 0 : d[top + r - missing];
        }
        tile.before[v] = tile.now[v];
        tile.y[v] = vf_all(0);
    }
    tile.corner = vf_shift(tile.now[count - 1], above);
    all_steps(&tile, samples, vectors);
    for (size_t r = missing; r < tile.rows; r++)
        d[top + r - missing] = tile.now[r % count][r / count];
}

/* x and d have `length` rows, cut into tiles of nearly equal height. samples->row becomes D(m,.).
 */
static void diagonal_sweep(const diagonal_samples *samples, const float *x, float *d, size_t length)
{
    const size_t vectors = (length + LANES - 1) / LANES;
    const size_t most = samples->n < FEW_SAMPLES ? DIAGONAL_VECTORS / 2 + 1 : DIAGONAL_VECTORS;
    const size_t tiles = (vectors + most - 1) / most;
    memset(samples->row, 0, samples->n * sizeof *samples->row);
    float above = 0;
    for (size_t i = 0, top = 0; i < tiles; i++) {
        const size_t count = vectors * (i + 1) / tiles - vectors * i / tiles;
        const size_t missing = i ? 0 : vectors * LANES - length, rows = count * LANES - missing;
        const float next = d[top + rows - 1];
        switch (count) {
#if LANES == 16
        case 8: diagonal_tile_sweep(samples, x, d, top, missing, above, 8); break;
        case 7: diagonal_tile_sweep(samples, x, d, top, missing, above, 7); break;
        case 6: diagonal_tile_sweep(samples, x, d, top, missing, above, 6); break;
        case 5: diagonal_tile_sweep(samples, x, d, top, missing, above, 5); break;
#endif
        case 4: diagonal_tile_sweep(samples, x, d, top, missing, above, 4); break;
        case 3: diagonal_tile_sweep(samples, x, d, top, missing, above, 3); break;
        case 2: diagonal_tile_sweep(samples, x, d, top, missing, above, 2); break;
        default: diagonal_tile_sweep(samples, x, d, top, missing, above, 1);
        }
        above = next;
        top += rows;
    }
}

#endif
