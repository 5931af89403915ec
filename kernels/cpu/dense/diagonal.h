/*
 * diagonal.h - samples, for spans of any length: one tile of rows sweeps the whole span, each row
 * one column behind the row above it. All rows of such an anti-diagonal are independent.
 *
 * Rows are dealt to the vectors in turns (Farrar's stripes), so the row above a vector is the
 * vector before it. Only vector 0 needs the last vector, its lanes moved up by one, and the row
 * above the tile in lane 0. The samples move in the same way.
 *
 *     vector       0   1   2                  up   = vector - 1, one step ago
 *     lane 0  row  0   1   2                  left = the vector itself, one step ago
 *     lane 1  row  3   4   5                  diag = vector - 1, two steps ago
 *     lane 2  row  6   7   8  ...
 *
 * The bottom row, the last lane of the last vector, is handed to the next tile. The first tile may
 * begin above the template. Those rows cost nothing, so D is 0 in them as in row 0. Lanes that have
 * not begun, or are done, hold their value: a sweep goes from a column to a column.
 *
 * Checkpoints: k steps after a checkpoint's column, row k of the column appears, in vector k mod
 * (vectors). Checkpoints are a power of two apart. So if `vectors` is a power of two, the rows of
 * all of them appear in the same vector. Each step leaves this vector in memory, else all vectors:
 * the trail. After some steps the checkpoints' rows are picked from it.
 *
 * Needs: isa/vector.h, checkpoints.h. Gives: diagonal_span, diagonal_sweep.
 */
#ifndef KERNELS_CPU_DENSE_DIAGONAL_H
#define KERNELS_CPU_DENSE_DIAGONAL_H

#include <math.h>

#include "kernels/cpu/checkpoints.h"
#include "kernels/cpu/isa/vector.h"

/* The registers hold each vector three times: two steps' values and the samples. */
#if LANES == 16
enum { DIAGONAL_VECTORS = 8 };
#else
enum { DIAGONAL_VECTORS = 4 };
#endif
enum {
    DIAGONAL_ROWS = DIAGONAL_VECTORS * LANES,
    DIAGONAL_TRAIL = 4096 / LANES, /* vectors: a part of the first cache */
    SHORT_SPAN = 8 /* tile heights: shorter spans get lower tiles, which fill sooner */
};

typedef struct {
    const float *y; /* n >= 1 samples */
    float *row;     /* n values: D of the row above a tile, replaced by its bottom row */
    size_t n;
    uint64_t position; /* frames before the span */
    const checkpoints *checkpoints;
} diagonal_span;

/* One tile under way. */
typedef struct {
    vf x[DIAGONAL_VECTORS];
    vi sign_off[DIAGONAL_VECTORS]; /* INT32_MAX, or 0 above the template */
    vf now[DIAGONAL_VECTORS];      /* D one step ago */
    vf before[DIAGONAL_VECTORS];   /* D two steps ago */
    vf corner;                     /* diag of vector 0 */
    vf y[DIAGONAL_VECTORS];        /* the samples one step ago */
    vf trail[DIAGONAL_TRAIL];      /* of the last steps */
    size_t rows;                   /* of all vectors, of which ... */
    size_t missing;                /* ... so many lie above the template */
    size_t top;                    /* the template's first row in this tile */
    size_t checkpoint_after;       /* columns of the span before the first incomplete checkpoint */
    float *checkpoint;             /* this checkpoint's memory */
} diagonal_tile;

/* Vectors that a step leaves in the trail. */
SIMD_INLINE int trail_width(const int vectors)
{
    return vectors & (vectors - 1) ? vectors : 1;
}

/* Steps after which the trail begins with the same vector again; even, since steps swap two
 * arrays. */
SIMD_INLINE int trail_round(const int vectors, const int width)
{
    return width < vectors ? vectors : 2;
}

/* One step: `before` becomes the step after `now`, y its samples. *bottom: D of the bottom row
 * before the step. */
