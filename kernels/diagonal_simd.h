/*
 * diagonal_simd.h - samples (dim 1), for windows of any length: anti-diagonals. The template
 * is cut into strips of some vectors of rows, and one strip sweeps the whole window, every row
 * being a column behind the one above it. Rows are dealt out to the vectors in turns (Farrar's
 * stripes), so that the row above a vector is, but for the first one, simply another vector:
 *
 *     vector       0   1   2                  up   = vector - 1, one step ago
 *     lane 0  row  0   1   2                  left = the vector itself, one step ago
 *     lane 1  row  3   4   5                  diag = vector - 1, two steps ago
 *     lane 2  row  6   7   8  ...
 *
 * For vector 0 the vector - 1 is the last one with its lanes moved up by one, and the row above
 * the strip in lane 0. The samples go the same way: those of a vector are those that
 * vector - 1 had a step ago.
 *
 * The bottom row D(r,.) is handed to the next strip. Lanes that have not begun or are done keep
 * their value, so that a sweep starts from a column and ends in one. All values of some steps
 * are left in memory, a trail, from which the next step picks the value of the bottom row and, as
 * their rows come by one at each step, those of the columns to keep.
 */
#ifndef KERNELS_DIAGONAL_SIMD_H
#define KERNELS_DIAGONAL_SIMD_H

#include <math.h>

#include "kernels/columns.h"
#include "kernels/simd.h"

/* As many vectors as the registers hold thrice, the values of the last two steps and the samples;
 * as many steps of a trail as are a small part of the first cache. */
#if LANES == 16
enum { STRIP_VECTORS = 8, STRIP_STEPS = 32 };
#else
enum { STRIP_VECTORS = 4, STRIP_STEPS = 64 };
#endif
enum {
    STRIP_ROWS = STRIP_VECTORS * LANES,
    STRIP_KEPT = (STRIP_ROWS + KERNEL_BLOCK - 1) / KERNEL_BLOCK, /* columns to keep, at a time */
    FEW_STRIPS = 8, /* windows of less such heights are swept in lower strips: these fill sooner */
};

/* What is swept. */
typedef struct {
    const float *y; /* n samples */
    float *row;     /* D of the row above a strip, in place D of its bottom row: n values */
    size_t n;
    uint64_t position; /* frames before the window */
    const columns *kept;
} diagonal_window;

/* Some vectors of rows under way. */
typedef struct {
    vf x[STRIP_VECTORS];
    vf now[STRIP_VECTORS], before[STRIP_VECTORS]; /* D one and two steps ago */
    vf corner;                                    /* diag of vector 0 */
    vf y[STRIP_VECTORS];                          /* the samples one step ago */
    vf trail[(1 + STRIP_STEPS) * STRIP_VECTORS];  /* from the step before on */
    size_t top, rows;           /* the first, and how many belong to the template */
    size_t bottom, bottom_at;   /* the last of these, and where it stands in the vectors */
    int32_t row_at[STRIP_ROWS]; /* where each does */
    size_t keep_after;          /* so many columns is the first one to keep that is not complete, */
    float *keep;                /* here */
    const int32_t *pick[STRIP_KEPT]; /* for each step of a trail: which value is to be kept, */
    float *kept[STRIP_KEPT];         /* and where; */
    float sink[STRIP_STEPS];         /* in here where none is */
} strip;

/* One step: `before` becomes what comes after `now`, y the samples of it. trail: for the new
 * values. */
SIMD_INLINE void strip_step(const strip *s, const vf *now, vf *before, vf *corner, vf *y,
                            float sample, float above, vf *trail, const int vectors)
{
    const vf up = vf_shift(vf_all(above), now[vectors - 1]);
    const vf first = vf_shift(vf_all(sample), y[vectors - 1]);
#pragma GCC unroll 8
    for (int v = vectors - 1; v > 0; v--) {
        y[v] = y[v - 1];
        const vf best = vf_min(vf_min(before[v - 1], now[v]), now[v - 1]);
        trail[v] = before[v] = best + vf_abs(y[v] - s->x[v]);
    }
    y[0] = first;
    trail[0] = before[0] = vf_min(vf_min(*corner, now[0]), up) + vf_abs(y[0] - s->x[0]);
    *corner = up;
}

