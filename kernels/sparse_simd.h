/*
 * sparse_simd.h - where few cells are <= eps, only those: the others count as +inf (costs
 * are never negative, so no path from them ends in a candidate). A part of the window is cut
 * into LANES segments of blocks of LANES columns, and the template into strips of rows; each
 * strip sweeps the part, every lane its own segment at its own pace, skipping blocks into
 * which no cell <= eps leads. Of samples the first strip, which can skip little, and those of which
 * as much is active, are swept by sparse_full_simd.h, and those whose active blocks lie in few of
 * the segments by sparse_runs_simd.h, which shares them out otherwise (sparse_way_simd.h).
 *
 *     strip    #####..##.......####    blocks of the row above that have a cell <= eps
 *     lane 0   ->>>>..>>                where a lane works; it goes on below that row
 *     lane 1              >>>>>         as long as its own cells are <= eps
 *
 * Seams are exact by superposition: D is the least sum over all paths, rounded from left to
 * right, so it is the minimum of what enters a segment from above and of what enters it from
 * the left; the latter is swept in further passes, with +inf above, for as long as it lives.
 */
#ifndef KERNELS_SPARSE_SIMD_H
#define KERNELS_SPARSE_SIMD_H

#include "kernels/sparse_runs_simd.h"
#include "kernels/sparse_way_simd.h"

/* A strip under way. */
typedef struct {
    vf state[SPARSE_ROWS], corner;
    vf end[SPARSE_ROWS]; /* states at the ends of the segments */
    size_t top, rows;
    const sparse_row *above; /* NULL: row 0 of the recurrence */
    sparse_row *below;
    uint32_t column[LANES]; /* of the part, where each lane's next block begins */
    uint32_t working;       /* lanes that have not reached the end of their segments */
    uint32_t living;        /* lanes with a cell <= eps to go on from */
} sparse_strip;

/* A column of the part: where a lane's segment begins. */
static uint32_t segment_begin(const sparse_part *p, size_t lane)
{
    return (uint32_t)(lane * p->blocks * LANES);
}

/* One value or the other, without a branch. */
SIMD_INLINE uint32_t choose(bool first, uint32_t a, uint32_t b)
{
    const uint32_t mask = 0u - (uint32_t)first;
    return (a & mask) | (b & ~mask);
}

/* The blocks at which lanes stand, as columns of the part: transposed frames, and what is above
 * them. */
static void sparse_gather(const sparse_part *p, const sparse_strip *s, bool from_above)
{
    const size_t dim = p->w->self->dim;
    const float *part = p->w->frames + p->begin * dim, *frames[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        frames[lane] = part + choose(s->working >> lane & 1, s->column[lane], 0) * dim;
    for (size_t i = 0; i < dim * LANES; i += LANES) {
        vf_load_transposed(frames, p->bench->y + i);
        for (size_t lane = 0; lane < LANES; lane++) frames[lane] += LANES;
    }
    vf *row = p->bench->row;
    const vf otherwise = vf_all(from_above ? 0 : INFINITY);
    for (size_t k = 0; k < LANES; k++) row[k] = otherwise;
    if (!from_above || !s->above) return;
    const float *up[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        const uint32_t at = choose(s->working >> lane & 1, s->column[lane], SPARSE_UNUSED);
        up[lane] = s->above->value + choose(s->above->active[at / LANES], at, SPARSE_NOTHING);
    }
    vf_load_transposed(up, row);
}

/* Lanes that work, each a block: from above (unless the strip is swept with +inf above) and from
 * the state. */
static void sparse_evaluate(sparse_part *p, sparse_strip *s, bool from_above)
{
    const size_t dim = p->w->self->dim;
    vf *row = p->bench->row;
    sparse_gather(p, s, from_above);
    const vf corner = row[LANES - 1];
    segments_piece(s->state, p->own->x + s->top * dim, s->rows, p->bench->y, row, s->corner, LANES,
                   dim, &(segments_ahead){0});
    s->corner = corner;
    p->done += s->rows * LANES * LANES * 3 / 2;
}

/* What came out at the bottom; `again`: the least of it and of what is there already. */
static void sparse_tell(const sparse_part *p, sparse_strip *s, bool again)
{
    const vf *row = p->bench->row;
    vf least = row[0], values[LANES];
    const float *rows[LANES];
    for (size_t k = 0; k < LANES; k++) {
        least = vf_min(least, row[k]);
        rows[k] = (const float *)&row[k];
    }
    const uint32_t out = vf_at_most(least, p->own->eps) & s->working;
    if (!out) return;
    vf_load_transposed(rows, values);
    for (size_t lane = 0; lane < LANES; lane++) {
        const bool works = out >> lane & 1;
        const uint32_t at = choose(works, s->column[lane], SPARSE_UNUSED);
        float *value = s->below->value + at;
        bool *active = &s->below->active[at / LANES];
        if (again && *active) values[lane] = vf_min(vf_load(value), values[lane]);
        vf_store(value, values[lane]);
        *active = works;
    }
}

/* Lanes that have reached a column to keep: likewise. */
static void sparse_keep(const sparse_part *p, const sparse_strip *s)
{
    const simd_template *own = p->own;
    const uint64_t begin = p->w->self->position + p->begin + LANES;
    const uint32_t last = (uint32_t)own->kept.spacing - 1;
    uint32_t lanes = 0;
    if (p->first) return;
    for (size_t lane = 0; lane < LANES; lane++)
        lanes |= (uint32_t)((((uint32_t)begin + s->column[lane]) & last) == 0) << lane;
    for (lanes &= s->living; lanes; lanes &= lanes - 1) {
        const size_t lane = (size_t)__builtin_ctz(lanes);
        float *d = columns_at(&own->kept, begin + s->column[lane]) + s->top;
        for (size_t i = 0; i < s->rows; i++)
            d[i] = s->state[i][lane] < d[i] ? s->state[i][lane] : d[i];
    }
}

/* After a block: which lanes have a cell to go on from, and which are at their ends. */
static void sparse_advance(const sparse_part *p, sparse_strip *s)
{
    const vf inf = vf_all(INFINITY);
    vf least = s->state[0];
    for (size_t i = 1; i < s->rows; i++) least = vf_min(least, s->state[i]);
    s->living = vf_at_most(least, p->own->eps) & s->working;
    for (size_t i = 0; i < s->rows; i++) s->state[i] = vf_pick(s->living, s->state[i], inf);
    sparse_keep(p, s);
    uint32_t ended = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        s->column[lane] += LANES;
        ended |= (uint32_t)(s->column[lane] == segment_begin(p, lane + 1)) << lane;
    }
    ended &= s->working;
    for (size_t i = 0; ended && i < s->rows; i++)
        s->end[i] = vf_pick(ended, vf_min(s->end[i], s->state[i]), s->end[i]);
    s->working &= ~ended;
    s->living &= ~ended;
    if (s->above) s->living |= vf_at_most(s->corner, p->own->eps) & s->working;
}

