/*
 * seams_simd.h - the window in segments, exactly.
 *
 * All segments but the first start from +inf, which is not the truth, but comes to agree
 * with it after a template length or so. Columns are kept at multiples of the spacing, the
 * ends of segments among them. So each segment is then swept once more from its
 * predecessor's last column, until one of its columns agrees with the kept one (above eps
 * they need not agree: no path from there ends in a candidate): what follows is right
 * already, and if the predecessor's last column was right, so is all of the segment, and its
 * last column. By induction the whole window is. A segment that never agreed has another
 * last column than its successor was told: it is unsettled, and from there on the segments
 * are done again one after the other, each from a true column, until one agrees.
 */
#ifndef KERNELS_CPU_DENSE_SEAMS_H
#define KERNELS_CPU_DENSE_SEAMS_H

#include "kernels/cpu/sparse/window.h"

enum {
    /* Of a segment, in template lengths: below, anti-diagonals win. */
    LEAST_LENGTHS = LANES == 16 ? 6 : 4,
    LEAST_LENGTHS_OF_FRAMES = 2,
    BACK_OFF_STEPS = 15 /* without segments, where their seams did not settle */
};

/* Templates [first, last) swept by `groups` times LANES segments of `columns` frames, from
 * frame `begin` of the window on. */
typedef struct {
    const simd_window *w;
    size_t first, last;
    size_t begin, columns, groups;
    size_t shares;  /* parts of the templates, for as many tasks */
    bool again;     /* from the predecessors' columns */
    bool probe;     /* sparse templates have swept the first SPARSE_LEAST frames */
    bool remainder; /* what a sparse sweep left of the window, densely */
} segment_sweep;

/* Columns of a piece at most, and of a template of this spacing: it ends where one is kept, and
 * frames of many values should not fill the first cache. */
static size_t most_piece_columns(size_t dim)
{
    return dim > 1 ? LANES : 4 * KERNEL_BLOCK;
}

static size_t piece_columns(const simd_template *own, size_t dim)
{
    enum { FIRST_CACHE = 32768 };
    const size_t most = most_piece_columns(dim);
    if (dim > 1 && most * dim * sizeof(vf) > FIRST_CACHE) return most / 2;
    return own->kept.spacing < most ? own->kept.spacing : most;
}

/* Templates that are not swept by segments of D alone. */
static bool is_apart(const segment_sweep *sw, const simd_template *own)
{
    return own->sparse && !sw->remainder;
}

static vf *state_of(const simd_template *own, size_t group)
{
    return own->states + group * (own->length + LANES);
}

static bool *unsettled_of(const simd_template *own, size_t group)
{
    return own->unsettled + group * LANES;
}

/* The frame of the window at which a lane's segment begins. */
static size_t lane_begin(const segment_sweep *sw, size_t group, size_t lane)
{
    return sw->begin + (group * LANES + lane) * sw->columns;
}

/* The column before a lane's segment: m floats. */
static const float *column_before(const segment_sweep *sw, const simd_template *own, size_t group,
                                  size_t lane)
{
    if (group == 0 && lane == 0) return own->d + own->pad;
    return columns_at(&own->kept, sw->w->self->position + lane_begin(sw, group, lane));
}

static void states_begin(const segment_sweep *sw, simd_template *own, size_t group)
{
    vf *state = state_of(own, group);
    bool *unsettled = unsettled_of(own, group);
    for (size_t lane = 0; lane < LANES; lane++) {
        const bool is_true = group == 0 && lane == 0;
        const float *d = is_true || sw->again ? column_before(sw, own, group, lane) : NULL;
        for (size_t i = 0; i < own->length; i++) state[i][lane] = d ? d[i] : INFINITY;
        unsettled[lane] = sw->again && !is_true;
    }
}

