/*
 * segments.h - a long chunk in segments: LANES of them are a group, one task sweeps a group.
 *
 *     chunk    |begin|<----- group 0 ----->|<----- group 1 ----->|rest|
 *                    |seg|seg|  ...  |seg  |seg|  ...            |
 *     lane            0   1     LANES-1     0
 *     spacing  .   .   .   .   .   .   .   .   .   .   .   .   .   .    ends of segments are
 *                                                                       checkpoints
 *
 * First pass: every segment starts at once, the first one from the true column, the others from
 * +inf. Verify pass: they start from their predecessors' ends, and are compared with the first pass
 * (seams.h).
 *
 * Needs: state/simd_kernel.h, tile.h. Gives: segment_sweep, cut_segments, sweep_group, max_groups.
 */
#ifndef KERNELS_CPU_DENSE_SEGMENTS_H
#define KERNELS_CPU_DENSE_SEGMENTS_H

#include "kernels/cpu/state/simd_kernel.h"

enum {
    /* Shortest segment, in template lengths; anti-diagonals win below it. */
    MIN_LENGTHS = LANES == 16 ? 6 : 4,
    MIN_LENGTHS_OF_FRAMES = 2
};

/* Templates [first, last), which share a spacing. */
typedef struct {
    const simd_chunk *chunk;
    size_t first, last;
    size_t begin;   /* the chunk's frame at which the first segment begins */
    size_t columns; /* of a segment */
    size_t groups;  /* 0: the chunk is too short for segments */
    size_t shares;  /* tasks among which a group's templates are divided */
    bool verify;    /* start from the predecessors' last columns, and compare */
    bool probed;    /* sparse templates have swept the first SPARSE_MIN frames */
} segment_sweep;

/* ---- cutting ---- */

static size_t min_columns(size_t length, size_t dim)
{
    return length * (dim > 1 ? MIN_LENGTHS_OF_FRAMES : MIN_LENGTHS);
}

/* The most groups into which any chunk is cut. A template needs a state for each. */
static size_t max_groups(size_t length, size_t dim, size_t max_chunk, size_t threads)
{
    const size_t most = max_chunk / LANES, least = min_columns(length, dim);
    if (most / threads >= least) return threads;
    return most >= least ? 1 : 0;
}

/* Cut the chunk from frame `from` on: as many groups as threads, or one, or none. */
static void cut_segments(segment_sweep *sw, size_t from, size_t threads)
{
    const simd_kernel *self = sw->chunk->self;
    const size_t spacing = self->templates[sw->first].checkpoints.spacing, n = sw->chunk->n;
    const size_t begin = from + (size_t)(-(self->position + from) % spacing);
    sw->begin = from;
    size_t longest = 0;
    unsigned back_off = 0;
    for (size_t j = sw->first; j < sw->last; j++) {
        if (self->templates[j].length > longest) longest = self->templates[j].length;
        if (self->templates[j].back_off > back_off) back_off = self->templates[j].back_off;
    }
    const size_t least = min_columns(longest, self->dim);
    const size_t groups[] = {threads, 1};
    for (size_t i = 0; i < 2 && begin < n && !back_off; i++) {
        const size_t columns = (n - begin) / (groups[i] * LANES) / spacing * spacing;
        if (columns < least || !columns) continue;
        sw->begin = begin;
        sw->columns = columns;
        sw->groups = groups[i];
        break;
    }
    const size_t count = sw->last - sw->first;
    const size_t shares = sw->groups ? threads / sw->groups : 1;
    sw->shares = shares < count ? shares : count;
}

/* Most columns of a tile. */
static size_t max_tile_columns(size_t dim)
{
    return dim > 1 ? LANES : 4 * KERNEL_BLOCK;
}

/* Columns of a template's tiles. They end at checkpoints, and the samples of a tile should not fill
 * the first cache. */
static size_t tile_columns(const simd_template *tmpl, size_t dim)
{
    enum { FIRST_CACHE = 32768 }; /* bytes */
    const size_t most = max_tile_columns(dim);
    if (dim > 1 && most * dim * sizeof(vf) > FIRST_CACHE) return most / 2;
    return tmpl->checkpoints.spacing < most ? tmpl->checkpoints.spacing : most;
}

