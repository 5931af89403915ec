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
 * are left in memory, a trail, from which the bottom row and the columns to keep are picked.
 */
#ifndef KERNELS_DIAGONAL_SIMD_H
#define KERNELS_DIAGONAL_SIMD_H

#include <math.h>

#include "kernels/columns.h"
#include "kernels/simd.h"

/* As many vectors as the registers hold twice: the values of the last two steps. */
#if LANES == 16
enum { STRIP_VECTORS = 8 };
#else
enum { STRIP_VECTORS = 4 };
#endif
enum {
    STRIP_ROWS = STRIP_VECTORS * LANES,
    STRIP_STEPS = 32, /* of a trail */
    FEW_STRIPS = 8, /* windows of less such heights are swept in lower strips: these fill sooner */
};

/* What is swept. */
typedef struct {
    const float *y; /* n samples */
    float *row;     /* D of the row above a strip, in place D of its bottom row: n values, and room
                       for STRIP_ROWS more */
    size_t n;
    uint64_t position; /* frames before the window */
    const columns *kept;
} diagonal_window;

/* Some vectors of rows under way. */
typedef struct {
    vf x[STRIP_VECTORS];
    vf now[STRIP_VECTORS], before[STRIP_VECTORS]; /* D one and two steps ago */
    vf corner;                                    /* diag of vector 0 */
    vf y[STRIP_VECTORS +
         STRIP_STEPS]; /* what vector 0 compares with: in the steps before, in these */
    vf trail[STRIP_STEPS * STRIP_VECTORS];
    size_t top, rows;         /* the first, and how many belong to the template */
    size_t bottom, bottom_at; /* the last of these, and where it stands in the vectors */
    size_t keep_t;            /* the first column to keep that is not complete */
    float *keep;              /* and where */
    int32_t pick[STRIP_STEPS + STRIP_VECTORS]; /* see strip_keep_columns */
} strip;

/* One step: `before` becomes what comes after `now`. y: what vector 0 compares with, y[-v] vector
 * v; trail: for the new values. */
SIMD_INLINE void strip_step(const strip *s, const vf *now, vf *before, vf *corner, vf *y,
                            float sample, float above, vf *trail, const int vectors)
{
    const vf up = vf_shift(vf_all(above), now[vectors - 1]);
    *y = vf_shift(vf_all(sample), y[-vectors]);
#pragma GCC unroll 8
    for (int v = vectors - 1; v > 0; v--) {
        const vf best = vf_min(vf_min(before[v - 1], now[v]), now[v - 1]);
        trail[v] = before[v] = best + vf_abs(y[-v] - s->x[v]);
    }
    trail[0] = before[0] = vf_min(vf_min(*corner, now[0]), up) + vf_abs(*y - s->x[0]);
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

/* Step `step`, the i-th of this trail: samples, the step itself, the bottom row. `edge`: some
 * lanes may not have begun or may be done. */
SIMD_INLINE void strip_whole_step(strip *s, const diagonal_window *w, size_t step, size_t i,
                                  const vf *now, vf *before, vf *corner, const int vectors,
                                  const bool edge)
{
    vf *trail = s->trail + i * (size_t)vectors;
    const float sample = !edge || step < w->n ? w->y[step] : 0;
    strip_step(s, now, before, corner, s->y + vectors + i, sample, w->row[step], trail, vectors);
    if (edge) strip_hold(now, before, step, w->n, trail, vectors);
    if (!edge || (step >= s->bottom && step < w->n + s->bottom))
        w->row[step - s->bottom] = ((const float *)trail)[s->bottom_at];
}

/* `steps` of them, an even number, from `step` on. */
SIMD_INLINE void strip_run(strip *s, const diagonal_window *w, size_t step, size_t steps,
                           const int vectors, const bool edge)
{
    vf a[STRIP_VECTORS], b[STRIP_VECTORS], corner = s->corner;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        a[v] = s->now[v];
        b[v] = s->before[v];
    }
    for (size_t i = 0; i < steps; i += 2) {
        strip_whole_step(s, w, step + i, i, a, b, &corner, vectors, edge);
        strip_whole_step(s, w, step + i + 1, i + 1, b, a, &corner, vectors, edge);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        s->now[v] = a[v];
        s->before[v] = b[v];
    }
    s->corner = corner;
}

/* After `steps` steps: what the trail holds of the columns to keep. A column's rows lie on a
 * diagonal of the trail: pick[i] is the way from vector 0, row 0 of a lane, to the i-th row. */
SIMD_INLINE void strip_keep_columns(strip *s, const diagonal_window *w, size_t step, size_t steps,
                                    const int vectors)
{
    const size_t count = (size_t)vectors, spacing = w->kept->spacing;
    const float *trail = (const float *)s->trail;
    for (; s->keep_t + s->rows <= step; s->keep_t += spacing)
        s->keep = columns_next(w->kept, s->keep);
    float *keep = s->keep;
    for (size_t t = s->keep_t; t < w->n && t < step + steps; t += spacing) {
        const size_t row = t < step ? step - t : 0, i = t < step ? 0 : t - step;
        const size_t end = step + steps - t < s->rows ? step + steps - t : s->rows;
        const int32_t *pick = s->pick + row % count;
        const ptrdiff_t from =
            (ptrdiff_t)(i * count * LANES + row / count) - (ptrdiff_t)(row % count * count * LANES);
        float *d = keep + s->top + row;
        for (size_t r = 0; r < end - row; r++) d[r] = trail[from + pick[r]];
        keep = columns_next(w->kept, keep);
    }
}

/* All steps. */
SIMD_INLINE void strip_sweep(strip *s, const diagonal_window *w, const int vectors)
{
    const size_t rows = (size_t)vectors * LANES, end = w->n + rows - 1;
    for (size_t step = 0; step < end; step += STRIP_STEPS) {
        const size_t steps = end - step < STRIP_STEPS ? (end - step + 1) / 2 * 2 : STRIP_STEPS;
        if (step < rows - 1 || step + steps > w->n)
            strip_run(s, w, step, steps, vectors, true);
        else
            strip_run(s, w, step, steps, vectors, false);
        strip_keep_columns(s, w, step, steps, vectors);
        for (int v = 0; v < vectors; v++) s->y[v] = s->y[(int)steps + v];
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
    s.bottom_at = s.bottom % count * LANES + s.bottom / count;
    s.keep_t = (size_t)(-w->position - 1) % w->kept->spacing;
    s.keep = columns_at(w->kept, w->position + s.keep_t + 1);
    for (size_t i = 0; i < STRIP_STEPS + count; i++)
        s.pick[i] = (int32_t)((i * count + i % count) * LANES + i / count);
    for (size_t v = 0; v < count; v++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t r = lane * count + v;
            s.x[v][lane] = r < rows ? x[top + r] : 0;
            s.now[v][lane] = r < rows ? d[top + r] : INFINITY;
        }
        s.before[v] = s.now[v];
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
