/*
 * starts_simd.h - a window swept with starts, for streams that are full of matches. It costs
 * twice what a sweep without costs; to trace most of a stream's columns again costs more.
 *
 * As in seams_simd.h the lanes sweep segments of the window side by side, all but the first from
 * +inf, then again from their predecessors' last columns, until a kept column agrees, D and S,
 * wherever either D is <= eps. A lane that never agrees has another last column than its
 * successor began from, which then has another round; so after LANES rounds at most all is
 * exact, as lane k is after round k.
 *
 * A template whose starts are carried has a set of buffers of its own, one of few.
 */
#ifndef KERNELS_STARTS_SIMD_H
#define KERNELS_STARTS_SIMD_H

#include "kernels/adsm_simd.h"
#include "kernels/starts_tile_simd.h"
#include "kernels/trace_kernel.h"

enum {
    STARTS_BYTES = 1 << 26, /* of all sets together, about */
    STARTS_PIECE = 2 * KERNEL_BLOCK,
    STARTS_LEAST_LENGTHS = 4, /* of a segment, in template lengths */
    STARTS_ROUNDS = 3,        /* with more, back off: */
    STARTS_BACK_OFF = 15      /* times that it is refused */
};

/* They are asked for where columns are traced again, at a dense sweep's cost or more beside the
 * sweep's own: where a sparse sweep took less than this share of a dense one, it goes on. */
static const double STARTS_WORTH = 0.5;

/* Frames count from the first of the last step, `from`. */
struct simd_starts {
    bool taken;
    uint64_t from, to; /* the last step's frames whose starts are known: none if they are equal */
    uint64_t since;    /* starts before this frame are too old */
    float *end_d;      /* D(m,.) */
    int32_t *end_s;    /* S(m,.) */
    int32_t *kept;     /* S of the kept columns, each where its D is */
    vf *d;             /* m + LANES, a segment in each lane */
    vi *s;             /* likewise, unsigned */
    vi *row;           /* STARTS_PIECE or LANES: the starts of a piece's row */
};

typedef struct {
    const simd_window *w;
    simd_template *own;
    simd_bench *bench;
    struct simd_starts *st;
    size_t columns;      /* of a segment */
    bool working[LANES]; /* this round, and nothing has agreed yet */
    bool again;          /* not the first round */
} starts_sweep;

/* ---- a piece of columns ---- */

static void starts_tile_samples(vf *state, vi *starts, const float *x, const vf *y,
                                const starts_row *above, size_t n, size_t rows)
{
    switch (rows) {
    case 12:
        starts_tile(state, starts, x, y, above, n, 1, false, 12 % (STARTS_ROWS + 1), NULL);
        break;
    case 8:
        starts_tile(state, starts, x, y, above, n, 1, false, 8 % (STARTS_ROWS + 1), NULL);
        break;
    case 6:
        starts_tile(state, starts, x, y, above, n, 1, false, 6 % (STARTS_ROWS + 1), NULL);
        break;
    case 4: starts_tile(state, starts, x, y, above, n, 1, false, 4, NULL); break;
    case 3: starts_tile(state, starts, x, y, above, n, 1, false, 3, NULL); break;
    case 2: starts_tile(state, starts, x, y, above, n, 1, false, 2, NULL); break;
    default: starts_tile(state, starts, x, y, above, n, 1, false, 1, NULL);
    }
}

static void starts_tile_frames(vf *state, vi *starts, const float *x, const vf *y,
                               const starts_row *above, size_t n, size_t dim, size_t rows)
{
    switch (rows) {
    case 8:
        starts_tile(state, starts, x, y, above, n, dim, true, 8 % (STARTS_ROWS + 1), NULL);
        break;
    case 4: starts_tile(state, starts, x, y, above, n, dim, true, 4, NULL); break;
    case 2: starts_tile(state, starts, x, y, above, n, dim, true, 2, NULL); break;
    default: starts_tile(state, starts, x, y, above, n, dim, true, 1, NULL);
    }
}

/* The most rows for a tile when `left` of the template are left. */
static size_t starts_tile_rows(size_t left, size_t dim)
{
    static const size_t sizes[] = {12, 8, 6, 4, 3, 2, 1}, of_frames[] = {8, 4, 2, 1};
    const size_t most = dim > 1 ? STARTS_ROWS_OF_FRAMES : STARTS_ROWS;
    const size_t *rows = dim > 1 ? of_frames : sizes;
    while (*rows > left || *rows > most) rows++;
    return *rows;
}

