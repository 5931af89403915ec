/*
 * trace_simd.h - the shared body of the vector trace kernels. The including file sets LANES
 * and defines its trace_kernel by TRACE_OPS; its compiler flags choose the instructions.
 *
 * The template is cut into strips of ROWS rows. One strip sweeps the whole batch as an
 * anti-diagonal, row r of it being r columns behind row 0:
 *
 *             t ->                    up   = row r-1, one step ago
 *     row 0   . . . . . s             left = row r,   one step ago
 *     row 1   . . . . s               diag = row r-1, two steps ago
 *     row 2   . . . s                 (s: the cells of step s)
 *
 * and hands its bottom row, D and S, to the next strip. Lanes count upwards from the bottom
 * row of a vector, so frames are read in the order in which they stand in memory, and the
 * bottom row is lane 0, which is had for nothing.
 *
 * A strip is padded at the top with rows of cost 0. Row 0 of the recurrence is D = 0; each
 * row of cost 0 below it hands on what it got one column ago. So S = t + 1 + pad above them
 * makes S = t of the first real row, whose diagonal it is.
 *
 * Where neither the strip nor the row above it has a cell within the bound, steps are
 * skipped up to the next such cell above. What is watched must lie within the bound.
 */
#include <float.h>
#include <math.h>

#include "kernels/cpu/isa/trace_vector.h"
#include "kernels/cpu/trace/least.h"
#include "kernels/cpu/trace/trace_cpu.h"

enum {
    VECTORS = 2,
    ROWS = VECTORS * LANES,
    LOOK = 32 /* steps between two looks for a cell within the bound */
};

_Static_assert(ROWS + LANES <= TRACE_MARGIN, "the scratch has too small a margin");

/* What does not change during a batch. */
typedef struct {
    trace_cells *cells;
    size_t n, dim;
    float bound;
    trace_watch *watch;
} batch;

/* Code that is compiled for each of these apart. */
typedef struct {
    bool frames;  /* dim > 1 */
    bool watched; /* there is a watch */
    bool edge;    /* some lanes have not begun or are done, and keep their cells */
} kind;

/* A strip in registers. */
typedef struct {
    vf x[VECTORS], d[VECTORS], diag[VECTORS];
    vi s[VECTORS], diag_s[VECTORS];
    vi abs[VECTORS];  /* clears the sign; in the padding, everything */
    vi live[VECTORS]; /* the last columns with a live cell */
} strip;

/* The row of a lane, from the top of its strip. */
SIMD_INLINE vi rows_of(int vector)
{
    return vector * LANES + LANES - 1 - vi_iota();
}

/* The frames that the lanes of a vector meet in a step, y being at frame `step`. */
SIMD_INLINE vf frames_of(int vector, const float *y)
{
    return vf_load(y - (vector * LANES + LANES - 1));
}

SIMD_INLINE vf cost_of(const batch *b, const strip *q, int vector, const float *y, const float *x,
                       bool frames)
{
    vf c = (vf)((vi)(q->x[vector] - frames_of(vector, y)) & q->abs[vector]);
    for (size_t k = 1; frames && k < b->dim; k++) {
        const size_t plane = TRACE_BATCH + 2 * TRACE_MARGIN;
        vf x_k = vf_reverse(vf_load(x + k * b->cells->rows + (size_t)vector * LANES));
        vf delta = x_k - frames_of(vector, y + k * plane);
        c = c + (vf)((vi)delta & q->abs[vector]);
    }
    return c;
}

/* Remember the column where a cell is live. */
SIMD_INLINE void look(const trace_watch *w, strip *q, int vector, vi col, lanes at_work)
{
    vi s = q->s[vector];
    lanes live = lanes_less(q->d[vector], vf_all(w->d), at_work);
    live = lanes_above(vi_all(w->last + 1), s, live);
    live = lanes_above(s, col - w->length_max, live);
    q->live[vector] = vi_where(live, col, q->live[vector]);
}

