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
 * The bottom row, the last lane of the last vector, is handed to the next strip. So that all rows
 * are taken the first strip begins above the template, with rows that cost nothing: D is 0 there,
 * as it is in row 0. Lanes that have not begun or are done keep their value, so that a sweep
 * starts from a column and ends in one.
 *
 * Of a column that is to be kept one row comes by at each step. After k steps it is row k, which
 * stands in vector k mod (vectors) for all columns that are a multiple of that apart, as they are
 * where it is a power of two. So this one vector of each step is left in memory, a trail, else all
 * of them, and after some steps the columns' rows are picked from there.
 */
#ifndef KERNELS_CPU_DENSE_DIAGONAL_H
#define KERNELS_CPU_DENSE_DIAGONAL_H

#include <math.h>

#include "kernels/cpu/checkpoints.h"
#include "kernels/cpu/isa/vector.h"

/* As many vectors as the registers hold thrice, the values of the last two steps and the samples;
 * as much of a trail as is a part of the first cache. */
#if LANES == 16
enum { STRIP_VECTORS = 8 };
#else
enum { STRIP_VECTORS = 4 };
#endif
enum {
    STRIP_ROWS = STRIP_VECTORS * LANES,
    STRIP_TRAIL = 4096 / LANES, /* vectors */
    FEW_STRIPS = 8, /* windows of less such heights are swept in lower strips: these fill sooner */
};

/* What is swept. */
typedef struct {
    const float *y; /* n >= 1 samples */
    float *row;     /* D of the row above a strip, in place D of its bottom row: n values */
    size_t n;
    uint64_t position; /* frames before the window */
    const columns *kept;
} diagonal_window;

/* Some vectors of rows under way. */
typedef struct {
    vf x[STRIP_VECTORS];
    vi cost[STRIP_VECTORS];                       /* bits of a cost; 0 above the template */
    vf now[STRIP_VECTORS], before[STRIP_VECTORS]; /* D one and two steps ago */
    vf corner;                                    /* diag of vector 0 */
    vf y[STRIP_VECTORS];                          /* the samples one step ago */
    vf trail[STRIP_TRAIL];                        /* of the last steps */
    size_t rows;                                  /* of all vectors, of which ... */
    size_t missing;                               /* ... so many lie above the template */
    size_t top;                                   /* the template's row behind these */
    size_t keep_after; /* so many columns is the first one to keep that is not complete, */
    float *keep;       /* here */
} strip;

/* How many vectors a step leaves in the trail. */
SIMD_INLINE int trail_width(const int vectors)
{
    return vectors & (vectors - 1) ? vectors : 1;
}

/* Steps of a round, after which the trail begins with the same vector again, and two are swapped.
 */
SIMD_INLINE int trail_round(const int vectors, const int width)
{
    return width < vectors ? vectors : 2;
}

/* One step: `before` becomes what comes after `now`, y the samples of it. bottom: for D of the
 * bottom row as it was before the step. */
SIMD_INLINE void strip_step(const strip *s, const vf *now, vf *before, vf *corner, vf *y,
                            float sample, float above, float *bottom, const int vectors)
{
    const vf last = vf_rotate(now[vectors - 1]);
    const vf up = vf_with_first(last, above);
    const vf first = vf_shift(y[vectors - 1], sample);
    *bottom = last[0];
    UNROLL
    for (int v = vectors - 1; v > 0; v--) {
        y[v] = y[v - 1];
        const vf best = vf_min(vf_min(before[v - 1], now[v]), now[v - 1]);
        before[v] = best + vf_and(y[v] - s->x[v], s->cost[v]);
    }
    y[0] = first;
    before[0] = vf_min(vf_min(*corner, now[0]), up) + vf_and(y[0] - s->x[0], s->cost[0]);
    *corner = up;
}