/* Lanes that nothing keeps alive go to the next block into which a cell leads. (Their corners
 * are above eps.) */
static void sparse_skip(const sparse_part *p, sparse_strip *s)
{
    if (!s->above) return;
    for (uint32_t lanes = s->working & ~s->living; lanes; lanes &= lanes - 1) {
        const size_t lane = (size_t)__builtin_ctz(lanes);
        const uint32_t end = segment_begin(p, lane + 1);
        s->column[lane] = next_active(s->above, s->column[lane], end);
        if (s->column[lane] == end) s->working &= ~(1u << lane);
    }
}

/* What comes from above, and in lane 0 from the left. */
static void sparse_first_pass(sparse_part *p, sparse_strip *s, float corner)
{
    const float *d = p->own->d + p->own->pad + s->top;
    for (size_t i = 0; i < s->rows; i++) {
        s->state[i] = s->end[i] = vf_all(INFINITY);
        s->state[i][0] = d[i];
        if (d[i] <= p->own->eps) s->living = 1;
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        s->column[lane] = segment_begin(p, lane);
        if (!s->above)
            s->corner[lane] = 0;
        else if (lane == 0)
            s->corner[lane] = corner;
        else
            s->corner[lane] = s->above->active[s->column[lane] / LANES - 1]
                                  ? s->above->value[s->column[lane] - 1]
                                  : INFINITY;
    }
    s->working = (1u << LANES) - 1;
    if (s->above) s->living |= vf_at_most(s->corner, p->own->eps);
    for (;;) {
        sparse_skip(p, s);
        if (!s->working || p->done > p->budget) return;
        sparse_evaluate(p, s, true);
        sparse_tell(p, s, false);
        sparse_advance(p, s);
    }
}

/* What comes from the left in the other lanes, until nothing does any more. */
static void sparse_seams(sparse_part *p, sparse_strip *s)
{
    vf carry[SPARSE_ROWS];
    for (size_t i = 0; i < s->rows; i++) carry[i] = s->end[i];
    for (;;) {
        vf least = vf_all(INFINITY);
        for (size_t i = 0; i < s->rows; i++) {
            s->state[i] = vf_shift(carry[i], INFINITY);
            carry[i] = vf_all(INFINITY);
            least = vf_min(least, s->state[i]);
        }
        s->corner = vf_all(INFINITY);
        s->living = s->working = vf_at_most(least, p->own->eps);
        if (!s->working) return;
        for (size_t lane = 0; lane < LANES; lane++) s->column[lane] = segment_begin(p, lane);
        while (s->working) {
            if (p->done > p->budget) return;
            sparse_evaluate(p, s, false);
            sparse_tell(p, s, true);
            const uint32_t before = s->working;
            sparse_advance(p, s);
            const uint32_t ended = before & ~s->working;
            for (size_t i = 0; ended && i < s->rows; i++)
                carry[i] = vf_pick(ended, s->state[i], carry[i]);
            s->working &= s->living;
        }
    }
}