/* Minima and scores of the piece of `n` columns from column `c` of each segment on. */
static void tell_piece(const segment_sweep *sw, simd_template *own, size_t group, size_t c,
                       size_t n, const vf *row, vf *least)
{
    const simd_window *w = sw->w;
    const uint64_t first = w->self->position / KERNEL_BLOCK;
    float *minima = w->out->minima + own->index * w->out->minima_stride;
    for (size_t t = 0, end; t < n; t = end) {
        vf lowest = *least;
        end = t + KERNEL_BLOCK - (c + t) % KERNEL_BLOCK;
        if (end > n) end = n;
        for (size_t u = t; u < end; u++) lowest = vf_min(lowest, row[u]);
        *least = lowest;
        if ((c + end) % KERNEL_BLOCK) break;
        for (size_t lane = 0; lane < LANES; lane++) {
            const uint64_t at = w->self->position + lane_begin(sw, group, lane) + c + t;
            minima[at / KERNEL_BLOCK - first] = lowest[lane];
        }
        *least = vf_all(INFINITY);
    }
    for (size_t t = 0; w->out->scores && t < n; t += LANES) {
        const float *p[LANES];
        vf r[LANES];
        const size_t count = n - t < LANES ? n - t : LANES;
        for (size_t i = 0; i < LANES; i++) p[i] = (const float *)&row[t + (i < count ? i : 0)];
        vf_load_transposed(p, r);
        float *scores = w->out->scores + own->index * w->self->max_step + c + t;
        for (size_t lane = 0; lane < LANES; lane++)
            memcpy(scores + lane_begin(sw, group, lane), &r[lane], count * sizeof *scores);
    }
}

/* `rows` <= LANES rows of each lane's column: compare them with what is kept at d[lane] + i,
 * where `differs` is given, and keep them, where `store` says so. */
SIMD_INLINE void keep_rows(const vf *state, float *const d[LANES], size_t i, size_t rows,
                           vi *differs, float eps, bool store)
{
    const float *p[LANES];
    vf r[LANES];
    UNROLL
    for (size_t k = 0; k < LANES; k++) p[k] = (const float *)&state[i + k];
    vf_load_transposed(p, r);
    UNROLL
    for (size_t lane = 0; lane < LANES; lane++) {
        if (differs) {
            vf old = r[lane];
            memcpy(&old, d[lane] + i, rows * sizeof(float));
            differs[lane] |= (old != r[lane]) & (vf_min(old, r[lane]) <= eps);
        }
        if (store) memcpy(d[lane] + i, &r[lane], rows * sizeof(float));
    }
}

static bool any_lane(vi flags)
{
    bool some = false;
    for (size_t i = 0; i < LANES; i++) some |= flags[i] != 0;
    return some;
}

/* Keep the columns that all segments have just reached, at `c` of each, in d. Where they are swept
 * again, those that agree with what is kept, wherever either is <= eps, are settled (what
 * they give from there on is the same again); last columns are left to settle(). */
static void keep_columns(const segment_sweep *sw, simd_template *own, size_t group, size_t c,
                         float *const d[LANES])
{
    bool *unsettled = unsettled_of(own, group);
    const vf *state = state_of(own, group);
    vi differs[LANES] = {0};
    size_t i = 0;
    if (!sw->again) {
        for (; i + LANES <= own->length; i += LANES)
            keep_rows(state, d, i, LANES, NULL, own->eps, true);
        if (i < own->length) keep_rows(state, d, i, own->length - i, NULL, own->eps, true);
        return;
    }
    const bool store = c < sw->columns;
    for (; i + LANES <= own->length; i += LANES)
        keep_rows(state, d, i, LANES, differs, own->eps, store);
    if (i < own->length) keep_rows(state, d, i, own->length - i, differs, own->eps, store);
    for (size_t lane = 0; lane < LANES; lane++) unsettled[lane] &= any_lane(differs[lane]);
}

static bool any(const bool *flags)
{
    bool some = false;
    for (size_t lane = 0; lane < LANES; lane++) some |= flags[lane];
    return some;
}

