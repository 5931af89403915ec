/*
 * diagonal_simd.h - samples (dim 1), for windows of any length: anti-diagonals. The template
 * is cut into strips of up to 8 vectors of rows. One strip sweeps the whole window, lane i
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

enum { STRIP_VECTORS = 8, STRIP_ROWS = STRIP_VECTORS * LANES };

/* The lanes in the last STRIP_ROWS steps, to cut a column out of the diagonals. */
typedef struct {
    float now[STRIP_ROWS][STRIP_ROWS]; /* [step % STRIP_ROWS][lane] */
} diagonal_trail;

/* What a strip sweeps. */
typedef struct {
    const float *y; /* reversed: y[-t] is sample t; STRIP_ROWS more are read on both sides */
    float *row;     /* D of the row above, in place D of the bottom row: n values, room for
                       STRIP_ROWS more on both sides */
    size_t n;
    uint64_t position; /* frames before the window */
    const columns *kept;
    diagonal_trail *trail;
} diagonal_window;

/* A strip in registers; its x stays in memory. */
typedef struct {
    const float *x;
    vf now[STRIP_VECTORS], diag[STRIP_VECTORS];
    vi keep; /* of the first vector: 0 in padding lanes */
} strip;

/* Steps [from, to). `edge`: some lanes may not have begun or may be done. */
SIMD_INLINE void strip_run(strip *s, const diagonal_window *w, size_t from, size_t to,
                           const int vectors, const bool edge, const bool padded, const bool trail)
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
            if (padded && v == 0) new = (vf)((vi) new & r.keep);
            if (edge) {
                vi t = (int32_t)step - v * LANES - vi_iota();
                new = vf_select((t >= 0) & (t < (int32_t)w->n), new, r.now[v]);
            }
            r.now[v] = new;
            r.diag[v] = up[v];
            if (trail) vf_store(&w->trail->now[step % STRIP_ROWS][v * LANES], new);
        }
        w->row[(ptrdiff_t)step - (vectors * LANES - 1)] = r.now[vectors - 1][LANES - 1];
    }
    *s = r;
}

/* All steps of one strip, whose first row is row `top` of the padded template. Where a
 * column is to be kept, the strip leaves a trail while its lanes pass it. */
SIMD_INLINE void strip_sweep(strip *s, const diagonal_window *w, size_t top, size_t pad,
                             const int vectors, const bool padded)
{
    const size_t rows = (size_t)vectors * LANES, end = w->n + rows - 1;
    const size_t spacing = w->kept->spacing, skip = padded ? pad : 0;
    size_t mark = spacing - 1 - (size_t)(w->position % spacing); /* the next column to keep */
    for (size_t step = 0; step < end;) {
        const bool marked = mark < w->n, trail = marked && step >= mark;
        size_t to = step < rows - 1 ? rows - 1 : step < w->n ? w->n : end;
        const size_t event = trail ? mark + rows : mark;
        if (marked && event < to) to = event;
        if (step < rows - 1 || step >= w->n)
            strip_run(s, w, step, to, vectors, true, padded, true);
        else if (trail)
            strip_run(s, w, step, to, vectors, false, padded, true);
        else
            strip_run(s, w, step, to, vectors, false, padded, false);
        step = to;
        if (!trail || step < mark + rows) continue;
        float *d = columns_at(w->kept, w->position + mark + 1) + top - pad;
        for (size_t i = skip; i < rows; i++) d[i] = w->trail->now[(mark + i) % STRIP_ROWS][i];
        mark += spacing;
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
    for (size_t top = 0; top < rows;) {
        size_t vectors = (rows - top) / LANES, done;
        float last_above = above;
        if (vectors >= 8) {
            above = d[top + 8 * LANES - 1], done = 8;
            strip_of(w, x, d, top, pad, last_above, 8);
        } else if (vectors >= 4) {
            above = d[top + 4 * LANES - 1], done = 4;
            strip_of(w, x, d, top, pad, last_above, 4);
        } else if (vectors >= 2) {
            above = d[top + 2 * LANES - 1], done = 2;
            strip_of(w, x, d, top, pad, last_above, 2);
        } else {
            above = d[top + LANES - 1], done = 1;
            strip_of(w, x, d, top, pad, last_above, 1);
        }
        top += done * LANES;
    }
}