/* Lanes at columns outside of the window keep their value. */
SIMD_INLINE void strip_hold(const vf *now, vf *next, size_t step, size_t n, const int vectors)
{
    UNROLL
    for (int v = 0; v < vectors; v++) {
        const vi t = (int32_t)step - v - vi_iota() * vectors;
        next[v] = vf_select_within(t, (int32_t)n, next[v], now[v]);
    }
}

/* After `step` steps one more. `edge`: some lanes may not have begun or may be done. */
SIMD_INLINE void strip_whole_step(strip *s, const diagonal_window *w, size_t step, const vf *now,
                                  vf *before, vf *corner, vf *y, const int vectors, const bool edge)
{
    const size_t bottom = s->rows; /* a step late */
    float nowhere;
    const bool inside = !edge || step < w->n;
    const float sample = inside ? w->y[step] : 0, above = inside ? w->row[step] : 0;
    const bool tell = !edge || (step >= bottom && step < w->n + bottom);
    strip_step(s, now, before, corner, y, sample, above, tell ? &w->row[step - bottom] : &nowhere,
               vectors);
    if (edge) strip_hold(now, before, step, w->n, vectors);
}

/* What steps leave in the trail: all vectors, or the one for the i-th of them. */
SIMD_INLINE void strip_leave(vf *trail, const vf *d, int i, const int vectors, const int width)
{
    UNROLL
    for (int v = 0; v < width; v++) trail[i * width + v] = d[width == vectors ? v : i % vectors];
}

/* After `step` steps `steps` more, which leave `width` vectors each: whole rounds, but at an edge.
 */
SIMD_INLINE void strip_run(strip *s, const diagonal_window *w, size_t step, size_t steps,
                           const int vectors, const int width, const bool edge)
{
    const int round = trail_round(vectors, width);
    vf a[STRIP_VECTORS], b[STRIP_VECTORS], y[STRIP_VECTORS], corner = s->corner, *trail = s->trail;
    UNROLL
    for (int v = 0; v < vectors; v++) {
        a[v] = s->now[v];
        b[v] = s->before[v];
        y[v] = s->y[v];
    }
    size_t i = 0;
    for (; i + (size_t)round <= steps; i += (size_t)round, trail += round * width) {
        UNROLL
        for (int k = 0; k < round; k += 2) {
            strip_whole_step(s, w, step + i + (size_t)k, a, b, &corner, y, vectors, edge);
            strip_leave(trail, b, k, vectors, width);
            strip_whole_step(s, w, step + i + (size_t)k + 1, b, a, &corner, y, vectors, edge);
            strip_leave(trail, a, k + 1, vectors, width);
        }
    }
    const bool one = edge && i < steps;
    if (one) {
        strip_whole_step(s, w, step + i, a, b, &corner, y, vectors, edge);
        strip_leave(trail, b, 0, vectors, width);
    }
    UNROLL
    for (int v = 0; v < vectors; v++) {
        s->now[v] = one ? b[v] : a[v];
        s->before[v] = one ? a[v] : b[v];
        s->y[v] = y[v];
    }
    s->corner = corner;
}

/* Pick the rows of columns to keep from the trail of the `steps` steps after `step`. */
SIMD_INLINE void strip_keep(strip *s, const diagonal_window *w, size_t step, size_t steps,
                            const int vectors, const int width)
{
    const size_t count = (size_t)vectors;
    const size_t apart = (size_t)(width == vectors ? width + 1 : 1) * LANES;
    const float *trail = (const float *)s->trail;
    float *column = s->keep;
    for (size_t after = s->keep_after; after <= w->n && after <= step + steps;
         after += w->kept->spacing) {
        const size_t from = after <= step ? step + 1 - after : 0;
        const size_t rows = step + steps + 1 - after, to = rows < s->rows ? rows : s->rows;
        for (size_t r = from > s->missing ? from : s->missing; r < to;) {
            const size_t lane = r / count, i = after + r - step - 1;
            const size_t end = (lane + 1) * count < to ? (lane + 1) * count : to;
            const size_t v = width == vectors ? r % count : 0;
            const float *d = trail + (i * (size_t)width + v) * LANES + lane;
            float *out = column + s->top + r - s->missing;
            if (end - r == count) {
                UNROLL
                for (size_t k = 0; k < count; k++) out[k] = d[k * apart];
            } else {
                for (size_t k = 0; k < end - r; k++) out[k] = d[k * apart];
            }
            r = end;
        }
        column = columns_next(w->kept, column);
        if (to < s->rows) continue;
        s->keep_after += w->kept->spacing;
        s->keep = column;
    }
}

