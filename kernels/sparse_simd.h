/*
 * sparse_simd.h - where few cells are <= eps, only those: the others count as +inf (costs
 * are never negative, so no path from them ends in a candidate). A part of the window is cut
 * into LANES segments of blocks of LANES columns, and the template into strips of rows; each
 * strip sweeps the part, every lane its own segment at its own pace, skipping blocks into
 * which no cell <= eps leads.
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

#include "kernels/adsm_simd.h"

enum {
    SPARSE_ROWS = TILE_ROWS, /* of a strip */
    SPARSE_COLUMNS = 32768,  /* most of a part */
    SPARSE_BLOCKS = SPARSE_COLUMNS / LANES
};

/* A row of the part: its values, in blocks with a cell <= eps, and which blocks those are. */
typedef struct sparse_row {
    float value[SPARSE_COLUMNS];
    bool active[SPARSE_BLOCKS];
} sparse_row;

typedef struct {
    const simd_window *w;
    simd_template *own;
    simd_bench *bench;
    size_t begin;  /* the part's first frame in the window */
    size_t blocks; /* of each segment */
    size_t done;   /* blocks of cells evaluated */
} sparse_part;

/* A strip under way. */
typedef struct {
    vf state[SPARSE_ROWS], corner;
    vf end[SPARSE_ROWS]; /* states at the ends of the segments */
    size_t top, rows;
    const sparse_row *above; /* NULL: row 0 of the recurrence */
    sparse_row *below;
    size_t block[LANES]; /* the next one of each lane, within its segment */
    uint32_t working;    /* lanes that have not reached the end */
    uint32_t living;     /* lanes with a cell <= eps to go on from */
} sparse_strip;

/* Lanes that work on block[lane] of their segments: from above (unless the strip is swept
 * with +inf above) and from the state. */
static void sparse_evaluate(sparse_part *p, sparse_strip *s, bool from_above)
{
    const size_t dim = p->w->self->dim;
    vf *y = p->bench->y, *row = p->bench->row;
    for (size_t i = 0; i < dim * LANES; i += LANES) {
        vf r[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t block = lane * p->blocks + (s->working >> lane & 1 ? s->block[lane] : 0);
            r[lane] = vf_load(p->w->frames + (p->begin + block * LANES) * dim + i);
        }
        vf_transpose(r);
        for (size_t k = 0; k < LANES; k++) y[i + k] = r[k];
    }
    const vf otherwise = vf_all(from_above && !s->above ? 0 : INFINITY);
    for (size_t k = 0; k < LANES; k++) row[k] = otherwise;
    if (from_above && s->above) {
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t block = lane * p->blocks + s->block[lane];
            if (s->working >> lane & 1 && s->above->active[block])
                row[lane] = vf_load(s->above->value + block * LANES);
        }
        vf_transpose(row);
    }
    const vf corner = row[LANES - 1];
    segments_piece(s->state, p->own->x + s->top * dim, s->rows, y, row, s->corner, LANES, dim);
    s->corner = corner;
    p->done += (size_t)__builtin_popcount(s->working);
}

/* What came out at the bottom: the least of it and of what is there already. */
static void sparse_tell(const sparse_part *p, sparse_strip *s)
{
    vf *row = p->bench->row, least = row[0];
    for (size_t k = 1; k < LANES; k++) least = vf_min(least, row[k]);
    const uint32_t out = vf_at_most(least, p->own->eps) & s->working;
    if (!out) return;
    vf_transpose(row);
    for (size_t lane = 0; lane < LANES; lane++) {
        if (!(out >> lane & 1)) continue;
        const size_t block = lane * p->blocks + s->block[lane];
        float *value = s->below->value + block * LANES;
        vf_store(value, s->below->active[block] ? vf_min(vf_load(value), row[lane]) : row[lane]);
        s->below->active[block] = true;
    }
}