/* ---- one segment ---- */

/* D of a group's lanes: m vectors, and LANES that only loads touch. */
static vf *state_of(const simd_template *tmpl, size_t group)
{
    return tmpl->states + group * (tmpl->length + LANES);
}

static bool *unverified_of(const simd_template *tmpl, size_t group)
{
    return tmpl->unverified + group * LANES;
}

static bool any_unverified(const simd_template *tmpl, size_t group)
{
    bool some = false;
    for (size_t lane = 0; lane < LANES; lane++) some |= unverified_of(tmpl, group)[lane];
    return some;
}

/* The chunk's frame at which a lane's segment begins. */
static size_t lane_begin(const segment_sweep *sw, size_t group, size_t lane)
{
    return sw->begin + (group * LANES + lane) * sw->columns;
}

/* The column before a lane's segment: m floats. */
static const float *column_before(const segment_sweep *sw, const simd_template *tmpl, size_t group,
                                  size_t lane)
{
    if (group == 0 && lane == 0) return tmpl->d + tmpl->pad;
    const uint64_t position = sw->chunk->self->position + lane_begin(sw, group, lane);
    return checkpoint_at(&tmpl->checkpoints, position);
}

static void start_states(const segment_sweep *sw, simd_template *tmpl, size_t group)
{
    vf *state = state_of(tmpl, group);
    bool *unverified = unverified_of(tmpl, group);
    for (size_t lane = 0; lane < LANES; lane++) {
        const bool is_true = group == 0 && lane == 0;
        const float *d = is_true || sw->verify ? column_before(sw, tmpl, group, lane) : NULL;
        for (size_t i = 0; i < tmpl->length; i++) state[i][lane] = d ? d[i] : INFINITY;
        unverified[lane] = sw->verify && !is_true;
    }
}

/* ---- what tiles give ---- */

/* Write the minima of n columns from column c of each segment on. *lowest: the minimum of each
 * lane's block so far. */
static void output_minima(const segment_sweep *sw, const simd_template *tmpl, size_t group,
                          size_t c, size_t n, const vf *row, vf *lowest)
{
    const uint64_t position = sw->chunk->self->position, first = position / KERNEL_BLOCK;
    float *minima = chunk_minima(sw->chunk, tmpl);
    for (size_t t = 0, end; t < n; t = end) {
        vf low = *lowest;
        end = t + KERNEL_BLOCK - (c + t) % KERNEL_BLOCK;
        if (end > n) end = n;
        for (size_t u = t; u < end; u++) low = vf_min(low, row[u]);
        *lowest = low;
        if ((c + end) % KERNEL_BLOCK) break;
        for (size_t lane = 0; lane < LANES; lane++) {
            const uint64_t at = position + lane_begin(sw, group, lane) + c + t;
            minima[at / KERNEL_BLOCK - first] = low[lane];
        }
        *lowest = vf_all(INFINITY);
    }
}

static void output_scores(const segment_sweep *sw, const simd_template *tmpl, size_t group,
                          size_t c, size_t n, const vf *row)
{
    for (size_t t = 0; t < n; t += LANES) {
        const float *p[LANES];
        vf r[LANES];
        const size_t count = n - t < LANES ? n - t : LANES;
        for (size_t i = 0; i < LANES; i++) p[i] = (const float *)&row[t + (i < count ? i : 0)];
        vf_load_transposed(p, r);
        for (size_t lane = 0; lane < LANES; lane++)
            memcpy(chunk_scores(sw->chunk, tmpl, lane_begin(sw, group, lane) + c + t), &r[lane],
                   count * sizeof(float));
    }
}

/* Compare rows [i, i + rows) of all lanes with their checkpoints d[lane]; rows <= LANES. differs:
 * set if both differ and one is at or below eps; or NULL. store: replace the checkpoints. */