/* Nothing leads into these rows. */
static void sparse_clear_state(const sparse_part *p, size_t top, size_t rows)
{
    float *d = p->own->d + p->own->pad + top;
    for (size_t i = 0; i < rows; i++) d[i] = INFINITY;
}

/* A strip of rows from `top` on; returns how many. corner: D(top - 1,.) before the part. */
static size_t sparse_strip_sweep(sparse_part *p, sparse_row *above, sparse_row *below, size_t top,
                                 float corner)
{
    float *d = p->own->d + p->own->pad + top;
    const strip_plan plan = plan_strip(p, above, top, corner);
    const size_t rows = plan.rows;
    memset(below->active, 0, sizeof below->active);
    if (plan.way == NO_STRIP) {
        sparse_clear_state(p, top, rows);
    } else if (plan.way == FULL_STRIP) {
        full_sweep(p, top ? above : NULL, below, top, rows, corner);
    } else if (plan.way == RUNS_STRIP) {
        runs_strip_sweep(p, above, below, top, corner);
    } else {
        sparse_strip s = {.top = top, .rows = rows, .above = top ? above : NULL, .below = below};
        sparse_first_pass(p, &s, corner);
        sparse_seams(p, &s);
        for (size_t i = 0; i < rows; i++) d[i] = s.end[i][LANES - 1];
    }
    return rows;
}

/* Minima and scores of the part, from D(m,.) of its active blocks. */
static void sparse_tell_line(const sparse_part *p, sparse_row *row)
{
    const simd_window *w = p->w;
    const size_t n = part_columns(p), count = KERNEL_BLOCK / LANES;
    const uint64_t position = w->self->position;
    float *minima = w->out->minima + p->own->index * w->out->minima_stride +
                    ((position + p->begin) / KERNEL_BLOCK - position / KERNEL_BLOCK);
    for (size_t b = 0; b < n / LANES; b += count) {
        vf least = vf_all(INFINITY);
        for (size_t k = b; k < b + count; k++) {
            float *value = row->value + k * LANES;
            if (row->active[k])
                least = vf_min(least, vf_load(value));
            else if (w->out->scores)
                vf_store(value, vf_all(INFINITY));
        }
        minima[b / count] = INFINITY;
        if (!vf_at_most(least, p->own->eps)) continue;
        for (size_t lane = 0; lane < LANES; lane++)
            if (least[lane] < minima[b / count]) minima[b / count] = least[lane];
    }
    if (w->out->scores)
        memcpy(w->out->scores + p->own->index * w->self->max_step + p->begin, row->value,
               n * sizeof *row->value);
}

/* Would the rows from `top` on, if they cost so much each, go well beyond the budget?
 * The first third says nothing, since fewer cells are active further down. */
static bool is_hopeless(const sparse_part *p, size_t each, size_t top)
{
    const size_t length = p->own->length;
    return 3 * (top - p->first) > length - p->first &&
           p->done + each * (length - top) > p->budget / 3 * 4;
}

/* Row p->first, where paths begin: D is the cost alone. */
static void sparse_first_row(const sparse_part *p, sparse_row *row)
{
    simd_template *own = p->own;
    const float *y = p->w->frames + p->begin;
    const size_t n = part_columns(p);
    const vf x = vf_all(own->x[p->first]);
    for (size_t b = 0; b < n / LANES; b++) {
        const vf cost = vf_abs(vf_load(y + b * LANES) - x);
        vf_store(row->value + b * LANES, cost);
        row->active[b] = vf_at_most(cost, own->eps) != 0;
    }
    own->d[own->pad + p->first] = row->value[n - 1];
}

/* A part. False: that would go beyond the budget; own->d is as it was then, and what was told or
 * kept of the part is not true. */
static bool sparse_sweep(sparse_part *p)
{
    simd_template *own = p->own;
    sparse_row *above = p->bench->sparse[0], *below = p->bench->sparse[1];
    float corner = 0, *before = p->bench->replaced;
    memcpy(before, own->d + own->pad, own->length * sizeof *before);
    size_t deepest = 0, top = 0;
    if (p->first) {
        sparse_first_row(p, above);
        corner = before[p->first];
        top = p->first + 1;
    } else
        sparse_clear_kept(p, p->w->self->dim > 1 ? 0 : own->full_rows);
    while (top < own->length) {
        const size_t done = p->done, rows = sparse_strip_sweep(p, above, below, top, corner);
        const size_t each = top ? (p->done - done) / rows : 0;
        top += rows;
        if (p->done > done) deepest = top;
        if (p->done > p->budget || is_hopeless(p, each, top)) {
            memcpy(own->d + own->pad, before, own->length * sizeof *before);
            return false;
        }
        sparse_row *t = above;
        above = below, below = t;
        corner = before[top - 1];
    }
    sparse_tell_line(p, above);
    kept_say_rows(own, p->w->self->position + p->begin,
                  p->w->self->position + p->begin + part_columns(p),
                  p->first ? KEPT_UNTRUE : deepest);
    return true;
}

#endif