/* `length` rows of a template over a piece of n columns; `row` is row 0 on the way in, the
 * last row on the way out. */
static void starts_piece(vf *state, vi *starts, const float *x, size_t length, const vf *y,
                         starts_row *row, size_t n, size_t dim)
{
    for (size_t i = 0, rows; i < length; i += rows) {
        rows = starts_tile_rows(length - i, dim);
        const vf next = state[i + rows - 1];
        const vi next_s = starts[i + rows - 1];
        if (dim > 1)
            starts_tile_frames(state + i, starts + i, x + tile_row_at(i, dim), y, row, n, dim,
                               rows);
        else
            starts_tile_samples(state + i, starts + i, x + i, y, row, n, rows);
        row->corner = next;
        row->corner_s = next_s;
    }
}

/* ---- all segments ---- */

/* Signed to unsigned and back. */
SIMD_INLINE vi starts_flip(vi s)
{
    return s ^ INT32_MIN;
}

/* Starts lie as the columns do. */
static int32_t *starts_at(const simd_template *own, uint64_t position)
{
    return own->starts->kept + (columns_at(&own->kept, position) - own->kept.d);
}

static uint64_t starts_lane_begin(const starts_sweep *sw, size_t lane)
{
    return sw->st->from + lane * sw->columns;
}

/* A round begins at +inf, or at the columns before the segments. */
static void starts_load(const starts_sweep *sw)
{
    const simd_template *own = sw->own;
    for (size_t lane = 0; lane < LANES; lane++) {
        const uint64_t begin = starts_lane_begin(sw, lane);
        const int32_t *s = starts_at(own, begin);
        const float *d = lane ? columns_at(&own->kept, begin) : own->d + own->pad;
        const bool is_true = sw->again ? sw->working[lane] : !lane;
        for (size_t i = 0; i < own->length; i++) {
            sw->st->d[i][lane] = is_true ? d[i] : INFINITY;
            sw->st->s[i][lane] = is_true ? s[i] ^ INT32_MIN : 0;
        }
    }
}

/* Column c of each segment and the n - 1 behind it, the last row of which is left in `row`. */
static void starts_evaluate(const starts_sweep *sw, size_t c, size_t n, starts_row *row)
{
    const size_t dim = sw->w->self->dim;
    segments_gather(sw->w->frames + c * dim, sw->columns * dim, n * dim, sw->bench->y);
    const vi first = starts_flip(vi_iota() * (int32_t)sw->columns + (int32_t)c);
    for (size_t t = 0; t < n; t++) {
        row->d[t] = (vf){0};
        row->s[t] = first + (int32_t)(t + 1); /* the diagonal of the next column */
    }
    row->corner = (vf){0};
    row->corner_s = first;
    starts_piece(sw->st->d, sw->st->s, sw->own->x, sw->own->length, sw->bench->y, row, n, dim);
}

static void starts_tell(const starts_sweep *sw, size_t c, size_t n, const starts_row *row)
{
    for (size_t t = 0; t < n; t += LANES) {
        const float *p[LANES], *q[LANES];
        vf d[LANES], s[LANES];
        for (size_t i = 0; i < LANES; i++) {
            p[i] = (const float *)&row->d[t + i];
            q[i] = (const void *)&row->s[t + i];
        }
        vf_load_transposed(p, d);
        vf_load_transposed(q, s);
        for (size_t lane = 0; lane < LANES; lane++) {
            if (!sw->working[lane]) continue;
            vf_store(sw->st->end_d + lane * sw->columns + c + t, d[lane]);
            vi_store(sw->st->end_s + lane * sw->columns + c + t, starts_flip((vi)s[lane]));
        }
    }
}

/* Does a column differ from what was kept, in these rows? */
SIMD_INLINE bool starts_differ(const float *kept_d, const int32_t *kept_s, vf d, vi s, size_t rows,
                               float eps)
{
    const vf old_d = vf_load(kept_d);
    vi differs = (old_d != d) | (vi_load(kept_s) != s);
    if (rows < LANES) differs &= vi_iota() < (int32_t)rows;
    return vf_at_most(vf_select(differs, vf_min(old_d, d), vf_all(INFINITY)), eps) != 0;
}

