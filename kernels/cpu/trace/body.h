/*
 * body.h - the shared body of the vector trace kernels.
 *
 * A tile of ROWS rows sweeps the whole batch along anti-diagonals. In step s row r is at column
 * s - r:
 *
 *     column  0 1 2 3 4 5             up   = row r-1, one step ago
 *     row 0   . . . . . s             left = row r,   one step ago
 *     row 1   . . . . s               diag = row r-1, two steps ago
 *     row 2   . . . s                 (s: the cells of step s)
 *
 * The tile hands its bottom row, D and S, to the next tile. Lanes count upwards from the bottom row
 * of a vector. So the lanes read frames in their order in memory, and the bottom row is lane 0.
 *
 * The first tile may begin with rows of padding, of cost 0. Row 0 of the recurrence is D = 0, and
 * each row of padding hands on the value it got one column earlier. With S = t + 1 + pad above the
 * padding, the first row of the template gets S = t, from its diagonal.
 *
 * If neither a tile nor the row above it has a cell within the bound, the tile skips steps up to
 * the next such cell above. Watched cells must lie within the bound.
 *
 * Needs: LANES, set by the .c file, whose compiler flags choose the instructions.
 * Gives: TRACE_OPS, which defines its trace_kernel.
 */
#include <float.h>
#include <math.h>

#include "kernels/cpu/isa/trace_vector.h"
#include "kernels/trace_kernel.h"

enum {
    VECTORS = 2,
    ROWS = VECTORS * LANES,
    SKIP_STEPS = 32 /* steps from one look for a cell within the bound to the next */
};

_Static_assert(ROWS + LANES <= TRACE_MARGIN, "the margin of the scratch is too small");

/* A batch. All members but *cells and *watch are constant while it is traced. */
typedef struct {
    trace_cells *cells;
    size_t n, dim;
    float bound;
    trace_watch *watch;
} batch;

/* The compiler makes code for each combination. */
typedef struct {
    bool frames;  /* dim > 1 */
    bool watched; /* there is a watch */
    bool edge;    /* some lanes have not begun, or are done, and hold their cells */
} kind;

/* A tile in registers. */
typedef struct {
    vf x[VECTORS], d[VECTORS], diag[VECTORS];
    vi s[VECTORS], diag_s[VECTORS];
    vi sign_off[VECTORS]; /* INT32_MAX; 0 in the padding */
    vi live[VECTORS];     /* the last column with a live cell */
} trace_tile;

/* The rows of the lanes, counted from the top of the tile. */
SIMD_INLINE vi rows_of(int vector)
{
    return vector * LANES + LANES - 1 - vi_iota();
}

/* The frames that a vector's lanes meet in a step; y: frame `step`. */
SIMD_INLINE vf frames_of(int vector, const float *y)
{
    return vf_load(y - (vector * LANES + LANES - 1));
}

SIMD_INLINE vf costs_of(const batch *b, const trace_tile *tile, int vector, const float *y,
                        const float *x, bool frames)
{
    vf sum = masked_cell_cost(tile->x[vector], frames_of(vector, y), tile->sign_off[vector]);
    for (size_t k = 1; frames && k < b->dim; k++) {
        const size_t plane = TRACE_BATCH + 2 * TRACE_MARGIN;
        vf x_k = vf_reverse(vf_load(x + k * b->cells->rows + (size_t)vector * LANES));
        sum = sum + masked_cell_cost(x_k, frames_of(vector, y + k * plane), tile->sign_off[vector]);
    }
    return sum;
}

/* Note the column of each live cell. */
SIMD_INLINE void watch_cells(const trace_watch *w, trace_tile *tile, int vector, vi col,
                             lane_mask at_work)
{
    vi s = tile->s[vector];
    lane_mask live = lanes_less(tile->d[vector], vf_all(w->d), at_work);
    live = lanes_above(vi_all(w->last + 1), s, live);
    live = lanes_above(s, col - w->length_max, live);
    tile->live[vector] = vi_where(live, col, tile->live[vector]);
}

SIMD_INLINE void tile_step(const batch *b, trace_tile *tile, const float *x, size_t step, kind is)
{
    const float *y = b->cells->y + TRACE_MARGIN + step;
    vf above = vf_all(b->cells->end_d[step]);
    vi above_s = vi_all(b->cells->end_s[step]);
    UNROLL
    for (int v = 0; v < VECTORS; v++) {
        vf up = vf_push(above, tile->d[v]), best = tile->diag[v];
        vi up_s = (vi)vf_push((vf)above_s, (vf)tile->s[v]), best_s = tile->diag_s[v];
        above = tile->d[v];
        above_s = tile->s[v];
        take_less(&best, &best_s, tile->d[v], tile->s[v]);
        take_less(&best, &best_s, up, up_s);
        best = best + costs_of(b, tile, v, y, x, is.frames);
        vi col = vi_all((int32_t)step) - rows_of(v);
        lane_mask at_work = lanes_all();
        if (is.edge) {
            at_work = vi_within(col, (int32_t)b->n);
            best = vf_where(at_work, best, tile->d[v]);
            best_s = vi_where(at_work, best_s, tile->s[v]);
        }
        tile->diag[v] = up;
        tile->diag_s[v] = up_s;
        tile->d[v] = best;
        tile->s[v] = best_s;
        if (is.watched) watch_cells(b->watch, tile, v, col, at_work);
    }
    if (is.edge && step < ROWS - 1) return;
    b->cells->end_d[step - (ROWS - 1)] = tile->d[VECTORS - 1][0];
    b->cells->end_s[step - (ROWS - 1)] = tile->s[VECTORS - 1][0];
}