SIMD_INLINE void checkpoint_rows(const vf *state, float *const d[LANES], size_t i, size_t rows,
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

static void store_checkpoints(const simd_template *tmpl, size_t group, float *const d[LANES])
{
    const vf *state = state_of(tmpl, group);
    size_t i = 0;
    for (; i + LANES <= tmpl->length; i += LANES)
        checkpoint_rows(state, d, i, LANES, NULL, tmpl->eps, true);
    if (i < tmpl->length) checkpoint_rows(state, d, i, tmpl->length - i, NULL, tmpl->eps, true);
}

static bool any_lane(vi flags)
{
    bool some = false;
    for (size_t i = 0; i < LANES; i++) some |= flags[i] != 0;
    return some;
}

/* Compare with the first pass, and replace its checkpoints. Lanes that agree are verified. The last
 * column stays as it is, since the successor began from it; repair_seams() replaces it. */
static void verify_checkpoints(const simd_template *tmpl, size_t group, float *const d[LANES],
                               bool is_last)
{
    bool *unverified = unverified_of(tmpl, group);
    const vf *state = state_of(tmpl, group);
    vi differs[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= tmpl->length; i += LANES)
        checkpoint_rows(state, d, i, LANES, differs, tmpl->eps, !is_last);
    if (i < tmpl->length)
        checkpoint_rows(state, d, i, tmpl->length - i, differs, tmpl->eps, !is_last);
    for (size_t lane = 0; lane < LANES; lane++) unverified[lane] &= any_lane(differs[lane]);
}

/* ---- a group ---- */

/* Sweep n columns from column c of each segment on, whose samples are gathered. */
static void sweep_columns(const segment_sweep *sw, simd_template *tmpl, const simd_scratch *scratch,
                          size_t group, size_t c, size_t n, lanes_prefetch *next)
{
    const simd_kernel *self = sw->chunk->self;
    const bool stores = (c + n) % tmpl->checkpoints.spacing == 0;
    next->checkpoint[0] = NULL;
    if (stores)
        checkpoints_apart(&tmpl->checkpoints, self->position + lane_begin(sw, group, 0) + c + n,
                          sw->columns, LANES, next->checkpoint);
    memset(scratch->row, 0, n * sizeof *scratch->row);
    lanes_sweep(state_of(tmpl, group), tmpl->x, tmpl->length, scratch->y, scratch->row, (vf){0}, n,
                self->dim, next);
    output_minima(sw, tmpl, group, c, n, scratch->row, &scratch->lowest[tmpl - self->templates]);
    if (sw->chunk->out->scores) output_scores(sw, tmpl, group, c, n, scratch->row);
    if (!stores) return;
    if (sw->verify)
        verify_checkpoints(tmpl, group, next->checkpoint, c + n == sw->columns);
    else
        store_checkpoints(tmpl, group, next->checkpoint);
}

/* A pool task: sweep one group for one share of the templates. The verify pass ends as soon as all
 * lanes of all templates agree. */
static void sweep_group(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_kernel *self = sw->chunk->self;
    const simd_scratch *scratch = &self->scratch[worker];
    const size_t group = task / sw->shares, share = task % sw->shares, dim = self->dim;
    const size_t count = sw->last - sw->first;
    simd_template *first = &self->templates[sw->first + count * share / sw->shares];
    simd_template *last = &self->templates[sw->first + count * (share + 1) / sw->shares];
    const size_t n = tile_columns(first, dim);
    for (simd_template *tmpl = first; tmpl < last; tmpl++) {
        if (tmpl->sparse) continue;
        start_states(sw, tmpl, group);
        scratch->lowest[tmpl - self->templates] = vf_all(INFINITY);
    }
    bool working = true;
    for (size_t c = 0; c < sw->columns && working; c += n) {
        const float *y = sw->chunk->frames + (lane_begin(sw, group, 0) + c) * dim;
        lanes_gather(y, sw->columns * dim, n * dim, scratch->y);
        lanes_prefetch next = {.y = y + n * dim, .stride = sw->columns * dim};
        if (c + n < sw->columns) next.lines = (n * dim + LINE_FLOATS - 1) / LINE_FLOATS;
        working = false;
        for (simd_template *tmpl = first; tmpl < last; tmpl++) {
            if (tmpl->sparse) continue;
            if (sw->verify && !any_unverified(tmpl, group)) continue;
            working = true;
            sweep_columns(sw, tmpl, scratch, group, c, n, &next);
        }
    }
}

#endif