/* Lanes that have reached a column to keep: likewise. */
static void sparse_keep(const sparse_part *p, const sparse_strip *s)
{
    const simd_template *own = p->own;
    for (size_t lane = 0; lane < LANES; lane++) {
        const size_t block = lane * p->blocks + s->block[lane] + 1;
        const uint64_t position = p->w->self->position + p->begin + block * LANES;
        if (!(s->living >> lane & 1) || position % own->kept.spacing) continue;
        float *d = columns_at(&own->kept, position) + s->top;
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
    for (size_t lane = 0; lane < LANES; lane++)
        if (s->working >> lane & 1 && ++s->block[lane] == p->blocks) ended |= 1u << lane;
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
    for (size_t lane = 0; s->above && lane < LANES; lane++) {
        if (!(s->working & ~s->living & 1u << lane)) continue;
        const bool *active = s->above->active + lane * p->blocks;
        while (s->block[lane] < p->blocks && !active[s->block[lane]]) s->block[lane]++;
        if (s->block[lane] == p->blocks) s->working &= ~(1u << lane);
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
        const size_t before = lane * p->blocks - 1; /* the last block of the lane on the left */
        s->block[lane] = 0;
        if (!s->above)
            s->corner[lane] = 0;
        else if (lane == 0)
            s->corner[lane] = corner;
        else
            s->corner[lane] =
                s->above->active[before] ? s->above->value[(before + 1) * LANES - 1] : INFINITY;
    }
    s->working = (1u << LANES) - 1;
    if (s->above) s->living |= vf_at_most(s->corner, p->own->eps);
    for (;;) {
        sparse_skip(p, s);
        if (!s->working) return;
        sparse_evaluate(p, s, true);
        sparse_tell(p, s);
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
            s->state[i] = vf_shift(vf_all(INFINITY), carry[i]);
            carry[i] = vf_all(INFINITY);
            least = vf_min(least, s->state[i]);
        }
        s->corner = vf_all(INFINITY);
        s->living = s->working = vf_at_most(least, p->own->eps);
        if (!s->working) return;
        for (size_t lane = 0; lane < LANES; lane++) s->block[lane] = 0;
        while (s->working) {
            sparse_evaluate(p, s, false);
            sparse_tell(p, s);
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
static void sparse_strip_is_empty(const sparse_part *p, size_t top, size_t rows)
{
    float *d = p->own->d + p->own->pad + top;
    for (size_t i = 0; i < rows; i++) d[i] = INFINITY;
}

static bool any_at_most(const float *v, size_t n, float limit)
{
    bool some = false;
    for (size_t i = 0; i < n; i++) some |= v[i] <= limit;
    return some;
}

static bool any_active(const bool *active, size_t n)
{
    bool some = false;
    for (size_t i = 0; i < n; i++) some |= active[i];
    return some;
}

/* Columns that are kept within the part begin as +inf. */
static void sparse_clear_kept(const sparse_part *p)
{
    const simd_template *own = p->own;
    const uint64_t from = p->w->self->position + p->begin, to = from + p->blocks * LANES * LANES;
    const size_t spacing = own->kept.spacing;
    for (uint64_t at = (from / spacing + 1) * spacing; at <= to; at += spacing) {
        float *d = columns_at(&own->kept, at);
        for (size_t i = 0; i < own->length; i++) d[i] = INFINITY;
    }
}

/* A part of LANES segments of p->blocks blocks. */
static void sparse_sweep(sparse_part *p)
{
    simd_template *own = p->own;
    const size_t blocks = LANES * p->blocks;
    sparse_row *above = p->bench->sparse[0], *below = p->bench->sparse[1];
    float corner = 0;
    sparse_clear_kept(p);
    for (size_t top = 0; top < own->length; top += SPARSE_ROWS) {
        const size_t rows = own->length - top < SPARSE_ROWS ? own->length - top : SPARSE_ROWS;
        float *d = own->d + own->pad + top;
        const float next_corner = d[rows - 1];
        memset(below->active, 0, blocks);
        if (!top || any_active(above->active, blocks) || corner <= own->eps ||
            any_at_most(d, rows, own->eps)) {
            sparse_strip s = {
                .top = top, .rows = rows, .above = top ? above : NULL, .below = below};
            sparse_first_pass(p, &s, corner);
            sparse_seams(p, &s);
            for (size_t i = 0; i < rows; i++) d[i] = s.end[i][LANES - 1];
        } else {
            sparse_strip_is_empty(p, top, rows);
        }
        sparse_row *t = above;
        above = below, below = t;
        corner = next_corner;
    }
    for (size_t b = 0; b < blocks; b++)
        if (!above->active[b])
            for (size_t k = 0; k < LANES; k++) above->value[b * LANES + k] = INFINITY;
    tell_line(p->w, own, above->value, p->begin, p->begin + blocks * LANES);
}

/* ---- a window, and when this pays ---- */

enum {
    SPARSE_UNIT = LANES * LANES > KERNEL_BLOCK ? LANES *LANES : KERNEL_BLOCK,
    SPARSE_LEAST = 16 * SPARSE_UNIT, /* columns: below, the lanes have too little to do */
    SPARSE_LENGTH = 2 * SPARSE_ROWS, /* shorter templates have hardly a row to leave out */
    SPARSE_REST = 15,                /* dense windows after one that was not worth it */
    SPARSE_SAMPLES = 16
};

/* A block costs about twice what its cells cost in the dense sweep: with more of the blocks
 * than this it is left, with fewer of the cells it is begun. */
static const double SPARSE_MOST_BLOCKS = 0.4, SPARSE_MOST_CELLS = 0.2;

static bool sparse_possible(const simd_template *own, size_t dim)
{
    const size_t least = dim > 1 ? SPARSE_LENGTH / 4 : SPARSE_LENGTH;
    return isfinite(own->eps) && own->length >= least;
}

/* After a dense window: is what was kept of it mostly above eps? */
static void sparse_consider(simd_template *own, uint64_t from, uint64_t to)
{
    if (own->dense_windows) {
        own->dense_windows--;
        return;
    }
    const size_t spacing = own->kept.spacing;
    const uint64_t first = from / spacing + 1, n = to / spacing + 1 - first;
    const uint64_t stride = n / SPARSE_SAMPLES + 1;
    size_t samples = 0, active = 0;
    for (uint64_t i = first; i < first + n; i += stride, samples++) {
        const float *d = columns_at(&own->kept, i * spacing);
        for (size_t k = 0; k < own->length; k++) active += d[k] <= own->eps;
    }
    own->sparse =
        samples && (double)active <= SPARSE_MOST_CELLS * (double)samples * (double)own->length;
}

static void sweep_sparse(const simd_window *w, simd_template *own, simd_bench *bench)
{
    const size_t strips = (own->length + SPARSE_ROWS - 1) / SPARSE_ROWS;
    size_t at = (size_t)(-w->self->position % KERNEL_BLOCK);
    if (at > w->n) at = w->n;
    sweep_part(w, own, bench, 0, at);
    while (own->sparse && w->n - at >= SPARSE_LEAST) {
        size_t n = (w->n - at) / SPARSE_UNIT * SPARSE_UNIT;
        if (n > SPARSE_COLUMNS) n = SPARSE_COLUMNS;
        sparse_part p = {
            .w = w, .own = own, .bench = bench, .begin = at, .blocks = n / (LANES * LANES)};
        sparse_sweep(&p);
        at += n;
        own->sparse =
            (double)p.done <= SPARSE_MOST_BLOCKS * (double)strips * LANES * (double)p.blocks;
        if (!own->sparse) own->dense_windows = SPARSE_REST;
    }
    sweep_part(w, own, bench, at, w->n);
}

#endif