SIMD_INLINE void tile_steps(const batch *b, trace_tile *tile, const float *x, size_t from,
                            size_t to, kind is)
{
    const kind unwatched = {.frames = is.frames, .edge = is.edge};
    size_t step = from;
    for (; is.watched && step < to && (int32_t)step < b->watch->last; step++)
        tile_step(b, tile, x, step, unwatched);
    for (; step < to; step++) tile_step(b, tile, x, step, is);
}

SIMD_INLINE bool tile_is_active(const trace_tile *tile, float bound)
{
    bool any = false;
    for (int v = 0; v < VECTORS; v++)
        any |= vf_at_most(vf_min(tile->d[v], tile->diag[v]), bound) != 0;
    return any;
}

/* The first column from `from` on with a cell within the bound above the tile, else n. */
static size_t next_active(const batch *b, size_t from)
{
    const float *d = b->cells->end_d;
    while (from + LANES <= b->n && !vf_at_most(vf_load(d + from), b->bound)) from += LANES;
    while (from < b->n && !(d[from] <= b->bound)) from++;
    return from;
}

/* Skip steps [step, next), in which no cell of the tile matters: its bottom row is +inf. */
SIMD_INLINE void tile_skip(const batch *b, trace_tile *tile, size_t step, size_t next)
{
    size_t end = next < b->n ? next : b->n + ROWS - 1;
    for (size_t i = step; i < end; i++)
        if (i >= ROWS - 1) b->cells->end_d[i - (ROWS - 1)] = INFINITY;
    for (int v = 0; v < VECTORS; v++) tile->d[v] = tile->diag[v] = vf_all(INFINITY);
}

/* Do all steps of a tile. end_d and end_s: the row above, replaced by the bottom row. */
SIMD_INLINE void tile_sweep(const batch *b, trace_tile *tile, const float *x, kind is)
{
    size_t end = b->n + ROWS - 1;
    for (size_t step = 0; step < end;) {
        if (!tile_is_active(tile, b->bound)) {
            size_t next = next_active(b, step);
            tile_skip(b, tile, step, next);
            if (next >= b->n) return;
            step = next;
        }
        size_t to = step + SKIP_STEPS < end ? step + SKIP_STEPS : end;
        if (step >= ROWS - 1 && step < b->n) {
            if (to > b->n) to = b->n;
            is.edge = false;
            tile_steps(b, tile, x, step, to, is);
        } else {
            if (step < ROWS - 1 && to > ROWS - 1) to = ROWS - 1;
            is.edge = true;
            tile_steps(b, tile, x, step, to, is);
        }
        step = to;
    }
}

SIMD_INLINE void tile_load(const batch *b, trace_tile *tile, size_t top, float above,
                           int32_t above_s)
{
    const trace_cells *c = b->cells;
    for (int v = 0; v < VECTORS; v++) {
        size_t row = top + (size_t)v * LANES;
        tile->x[v] = vf_reverse(vf_load(c->x + row));
        tile->d[v] = vf_reverse(vf_load(c->d + row));
        tile->s[v] = (vi)vf_reverse((vf)vi_load(c->s + row));
        vi is_padding = (vi_all((int32_t)top) + rows_of(v)) < (int32_t)(top < c->pad ? c->pad : 0);
        tile->sign_off[v] = ~is_padding & INT32_MAX;
        tile->diag[v] = vf_all(INFINITY); /* `up` of the step before, but in the top row */
        tile->diag_s[v] = vi_all(above_s);
        tile->live[v] = vi_all(-1);
    }
    tile->diag[0] = vf_push(vf_all(above), tile->diag[0]);
}

/* S relative to the frame after the batch; TRACE_START_TOO_OLD if that is below 32 bits. */
SIMD_INLINE vi starts_moved(vi s, size_t n)
{
    vi least = vi_all(TRACE_START_TOO_OLD + (int32_t)n);
    return vi_select(s < least, least, s) - (int32_t)n;
}

SIMD_INLINE void tile_save(const batch *b, const trace_tile *tile, size_t top)
{
    for (int v = 0; v < VECTORS; v++) {
        size_t row = top + (size_t)v * LANES;
        vf_store(b->cells->d + row, vf_reverse(tile->d[v]));
        vi_store(b->cells->s + row, (vi)vf_reverse((vf)starts_moved(tile->s[v], b->n)));
        for (int i = 0; b->watch && i < LANES; i++)
            if (tile->live[v][i] > b->watch->latest) b->watch->latest = tile->live[v][i];
    }
}

/* Trace the tile from row `top` on; above, above_s: D and S(top - 1,.) before the batch. */
SIMD_INLINE void tile_trace(const batch *b, size_t top, float above, int32_t above_s, kind is)
{
    trace_tile tile;
    tile_load(b, &tile, top, above, above_s);
    tile_sweep(b, &tile, b->cells->x + top, is);
    tile_save(b, &tile, top);
}

/* Write row 0 of the recurrence and the padding before the batch, and copy the frames to planes. */
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
            tile_trace(&b, top, above, above_s, (kind){.frames = true, .watched = true});
        else if (watch)
            tile_trace(&b, top, above, above_s, (kind){.watched = true});
        else if (b.dim > 1)
            tile_trace(&b, top, above, above_s, (kind){.frames = true});
        else
            tile_trace(&b, top, above, above_s, (kind){.frames = false});
        above = below;
        above_s = below_s;
    }
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an initialiser takes none. */
#define TRACE_OPS(NAME, USABLE)                                                                    \
    {                                                                                              \
        .name = NAME, .tile_rows = ROWS, .usable = USABLE, .run = trace_run                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
