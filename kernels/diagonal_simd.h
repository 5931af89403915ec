/*
 * diagonal_simd.h - samples (dim 1), for windows of any length: anti-diagonals. The template
 * is cut into strips of some vectors of rows. One strip sweeps the whole window, lane i
 * being i columns behind lane 0:
 *
 *             t ->                    up   = lane i-1, one step ago
 *     row 0   . . . . . s             left = lane i,   one step ago
 *     row 1   . . . . s               diag = lane i-1, two steps ago
 *     row 2   . . . s                 (s: the cells of step s)
 *
 * and hands its bottom row D(r,.) to the next strip. Lanes that have not begun or are done
 * keep their value, so that a sweep starts from a column and ends in one. The first strip is
 * padded at the top with rows that stay at 0, as row 0 of the recurrence does.
 */
#ifndef KERNELS_DIAGONAL_SIMD_H
#define KERNELS_DIAGONAL_SIMD_H

#include "kernels/columns.h"
#include "kernels/simd.h"

/* As many vectors as the registers hold: more of them hide the latency of a step. */
#if LANES == 16
enum { STRIP_VECTORS = 8 };
#else
enum { STRIP_VECTORS = 4 };
#endif
enum { STRIP_ROWS = STRIP_VECTORS * LANES };

/* Kept columns that a strip's lanes may be passing at once. */
enum { MOST_MARKS = STRIP_ROWS / KERNEL_BLOCK + 1 };
_Static_assert(MOST_MARKS <= 3, "a strip is wider than its marks");

/* What a strip sweeps. */
typedef struct {
    const float *y; /* reversed: y[-t] is sample t; STRIP_ROWS more are read on both sides */
    float *row;     /* D of the row above, in place D of the bottom row: n values, room for
                       STRIP_ROWS more on both sides */
    size_t n;
    uint64_t position; /* frames before the window */
    const columns *kept;
} diagonal_window;

/* A strip in registers; its x stays in memory. */
typedef struct {
    const float *x;
    vf now[STRIP_VECTORS], diag[STRIP_VECTORS];
    vi keep; /* of the first vector: 0 in padding lanes */
} strip;

/* A column that is to be kept, while the lanes pass it one after the other. */
typedef struct {
    size_t t; /* the column */
    float *d; /* where row 0 of the strip goes; rows before `skip` are padding */
    size_t skip;
} strip_mark;

/* The lane that is at the marked column in this step, if one is, is written down. */
SIMD_INLINE void strip_keep(const vf *now, const strip_mark *mark, size_t step, const int vectors)
{
    const size_t lane = step - mark->t;
    if (lane >= (size_t)vectors * LANES || lane < mark->skip) return;
    float values[LANES] __attribute__((aligned(LANES * sizeof(float)))) = {0};
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        if (lane / LANES == (size_t)v) vf_store(values, now[v]);
    mark->d[lane] = values[lane % LANES];
}

/* Steps [from, to). `edge`: some lanes may not have begun or may be done. */
SIMD_INLINE void strip_run(strip *s, const diagonal_window *w, size_t from, size_t to,
                           const int vectors, const bool edge, const bool padded,
                           const strip_mark *marks, const int n_marks)
{
    strip r = *s;
    for (size_t step = from; step < to; step++) {
        const float *y = w->y - step;
        vf above = vf_all(w->row[step]), up[STRIP_VECTORS];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) up[v] = vf_shift(v ? r.now[v - 1] : above, r.now[v]);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) {
            vf best = vf_min(vf_min(r.diag[v], r.now[v]), up[v]);
            vf new = best + vf_abs(vf_load(r.x + v * LANES) - vf_load(y + v * LANES));
            if (padded && v == 0) new = (vf)((vi) new &r.keep);
            if (edge) {
                vi t = (int32_t)step - v * LANES - vi_iota();
                new = vf_select((t >= 0) & (t < (int32_t)w->n), new, r.now[v]);
            }
            r.now[v] = new;
            r.diag[v] = up[v];
        }
        w->row[(ptrdiff_t)step - (vectors * LANES - 1)] = r.now[vectors - 1][LANES - 1];
        for (int i = 0; i < n_marks; i++) strip_keep(r.now, &marks[i], step, vectors);
    }
    *s = r;
}

/* All steps of one strip, whose first row is row `top` of the padded template. */
SIMD_INLINE void strip_sweep(strip *s, const diagonal_window *w, size_t top, size_t pad,
                             const int vectors, const bool padded)
{
    const size_t rows = (size_t)vectors * LANES, end = w->n + rows - 1;
    const size_t spacing = w->kept->spacing;
    size_t next = spacing - 1 - (size_t)(w->position % spacing); /* column to keep */
    strip_mark marks[MOST_MARKS];
    int n_marks = 0;
    for (size_t step = 0; step < end;) {
        while (n_marks && step >= marks[0].t + rows) {
            memmove(&marks[0], &marks[1], (MOST_MARKS - 1) * sizeof *marks);
            n_marks--;
        }
        if (step == next && next < w->n) {
            float *d = columns_at(w->kept, w->position + next + 1) + top - pad;
            marks[n_marks++] = (strip_mark){next, d, padded ? pad : 0};
            next += spacing;
        }
        size_t to = step < rows - 1 ? rows - 1 : step < w->n ? w->n : end;
        if (next < to && next < w->n) to = next;
        if (n_marks && marks[0].t + rows < to) to = marks[0].t + rows;
        if (step < rows - 1 || step >= w->n)
            strip_run(s, w, step, to, vectors, true, padded, marks, n_marks);
        else if (n_marks)
            strip_run(s, w, step, to, vectors, false, padded, marks, n_marks);
        else
            strip_run(s, w, step, to, vectors, false, padded, marks, 0);
        step = to;
    }
}

/* A strip of `vectors` vectors from row `top` on. `above` is D(top - 1) before the window. */
SIMD_INLINE void strip_of(const diagonal_window *w, const float *x, float *d, size_t top,
                          size_t pad, float above, const int vectors)
{
    strip s = {.x = x + top, .keep = ~(vi){0}};
    for (int v = 0; v < vectors; v++) s.now[v] = vf_load(d + top + v * LANES);
    s.diag[0][0] = above;
    if (top == 0 && pad) {
        s.keep = vi_iota() >= (int32_t)pad;
        strip_sweep(&s, w, top, pad, vectors, true);
    } else {
        strip_sweep(&s, w, top, pad, vectors, false);
    }
    for (int v = 0; v < vectors; v++) vf_store(d + top + v * LANES, s.now[v]);
}

/* Sweep a window: x and d have `rows` rows, a multiple of LANES, the first `pad` < LANES of
 * them 0. w->row becomes D(m,.). */
static void diagonal_sweep(const diagonal_window *w, const float *x, float *d, size_t rows,
                           size_t pad)
{
    memset(w->row, 0, w->n * sizeof *w->row);
    float above = 0;
    size_t vectors = STRIP_VECTORS;
    for (size_t top = 0; top < rows; top += vectors * LANES) {
        while (top + vectors * LANES > rows) vectors /= 2;
        const float next = d[top + vectors * LANES - 1];
        switch (vectors) {
        case 8: strip_of(w, x, d, top, pad, above, 8 % (STRIP_VECTORS + 1)); break;
        case 4: strip_of(w, x, d, top, pad, above, 4); break;
        case 2: strip_of(w, x, d, top, pad, above, 2); break;
        default: strip_of(w, x, d, top, pad, above, 1);
        }
        above = next;
    }
}

#endif