/* One group of segments, some templates. */
static void sweep_group(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    const simd_window *w = sw->w;
    simd_kernel *self = w->self;
    const simd_bench *bench = &self->benches[worker];
    const size_t group = task / sw->shares, share = task % sw->shares, dim = self->dim;
    const size_t count = sw->last - sw->first;
    simd_template *first = &self->templates[sw->first + count * share / sw->shares];
    simd_template *last = &self->templates[sw->first + count * (share + 1) / sw->shares];
    const size_t n = piece_columns(first, dim);
    vf *least = bench->least;
    for (simd_template *own = first; own < last; own++) {
        if (is_apart(sw, own)) continue;
        states_begin(sw, own, group);
        least[own - self->templates] = vf_all(INFINITY);
    }
    bool working = true;
    for (size_t c = 0; c < sw->columns && working; c += n) {
        const float *y = w->frames + (lane_begin(sw, group, 0) + c) * dim;
        segments_gather(y, sw->columns * dim, n * dim, bench->y);
        segments_ahead next = {.y = y + n * dim, .stride = sw->columns * dim};
        if (c + n < sw->columns) next.lines = (n * dim + LINE_FLOATS - 1) / LINE_FLOATS;
        working = false;
        for (simd_template *own = first; own < last; own++) {
            if (is_apart(sw, own) || (sw->again && !any(unsettled_of(own, group)))) continue;
            working = true;
            const bool keep = (c + n) % own->kept.spacing == 0;
            next.kept[0] = NULL;
            if (keep)
                columns_series(&own->kept, w->self->position + lane_begin(sw, group, 0) + c + n,
                               sw->columns, LANES, next.kept);
            memset(bench->row, 0, n * sizeof *bench->row);
            segments_piece(state_of(own, group), own->x, own->length, bench->y, bench->row, (vf){0},
                           n, dim, &next);
            tell_piece(sw, own, group, c, n, bench->row, &least[own - self->templates]);
            if (keep) keep_columns(sw, own, group, c + n, next.kept);
        }
    }
}

/* The same for whole columns. */
static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    bool agree = true;
    for (size_t i = 0; i < length; i++) agree &= a[i] == b[i] || (a[i] > eps && b[i] > eps);
    return agree;
}

/* The last column of an unsettled segment, into d. */
static void last_column(const simd_template *own, size_t group, size_t lane, float *d)
{
    const vf *state = state_of(own, group);
    for (size_t i = 0; i < own->length; i++) d[i] = state[i][lane];
}

/* Do a segment again from its predecessor's true last column, in own->d. Its own one is in
 * own->d afterwards. Returns whether its successor began from another one. */
static bool settle_segment(const segment_sweep *sw, simd_template *own, simd_bench *bench,
                           size_t group, size_t lane)
{
    const simd_window *w = sw->w;
    const size_t begin = lane_begin(sw, group, lane), spacing = own->kept.spacing;
    float *d = own->d + own->pad, *kept = NULL;
    for (size_t c = 0; c < sw->columns; c += spacing) {
        kept = columns_at(&own->kept, w->self->position + begin + c + spacing);
        memcpy(bench->replaced, kept, own->length * sizeof *kept);
        sweep_part(w, own, bench, begin + c, begin + c + spacing);
        if (!columns_agree(bench->replaced, d, own->length, own->eps)) continue;
        if (c + spacing == sw->columns || !unsettled_of(own, group)[lane]) return false;
        last_column(own, group, lane, d);
        kept = columns_at(&own->kept, w->self->position + begin + sw->columns);
        memcpy(kept, d, own->length * sizeof *kept);
        return true;
    }
    return true;
}

/* What is rare: segments whose predecessors' last columns were not what they were told. */
static void settle(const segment_sweep *sw, simd_template *own, simd_bench *bench)
{
    bool changed = false;
    size_t again = 0;
    for (size_t i = 1; i < sw->groups * LANES; i++) {
        const size_t group = i / LANES, lane = i % LANES;
        if (changed) {
            changed = settle_segment(sw, own, bench, group, lane);
            again++;
        } else if (unsettled_of(own, group)[lane]) {
            float *d = own->d + own->pad;
            last_column(own, group, lane, d);
            memcpy(columns_at(&own->kept, sw->w->self->position + lane_begin(sw, group, lane + 1)),
                   d, own->length * sizeof *d);
            changed = true;
        }
    }
    if (again > sw->groups * LANES / 4) own->back_off = BACK_OFF_STEPS;
}

#endif