/* Lanes at columns outside of the window keep their value. */
SIMD_INLINE void strip_hold(const vf *now, vf *next, size_t step, size_t n, vf *trail,
                            const int vectors)
{
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        const vi t = (int32_t)step - v - vi_iota() * vectors;
        trail[v] = next[v] = vf_select_within(t, (int32_t)n, next[v], now[v]);
    }
}

/* d: what the last of `step` steps left, which the i-th of this trail follows. Its bottom row, and
 * what is to be kept: a step late, as what has just been stored would have to be waited for. */
SIMD_INLINE void strip_tell(strip *s, const diagonal_window *w, size_t step, size_t i,
                            const float *d, const bool edge)
{
    if (!edge || (step > s->bottom && step <= w->n + s->bottom))
        w->row[step - 1 - s->bottom] = d[s->bottom_at];
    for (size_t k = 0; k < STRIP_KEPT; k++) s->kept[k][i] = d[s->pick[k][i]];
}

/* After `step` steps one more, the i-th of this trail. `edge`: some lanes may not have begun or
 * may be done. */
SIMD_INLINE void strip_whole_step(strip *s, const diagonal_window *w, size_t step, size_t i,
                                  const vf *now, vf *before, vf *corner, vf *y, const int vectors,
                                  const bool edge)
{
    vf *trail = s->trail + (i + 1) * (size_t)vectors;
    const bool inside = !edge || step < w->n;
    const float sample = inside ? w->y[step] : 0, above = inside ? w->row[step] : 0;
    strip_step(s, now, before, corner, y, sample, above, trail, vectors);
    if (edge) strip_hold(now, before, step, w->n, trail, vectors);
    strip_tell(s, w, step, i, (const float *)(trail - vectors), edge);
}

/* After `step` steps `steps` more: an even number, or one at an edge. */
SIMD_INLINE void strip_run(strip *s, const diagonal_window *w, size_t step, size_t steps,
                           const int vectors, const bool edge)
{
    vf a[STRIP_VECTORS], b[STRIP_VECTORS], y[STRIP_VECTORS], corner = s->corner;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        a[v] = s->now[v];
        b[v] = s->before[v];
        y[v] = s->y[v];
    }
    size_t i = 0;
    for (; i + 2 <= steps; i += 2) {
        strip_whole_step(s, w, step + i, i, a, b, &corner, y, vectors, edge);
        strip_whole_step(s, w, step + i + 1, i + 1, b, a, &corner, y, vectors, edge);
    }
    const bool one = edge && i < steps;
    if (one) strip_whole_step(s, w, step, 0, a, b, &corner, y, vectors, edge);
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        s->now[v] = one ? b[v] : a[v];
        s->before[v] = one ? a[v] : b[v];
        s->y[v] = y[v];
        s->trail[v] = s->trail[(size_t)v + steps * (size_t)vectors];
    }
    s->corner = corner;
}

/* After `step` steps: where the values of the last of them and of those that follow are to be kept,
 * and for how many of them that holds: an even number, but for what may come before the first
 * column. Row r of a column comes r steps after its row 0. Of an odd number of rows, which is the
 * last strip's, one more is kept, between two columns. Where rows come next goes towards the cache.
 */