/* Where the columns that are kept at one time lie, a lane's each. */
typedef struct {
    float *d[LANES];
    int32_t *s[LANES];
} starts_places;

/* Keep `rows` <= LANES rows from i on, as whole vectors: columns lie whole cache lines apart. Gives
 * the lanes that come again and differ. */
SIMD_INLINE uint32_t starts_keep_rows(const starts_sweep *sw, const starts_places *to, size_t i,
                                      size_t rows, bool again)
{
    uint32_t differ = 0;
    const float *p[LANES], *q[LANES];
    vf d[LANES], s[LANES];
    UNROLL
    for (size_t k = 0; k < LANES; k++) {
        p[k] = (const float *)&sw->st->d[i + k];
        q[k] = (const void *)&sw->st->s[i + k];
    }
    vf_load_transposed(p, d);
    vf_load_transposed(q, s);
    UNROLL
    for (size_t lane = 0; lane < LANES; lane++) {
        const vi start = starts_flip((vi)s[lane]);
        float *kept_d = to->d[lane] + i;
        int32_t *kept_s = to->s[lane] + i;
        if (again && !sw->working[lane]) continue;
        if (again && starts_differ(kept_d, kept_s, d[lane], start, rows, sw->own->eps))
            differ |= 1u << lane;
        vf_store(kept_d, d[lane]);
        vi_store(kept_s, start);
    }
    return differ;
}

SIMD_INLINE uint32_t starts_keep_all(const starts_sweep *sw, const starts_places *to, bool again)
{
    const size_t length = sw->own->length;
    uint32_t differ = 0;
    size_t i = 0;
    for (; i + LANES <= length; i += LANES) differ |= starts_keep_rows(sw, to, i, LANES, again);
    if (i < length) differ |= starts_keep_rows(sw, to, i, length - i, again);
    return differ;
}

/* Keep the columns that the segments have reached, at `c`. A lane that comes again and
 * agrees with its last round has the rest of that already. */
static void starts_keep(starts_sweep *sw, size_t c)
{
    const columns *kept = &sw->own->kept;
    starts_places to = {0};
    columns_series(kept, sw->st->from + c, sw->columns, LANES, to.d);
    for (size_t lane = 0; lane < LANES; lane++) to.s[lane] = sw->st->kept + (to.d[lane] - kept->d);
    if (!sw->again) {
        starts_keep_all(sw, &to, false);
        return;
    }
    const uint32_t differ = starts_keep_all(sw, &to, true);
    for (size_t lane = 0; lane < LANES; lane++) sw->working[lane] &= differ >> lane & 1;
}

static bool starts_any(const bool *working)
{
    bool some = false;
    for (size_t lane = 0; lane < LANES; lane++) some |= working[lane];
    return some;
}

static void starts_round(starts_sweep *sw)
{
    const size_t spacing = sw->own->kept.spacing,
                 most = sw->w->self->dim > 1 ? LANES : STARTS_PIECE;
    const size_t n = spacing < most ? spacing : most;
    starts_row row = {.d = sw->bench->row, .s = sw->st->row};
    starts_load(sw);
    for (size_t c = 0; c < sw->columns && starts_any(sw->working); c += n) {
        starts_evaluate(sw, c, n, &row);
        starts_tell(sw, c, n, &row);
        if ((c + n) % spacing == 0) starts_keep(sw, c + n);
    }
}

/* The whole window; its tail without starts. */
static void sweep_with_starts(const simd_window *w, simd_template *own, simd_bench *bench)
{
    struct simd_starts *st = own->starts;
    const size_t n = (size_t)(st->to - st->from);
    starts_sweep sw = {.w = w, .own = own, .bench = bench, .st = st, .columns = n / LANES};
    memset(sw.working, true, sizeof sw.working);
    starts_round(&sw);
    memset(sw.working, true, sizeof sw.working);
    sw.again = true;
    size_t rounds = 1;
    for (sw.working[0] = false; starts_any(sw.working); rounds++) {
        starts_round(&sw);
        memmove(sw.working + 1, sw.working, (LANES - 1) * sizeof *sw.working);
        sw.working[0] = false;
    }
    if (rounds > STARTS_ROUNDS) own->starts_back_off = STARTS_BACK_OFF;
    memcpy(own->d + own->pad, columns_at(&own->kept, st->to), own->length * sizeof *own->d);
    tell_line(w, own, st->end_d, 0, n);
    sweep_part(w, own, bench, n, w->n);
}