SIMD_INLINE void strip_step(const batch *b, strip *q, const float *x, size_t step, kind is)
{
    const float *y = b->cells->y + TRACE_MARGIN + step;
    vf above = vf_all(b->cells->end_d[step]);
    vi above_s = vi_all(b->cells->end_s[step]);
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
        vf up = vf_push(above, q->d[v]), best = q->diag[v];
        vi up_s = (vi)vf_push((vf)above_s, (vf)q->s[v]), best_s = q->diag_s[v];
        above = q->d[v];
        above_s = q->s[v];
        vf_take_less(&best, &best_s, q->d[v], q->s[v]);
        vf_take_less(&best, &best_s, up, up_s);
        best = best + cost_of(b, q, v, y, x, is.frames);
        vi col = vi_all((int32_t)step) - rows_of(v);
        lanes at_work = lanes_all();
        if (is.edge) {
            at_work = vi_below(col, (int32_t)b->n);
            best = vf_where(at_work, best, q->d[v]);
            best_s = vi_where(at_work, best_s, q->s[v]);
        }
        q->diag[v] = up;
        q->diag_s[v] = up_s;
        q->d[v] = best;
        q->s[v] = best_s;
        if (is.watched) look(b->watch, q, v, col, at_work);
    }
    if (is.edge && step < ROWS - 1) return;
    b->cells->end_d[step - (ROWS - 1)] = q->d[VECTORS - 1][0];
    b->cells->end_s[step - (ROWS - 1)] = q->s[VECTORS - 1][0];
}

SIMD_INLINE void strip_run(const batch *b, strip *q, const float *x, size_t from, size_t to,
                           kind is)
{
    const kind unwatched = {.frames = is.frames, .edge = is.edge};
    size_t step = from;
    for (; is.watched && step < to && (int32_t)step < b->watch->last; step++)
        strip_step(b, q, x, step, unwatched);
    for (; step < to; step++) strip_step(b, q, x, step, is);
}

SIMD_INLINE bool strip_is_active(const strip *q, float bound)
{
    bool any = false;
    for (int v = 0; v < VECTORS; v++) any |= vf_at_most(vf_min(q->d[v], q->diag[v]), bound) != 0;
    return any;
}

/* The first column from `from` on that has a cell within the bound above the strip; n. */
static size_t next_active(const batch *b, size_t from)
{
    const float *d = b->cells->end_d;
    while (from + LANES <= b->n && !vf_at_most(vf_load(d + from), b->bound)) from += LANES;
    while (from < b->n && !(d[from] <= b->bound)) from++;
    return from;
}

/* No cell of the strip matters until step `next`: its bottom row is not there either. */
SIMD_INLINE void strip_skip(const batch *b, strip *q, size_t step, size_t next)
{
    size_t end = next < b->n ? next : b->n + ROWS - 1;
    for (size_t i = step; i < end; i++)
        if (i >= ROWS - 1) b->cells->end_d[i - (ROWS - 1)] = INFINITY;
    for (int v = 0; v < VECTORS; v++) q->d[v] = q->diag[v] = vf_all(INFINITY);
}

/* All steps of one strip over the batch. end_d and end_s are the row above on the way in,
 * the bottom row on the way out. */
SIMD_INLINE void strip_sweep(const batch *b, strip *q, const float *x, kind is)
{
    size_t end = b->n + ROWS - 1;
    for (size_t step = 0; step < end;) {
        if (!strip_is_active(q, b->bound)) {
            size_t next = next_active(b, step);
            strip_skip(b, q, step, next);
            if (next >= b->n) return;
            step = next;
        }
        size_t to = step + LOOK < end ? step + LOOK : end;
        if (step >= ROWS - 1 && step < b->n) {
            if (to > b->n) to = b->n;
            is.edge = false;
            strip_run(b, q, x, step, to, is);
        } else {
            if (step < ROWS - 1 && to > ROWS - 1) to = ROWS - 1;
            is.edge = true;
            strip_run(b, q, x, step, to, is);
        }
        step = to;
    }
}