static size_t strip_aim(strip *s, const diagonal_window *w, size_t step)
{
    static const int32_t nothing[STRIP_STEPS];
    const size_t spacing = w->kept->spacing, rows = s->rows + s->rows % 2;
    for (; s->keep_after + rows <= step; s->keep_after += spacing)
        s->keep = columns_next(w->kept, s->keep);
    size_t steps = (s->keep_after + step) % 2 ? 1 : STRIP_STEPS, after = s->keep_after;
    float *column = s->keep;
    for (size_t k = 0; k < STRIP_KEPT; k++) {
        float *d = column + s->top;
        const bool some = after <= step && after <= w->n;
        const size_t row = some ? step - after : 0, next = some ? row + STRIP_STEPS : 0;
        const size_t change = after > step ? after - step : after + rows - step;
        s->kept[k] = some ? d + row : s->sink;
        s->pick[k] = some ? s->row_at + row : nothing;
        for (size_t i = next; i < next + STRIP_STEPS && i < s->rows; i += LINE_FLOATS)
            __builtin_prefetch(d + i, 1);
        if (change < steps) steps = change;
        after += spacing;
        column = columns_next(w->kept, column);
    }
    return steps;
}

/* All steps, and one more to tell of the last. */
SIMD_INLINE void strip_sweep(strip *s, const diagonal_window *w, const int vectors)
{
    const size_t rows = (size_t)vectors * LANES, end = w->n + s->rows;
    for (size_t step = 0, steps; step < end; step += steps) {
        steps = strip_aim(s, w, step);
        if (step < rows || step + steps > w->n)
            strip_run(s, w, step, steps, vectors, true);
        else
            strip_run(s, w, step, steps, vectors, false);
    }
}

/* A strip of some rows from `top` on. above: D(top - 1) before the window. */
SIMD_INLINE void strip_of(const diagonal_window *w, const float *x, float *d, size_t top,
                          size_t rows, float above, const int vectors)
{
    const size_t count = (size_t)vectors;
    strip s;
    s.top = top;
    s.rows = rows;
    s.bottom = rows - 1;
    for (size_t r = 0; r < count * LANES; r++)
        s.row_at[r] = (int32_t)(r % count * LANES + r / count);
    s.bottom_at = (size_t)s.row_at[s.bottom];
    s.keep_after = w->kept->spacing - (size_t)(w->position % w->kept->spacing);
    s.keep = columns_at(w->kept, w->position + s.keep_after);
    for (size_t v = 0; v < count; v++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t r = lane * count + v;
            s.x[v][lane] = r < rows ? x[top + r] : 0;
            s.now[v][lane] = r < rows ? d[top + r] : INFINITY;
        }
        s.before[v] = s.trail[v] = s.now[v];
        s.y[v] = vf_all(0);
    }
    s.corner = vf_shift(vf_all(above), s.now[count - 1]);
    strip_sweep(&s, w, vectors);
    for (size_t r = 0; r < rows; r++) d[top + r] = s.now[r % count][r / count];
}

/* Sweep a window: x and d have `length` rows. w->row becomes D(m,.). */
static void diagonal_sweep(const diagonal_window *w, const float *x, float *d, size_t length)
{
    const size_t vectors = (length + LANES - 1) / LANES;
    const size_t most = w->n < FEW_STRIPS * STRIP_ROWS ? STRIP_VECTORS / 2 + 1 : STRIP_VECTORS;
    const size_t strips = (vectors + most - 1) / most;
    memset(w->row, 0, w->n * sizeof *w->row);
    float above = 0;
    for (size_t i = 0, top = 0; i < strips; i++) {
        const size_t count = vectors * (i + 1) / strips - vectors * i / strips;
        const size_t rows = length - top < count * LANES ? length - top : count * LANES;
        const float next = d[top + rows - 1];
        switch (count) {
#if LANES == 16
        case 8: strip_of(w, x, d, top, rows, above, 8); break;
        case 7: strip_of(w, x, d, top, rows, above, 7); break;
        case 6: strip_of(w, x, d, top, rows, above, 6); break;
        case 5: strip_of(w, x, d, top, rows, above, 5); break;
#endif
        case 4: strip_of(w, x, d, top, rows, above, 4); break;
        case 3: strip_of(w, x, d, top, rows, above, 3); break;
        case 2: strip_of(w, x, d, top, rows, above, 2); break;
        default: strip_of(w, x, d, top, rows, above, 1);
        }
        above = next;
        top += rows;
    }
}

#endif