SIMD_INLINE void diagonal_step(const diagonal_tile *tile, const vf *now, vf *before, vf *corner,
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

/* Lanes at columns outside of the span hold their value. */
SIMD_INLINE void diagonal_hold(const vf *now, vf *next, size_t step, size_t n, const int vectors)
{
    UNROLL
    for (int v = 0; v < vectors; v++) {
        const vi t = (int32_t)step - v - vi_iota() * vectors;
        next[v] = vf_where(vi_within(t, (int32_t)n), next[v], now[v]);
    }
}

/* One more after `step` steps. edge: some lanes may not have begun, or be done. */
SIMD_INLINE void diagonal_whole_step(diagonal_tile *tile, const diagonal_span *span, size_t step,
                                     const vf *now, vf *before, vf *corner, vf *y,
                                     const int vectors, const bool edge)
{
    const size_t bottom = tile->rows; /* a step late */
    float nowhere;
    const bool inside = !edge || step < span->n;
    const float sample = inside ? span->y[step] : 0, above = inside ? span->row[step] : 0;
    const bool reached = !edge || (step >= bottom && step < span->n + bottom);
    diagonal_step(tile, now, before, corner, y, sample, above,
                  reached ? &span->row[step - bottom] : &nowhere, vectors);
    if (edge) diagonal_hold(now, before, step, span->n, vectors);
}

/* Step i leaves all vectors in the trail, or one. */
SIMD_INLINE void leave_trail(vf *trail, const vf *d, int i, const int vectors, const int width)
{
    UNROLL
    for (int v = 0; v < width; v++) trail[i * width + v] = d[width == vectors ? v : i % vectors];
}

/* `steps` more after `step` steps, each leaving `width` vectors; whole rounds, except at an edge.
 */
SIMD_INLINE void diagonal_run(diagonal_tile *tile, const diagonal_span *span, size_t step,
                              size_t steps, const int vectors, const int width, const bool edge)
{
    const int round = trail_round(vectors, width);
    vf a[DIAGONAL_VECTORS], b[DIAGONAL_VECTORS], y[DIAGONAL_VECTORS];
    vf corner = tile->corner, *trail = tile->trail;
    UNROLL
    for (int v = 0; v < vectors; v++) {
        a[v] = tile->now[v];
        b[v] = tile->before[v];
        y[v] = tile->y[v];
    }
    size_t i = 0;
    for (; i + (size_t)round <= steps; i += (size_t)round, trail += round * width) {
        UNROLL
        for (int k = 0; k < round; k += 2) {
            diagonal_whole_step(tile, span, step + i + (size_t)k, a, b, &corner, y, vectors, edge);
            leave_trail(trail, b, k, vectors, width);
            diagonal_whole_step(tile, span, step + i + (size_t)k + 1, b, a, &corner, y, vectors,
                                edge);
            leave_trail(trail, a, k + 1, vectors, width);
        }
    }
    const bool one = edge && i < steps;
    if (one) {
        diagonal_whole_step(tile, span, step + i, a, b, &corner, y, vectors, edge);
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

/* Copy the rows of checkpoints from the trail of the `steps` steps after `step`. */
SIMD_INLINE void store_from_trail(diagonal_tile *tile, const diagonal_span *span, size_t step,
                                  size_t steps, const int vectors, const int width)
{
    const size_t count = (size_t)vectors;
    const size_t apart = (size_t)(width == vectors ? width + 1 : 1) * LANES;
    const float *trail = (const float *)tile->trail;
    float *column = tile->checkpoint;
    for (size_t after = tile->checkpoint_after; after <= span->n && after <= step + steps;
         after += span->checkpoints->spacing) {
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
        column = checkpoint_next(span->checkpoints, column);
        if (to < tile->rows) continue;
        tile->checkpoint_after += span->checkpoints->spacing;
        tile->checkpoint = column;
    }
}

SIMD_INLINE void diagonal_steps(diagonal_tile *tile, const diagonal_span *span, size_t step,
                                size_t steps, const int vectors, const int width, const bool edge)
{
    diagonal_run(tile, span, step, steps, vectors, width, edge);
    store_from_trail(tile, span, step, steps, vectors, width);
}

/* All steps, and one more: the bottom row appears a step late. */
SIMD_INLINE void diagonal_all_steps(diagonal_tile *tile, const diagonal_span *span,
                                    const int vectors)
{
    const int width = trail_width(vectors);
    const size_t count = (size_t)vectors, round = (size_t)trail_round(vectors, width);
    const size_t most = DIAGONAL_TRAIL / (size_t)width / round * round, end = span->n + tile->rows;
    const size_t begin = tile->rows + (width < vectors ? (tile->checkpoint_after - 1) % count : 0);
    for (size_t step = 0, steps; step < end; step += steps) {
        steps = span->n > step ? (span->n - step) / round * round : 0;
        if (steps > most) steps = most;
        if (step >= begin && steps) {
            diagonal_steps(tile, span, step, steps, vectors, width, false);
            continue;
        }
        const size_t until = step < begin && begin < end ? begin : end;
        steps = until - step < DIAGONAL_TRAIL / count ? until - step : DIAGONAL_TRAIL / count;
        diagonal_steps(tile, span, step, steps, vectors, vectors, true);
    }
}

/* A tile of so many vectors. The first `missing` rows lie above the template, the others begin at
 * its row `top`. d: the template's column. above: D(top - 1,.) before the span. */
SIMD_INLINE void diagonal_tile_sweep(const diagonal_span *span, const float *x, float *d,
                                     size_t top, size_t missing, float above, const int vectors)
{
    const size_t count = (size_t)vectors;
    diagonal_tile tile;
    tile.rows = count * LANES;
    tile.missing = missing;
    tile.top = top;
    tile.checkpoint_after =
        span->checkpoints->spacing - (size_t)(span->position % span->checkpoints->spacing);
    tile.checkpoint = checkpoint_at(span->checkpoints, span->position + tile.checkpoint_after);
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
    diagonal_all_steps(&tile, span, vectors);
    for (size_t r = missing; r < tile.rows; r++)
        d[top + r - missing] = tile.now[r % count][r / count];
}

/* x and d have `length` rows. span->row becomes D(m,.). */
static void diagonal_sweep(const diagonal_span *span, const float *x, float *d, size_t length)
{
    const size_t vectors = (length + LANES - 1) / LANES;
    const size_t most =
        span->n < SHORT_SPAN * DIAGONAL_ROWS ? DIAGONAL_VECTORS / 2 + 1 : DIAGONAL_VECTORS;
    const size_t tiles = (vectors + most - 1) / most;
    memset(span->row, 0, span->n * sizeof *span->row);
    float above = 0;
    for (size_t i = 0, top = 0; i < tiles; i++) {
        const size_t count = vectors * (i + 1) / tiles - vectors * i / tiles;
        const size_t missing = i ? 0 : vectors * LANES - length, rows = count * LANES - missing;
        const float next = d[top + rows - 1];
        switch (count) {
#if LANES == 16
        case 8: diagonal_tile_sweep(span, x, d, top, missing, above, 8); break;
        case 7: diagonal_tile_sweep(span, x, d, top, missing, above, 7); break;
        case 6: diagonal_tile_sweep(span, x, d, top, missing, above, 6); break;
        case 5: diagonal_tile_sweep(span, x, d, top, missing, above, 5); break;
#endif
        case 4: diagonal_tile_sweep(span, x, d, top, missing, above, 4); break;
        case 3: diagonal_tile_sweep(span, x, d, top, missing, above, 3); break;
        case 2: diagonal_tile_sweep(span, x, d, top, missing, above, 2); break;
        default: diagonal_tile_sweep(span, x, d, top, missing, above, 1);
        }
        above = next;
        top += rows;
    }
}

#endif