SIMD_INLINE void strip_load(const batch *b, strip *q, size_t top, float above, int32_t above_s)
{
    const trace_cells *c = b->cells;
    for (int v = 0; v < VECTORS; v++) {
        size_t row = top + (size_t)v * LANES;
        q->x[v] = vf_reverse(vf_load(c->x + row));
        q->d[v] = vf_reverse(vf_load(c->d + row));
        q->s[v] = (vi)vf_reverse((vf)vi_load(c->s + row));
        vi is_padding = (vi_all((int32_t)top) + rows_of(v)) < (int32_t)(top < c->pad ? c->pad : 0);
        q->abs[v] = ~is_padding & INT32_MAX;
        q->diag[v] = vf_all(INFINITY); /* of the rows below the top one: `up` of a step before */
        q->diag_s[v] = vi_all(above_s);
        q->live[v] = vi_all(-1);
    }
    q->diag[0] = vf_push(vf_all(above), q->diag[0]);
}

/* S relative to the frame after the batch; what falls out of 32 bits is TRACE_START_TOO_OLD. */
SIMD_INLINE vi starts_moved(vi s, size_t n)
{
    vi least = vi_all(TRACE_START_TOO_OLD + (int32_t)n);
    return vi_select(s < least, least, s) - (int32_t)n;
}

SIMD_INLINE void strip_save(const batch *b, const strip *q, size_t top)
{
    for (int v = 0; v < VECTORS; v++) {
        size_t row = top + (size_t)v * LANES;
        vf_store(b->cells->d + row, vf_reverse(q->d[v]));
        vi_store(b->cells->s + row, (vi)vf_reverse((vf)starts_moved(q->s[v], b->n)));
        for (int i = 0; b->watch && i < LANES; i++)
            if (q->live[v][i] > b->watch->latest) b->watch->latest = q->live[v][i];
    }
}

/* The strip from row `top` on, D and S(top - 1, .) before the batch being given. */
SIMD_INLINE void strip_all(const batch *b, size_t top, float above, int32_t above_s, kind is)
{
    strip q;
    strip_load(b, &q, top, above, above_s);
    strip_sweep(b, &q, b->cells->x + top, is);
    strip_save(b, &q, top);
}

/* Row 0 of the recurrence, above the padding, and the padding before the batch. */
static void begin_batch(const batch *b, const float *frames)
{
    trace_cells *c = b->cells;
    for (size_t t = 0; t < b->n; t++) {
        c->end_d[t] = 0;
        c->end_s[t] = (int32_t)(t + 1 + c->pad);
    }
    for (size_t i = 0; i < c->pad; i++) {
        c->d[i] = 0;
        c->s[i] = (int32_t)(c->pad - 1 - i);
    }
    for (size_t k = 0; k < c->dim; k++) {
        float *plane = c->y + k * (TRACE_BATCH + 2 * TRACE_MARGIN) + TRACE_MARGIN;
        for (size_t t = 0; t < b->n; t++) plane[t] = frames[t * c->dim + k];
    }
}

static void trace_run(trace_cells *cells, const float *frames, size_t n, float bound,
                      trace_watch *watch)
{
    batch b = {cells, n, cells->dim, bound < FLT_MAX ? bound : FLT_MAX, watch};
    if (watch) watch->latest = -1;
    begin_batch(&b, frames);
    float above = 0;
    int32_t above_s = (int32_t)cells->pad;
    for (size_t top = 0; top < cells->rows; top += ROWS) {
        float below = cells->d[top + ROWS - 1];
        int32_t below_s = cells->s[top + ROWS - 1];
        if (watch && b.dim > 1)
            strip_all(&b, top, above, above_s, (kind){.frames = true, .watched = true});
        else if (watch)
            strip_all(&b, top, above, above_s, (kind){.watched = true});
        else if (b.dim > 1)
            strip_all(&b, top, above, above_s, (kind){.frames = true});
        else
            strip_all(&b, top, above, above_s, (kind){.frames = false});
        above = below;
        above_s = below_s;
    }
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an initialiser takes none. */
#define TRACE_OPS(NAME, USABLE)                                                                    \
    {                                                                                              \
        .name = NAME, .strip = ROWS, .usable = USABLE, .run = trace_run, .least = trace_least,     \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