/* Before a step: is the template swept with starts? Where steps are short or odd it is not, and
 * what was known of starts is lost. */
static void starts_begin_step(const simd_window *w, simd_template *own)
{
    struct simd_starts *st = own->starts;
    own->with_starts = false;
    if (!st) return;
    const uint64_t position = w->self->position;
    const size_t spacing = own->kept.spacing, length = w->n / LANES / spacing * spacing;
    const bool follows = st->to == position && st->from < st->to;
    const size_t before = (size_t)(position - st->from);
    st->from = st->to = position;
    if (position % spacing || !length || length < STARTS_LEAST_LENGTHS * own->length) return;
    int32_t *s = starts_at(own, position);
    for (size_t i = 0; i < own->length; i++)
        s[i] = follows ? trace_start_moved(s[i], before) : TRACE_START_TOO_OLD;
    if (!follows) st->since = position;
    st->to = position + LANES * length;
    own->with_starts = true;
}

/* ---- the sets ---- */

static bool starts_possible(const simd_template *own, size_t max_step)
{
    return isfinite(own->eps) && max_step / LANES >= STARTS_LEAST_LENGTHS * own->length;
}

static void starts_free(simd_kernel *self)
{
    for (size_t i = 0; i < self->n_starts; i++) {
        struct simd_starts *st = &self->starts[i];
        free(st->end_d);
        free(st->end_s);
        free(st->kept);
        free(st->d);
        free(st->s);
        free(st->row);
    }
    free(self->starts);
}

/* Memory that no template takes is not touched. */
static sigrep_status starts_init(simd_kernel *self)
{
    size_t longest = 0, kept = 0, wanted = 0;
    for (size_t j = 0; j < self->n_templates; j++) {
        const simd_template *own = &self->templates[j];
        if (!starts_possible(own, self->max_step)) continue;
        wanted++;
        if (own->length > longest) longest = own->length;
        if (own->kept.slots * own->kept.stride > kept) kept = own->kept.slots * own->kept.stride;
    }
    const size_t bytes = 4 * kept + 8 * self->max_step + 2 * sizeof(vf) * (longest + LANES);
    const size_t count = STARTS_BYTES / bytes < wanted ? STARTS_BYTES / bytes : wanted;
    if (!count) return SIGREP_OK;
    self->starts = calloc(count, sizeof *self->starts);
    if (!self->starts) return SIGREP_NO_MEMORY;
    self->n_starts = count;
    for (size_t i = 0; i < count; i++) {
        struct simd_starts *st = &self->starts[i];
        st->end_d = calloc(self->max_step, sizeof *st->end_d);
        st->end_s = calloc(self->max_step, sizeof *st->end_s);
        st->kept = calloc(kept, sizeof *st->kept);
        st->d = aligned_calloc(longest + LANES, sizeof *st->d);
        st->s = aligned_calloc(longest + LANES, sizeof *st->s);
        st->row = aligned_calloc(STARTS_PIECE, sizeof *st->row);
        if (!st->end_d || !st->end_s || !st->kept || !st->d || !st->s || !st->row)
            return SIGREP_NO_MEMORY;
    }
    return SIGREP_OK;
}

static void starts_leave(simd_template *own)
{
    if (own->starts) own->starts->taken = false;
    own->starts = NULL;
    own->with_starts = false;
}

static bool starts_take(simd_kernel *self, simd_template *own)
{
    if (own->starts_back_off) {
        own->starts_back_off--;
        starts_leave(own);
        return false;
    }
    if (own->starts) return true;
    if (own->sparse && own->part_cost < STARTS_WORTH) return false;
    if (!starts_possible(own, self->max_step)) return false;
    for (size_t i = 0; i < self->n_starts && !own->starts; i++)
        if (!self->starts[i].taken) own->starts = &self->starts[i];
    if (!own->starts) return false;
    own->starts->taken = true;
    own->starts->from = own->starts->to = self->position;
    return true;
}

#endif