SIMD_INLINE void strip_steps(strip *s, const diagonal_window *w, size_t step, size_t steps,
                             const int vectors, const int width, const bool edge)
{
    strip_run(s, w, step, steps, vectors, width, edge);
    strip_keep(s, w, step, steps, vectors, width);
}

/* All steps, and one more to tell of the last. */
SIMD_INLINE void strip_sweep(strip *s, const diagonal_window *w, const int vectors)
{
    const int width = trail_width(vectors);
    const size_t count = (size_t)vectors, round = (size_t)trail_round(vectors, width);
    const size_t most = STRIP_TRAIL / (size_t)width / round * round, end = w->n + s->rows;
    const size_t begin = s->rows + (width < vectors ? (s->keep_after - 1) % count : 0);
    for (size_t step = 0, steps; step < end; step += steps) {
        steps = w->n > step ? (w->n - step) / round * round : 0;
        if (steps > most) steps = most;
        if (step >= begin && steps) {
            strip_steps(s, w, step, steps, vectors, width, false);
            continue;
        }
        const size_t until = step < begin && begin < end ? begin : end;
        steps = until - step < STRIP_TRAIL / count ? until - step : STRIP_TRAIL / count;
        strip_steps(s, w, step, steps, vectors, vectors, true);
    }
}

/* A strip of so many vectors: the first `missing` rows lie above the template, the others begin at
 * its row `top`. d: of the template's rows. */
SIMD_INLINE void strip_of(const diagonal_window *w, const float *x, float *d, size_t top,
                          size_t missing, float above, const int vectors)
{
    const size_t count = (size_t)vectors;
    strip s;
    s.rows = count * LANES;
    s.missing = missing;
    s.top = top;
    s.keep_after = w->kept->spacing - (size_t)(w->position % w->kept->spacing);
    s.keep = columns_at(w->kept, w->position + s.keep_after);
    for (size_t v = 0; v < count; v++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t r = lane * count + v;
            s.x[v][lane] = r < missing ? 0 : x[top + r - missing];
            s.cost[v][lane] = r < missing ? 0 : INT32_MAX;
            s.now[v][lane] = r < missing ? 0 : d[top + r - missing];
        }
        s.before[v] = s.now[v];
        s.y[v] = vf_all(0);
    }
    s.corner = vf_shift(s.now[count - 1], above);
    strip_sweep(&s, w, vectors);
    for (size_t r = missing; r < s.rows; r++) d[top + r - missing] = s.now[r % count][r / count];
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
        const size_t missing = i ? 0 : vectors * LANES - length, rows = count * LANES - missing;
        const float next = d[top + rows - 1];
        switch (count) {
#if LANES == 16
        case 8: strip_of(w, x, d, top, missing, above, 8); break;
        case 7: strip_of(w, x, d, top, missing, above, 7); break;
        case 6: strip_of(w, x, d, top, missing, above, 6); break;
        case 5: strip_of(w, x, d, top, missing, above, 5); break;
#endif
        case 4: strip_of(w, x, d, top, missing, above, 4); break;
        case 3: strip_of(w, x, d, top, missing, above, 3); break;
        case 2: strip_of(w, x, d, top, missing, above, 2); break;
        default: strip_of(w, x, d, top, missing, above, 1);
        }
        above = next;
        top += rows;
    }
}

#endif
