/*
 * sparse_full_simd.h - strips of a sparse sweep of samples (sparse_simd.h) of which most is
 * active: the first one, since row 0 is free, and those below until few cells are <= eps. They are
 * swept by LANES segments of the part in step, a lane each, as in seams_simd.h, nearly as fast as
 * a dense sweep. Tiles that nothing <= eps leads into in any lane are left out. What comes out
 * below is told where it is <= eps.
 */
#ifndef KERNELS_CPU_SPARSE_FULL_H
#define KERNELS_CPU_SPARSE_FULL_H

#include "kernels/cpu/sparse/row.h"

enum {
    FULL_ROWS = 128,                /* most of a strip */
    FULL_LEAST = 16,                /* of the first one */
    FULL_FEW = 3,                   /* it ends where fewer than one lane in so many lives */
    FULL_PIECE = KERNEL_BLOCK,      /* columns of each lane's segment at a time */
    FULL_UNIT = LANES * FULL_PIECE, /* a part is a multiple of it */
    FULL_PIECES = SPARSE_COLUMNS / FULL_UNIT, /* of a part at most */
    FULL_BLOCKS = FULL_PIECE / LANES,         /* of a piece, in a lane */
    FULL_STEPS = 16,                          /* columns that are told together */
};

_Static_assert(FULL_BLOCKS % 4 == 0, "activity is read in words");

/* Of each piece of a part: its samples, transposed by the first strip, and where lanes were after
 * it. */
typedef struct full_bench {
    vf y[FULL_PIECES][FULL_PIECE];
    vf state[FULL_PIECES][FULL_ROWS];
} full_bench;

/* A strip under way. */
typedef struct {
    vf state[FULL_ROWS], corner;
    sparse_part *p;
    const sparse_row *above; /* NULL: row 0 of the recurrence */
    sparse_row *below;
    size_t top, rows;
    uint32_t lanes; /* that count */
    bool again;     /* until they are where they were before */
    /* Of each tile's bottom row: pieces with a cell <= eps, of all lanes. */
    size_t living[FULL_ROWS / TILE_ROWS];
} full_strip;

/* Columns of a segment. */
static size_t full_columns(const full_strip *s)
{
    return LANES * s->p->blocks;
}

/* Lanes that are at a column to keep, c columns behind them: their rows. */
static void full_keep(const full_strip *s, size_t c)
{
    const simd_template *own = s->p->own;
    const uint64_t begin = s->p->w->self->position + s->p->begin + c;
    const size_t each = full_columns(s), spacing = own->kept.spacing;
    float *d[LANES];
    uint32_t kept = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        kept |= (uint32_t)(((begin + lane * each) & (spacing - 1)) == 0) << lane;
    kept &= s->lanes;
    if (!kept) return;
    if (each % spacing == 0)
        columns_series(&own->kept, begin, each, LANES, d);
    else
        for (size_t lane = 0; lane < LANES; lane++)
            d[lane] = columns_at(&own->kept, begin + lane * each);
    for (size_t i = 0; i < s->rows; i += LANES) {
        const size_t count = s->rows - i < LANES ? s->rows - i : LANES;
        const float *rows[LANES];
        vf r[LANES];
        for (size_t k = 0; k < LANES; k++)
            rows[k] = (const float *)&s->state[i + (k < count ? k : 0)];
        vf_load_transposed(rows, r);
        for (uint32_t left = kept; left; left &= left - 1) {
            const size_t lane = (size_t)__builtin_ctz(left);
            if (count == LANES)
                vf_store(d[lane] + s->top + i, r[lane]);
            else
                memcpy(d[lane] + s->top + i, &r[lane], count * sizeof(float));
        }
    }
}

/* The bottom row of a piece from column c of each lane's segment on, where it is active. */
static void full_tell(const full_strip *s, size_t c)
{
    const vf *row = s->p->bench->row;
    const size_t each = full_columns(s);
    for (size_t t = 0; t < FULL_PIECE; t += FULL_STEPS) {
        vf least = row[t];
        for (size_t k = 1; k < FULL_STEPS; k++) least = vf_min(least, row[t + k]);
        const uint32_t out = vf_at_most(least, s->p->own->eps) & s->lanes;
        for (size_t k = 0; out && k < FULL_STEPS; k += LANES) {
            const float *rows[LANES];
            vf values[LANES];
            for (size_t i = 0; i < LANES; i++) rows[i] = (const float *)&row[t + k + i];
            vf_load_transposed(rows, values);
            for (uint32_t left = out; left; left &= left - 1) {
                const size_t lane = (size_t)__builtin_ctz(left);
                const size_t at = lane * each + c + t;
                vf_store(s->below->value + at + k, values[lane]);
                s->below->active[(at + k) / LANES] = true;
            }
        }
    }
}

/* Lanes that are active above the piece from column c of each segment on. */
static uint32_t full_active_above(const full_strip *s, size_t c)
{
    if (!s->above) return s->lanes;
    const size_t each = full_columns(s);
    uint32_t lanes = 0, four;
    for (size_t lane = 0; lane < LANES; lane++) {
        uint32_t some = 0;
        for (size_t k = 0; k < FULL_BLOCKS; k += 4) {
            memcpy(&four, &s->above->active[(lane * each + c) / LANES + k], sizeof four);
            some |= four;
        }
        lanes |= (uint32_t)(some != 0) << lane;
    }
    return lanes & s->lanes;
}

/* What is above that piece. */
static void full_load_above(const full_strip *s, size_t c)
{
    vf *row = s->p->bench->row;
    const size_t each = full_columns(s);
    if (!s->above) memset(row, 0, FULL_PIECE * sizeof *row);
    for (size_t t = 0; s->above && t < FULL_PIECE; t += LANES) {
        const float *up[LANES];
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t at = lane * each + c + t;
            up[lane] = s->above->value + (s->above->active[at / LANES] ? at : SPARSE_NOTHING);
        }
        vf_load_transposed(up, row + t);
    }
}

/* Lanes with a value <= eps among n vectors. */
static uint32_t full_living(const full_strip *s, const vf *v, size_t n)
{
    vf least = v[0];
    for (size_t i = 1; i < n; i++) least = vf_min(least, v[i]);
    return vf_at_most(least, s->p->own->eps) & s->lanes;
}

/* The piece from column c on, tile by tile. What is left out keeps values above eps. Does
 * anything come out? */
static bool full_evaluate(full_strip *s, size_t c)
{
    sparse_part *p = s->p;
    bool leads = full_active_above(s, c) != 0;
    vf corner = s->corner, *row = p->bench->row, *y = p->bench->full->y[c / FULL_PIECE];
    if (!p->gathered && !s->again)
        segments_gather(p->w->frames + p->begin + c, full_columns(s), FULL_PIECE, y);
    s->corner = vf_all(INFINITY);
    if (leads) {
        full_load_above(s, c);
        s->corner = row[FULL_PIECE - 1];
    } else
        for (size_t t = 0; t < FULL_PIECE; t++) row[t] = vf_all(INFINITY);
    for (size_t i = 0, rows; i < s->rows; i += rows) {
        vf *state = s->state + i;
        rows = s->rows - i < TILE_ROWS ? s->rows - i : TILE_ROWS;
        const vf below = state[rows - 1];
        leads = leads || full_living(s, &corner, 1) || full_living(s, state, rows);
        if (leads) {
            segments_piece(state, p->own->x + s->top + i, rows, y, row, corner, FULL_PIECE, 1,
                           &(segments_ahead){0});
            p->done += rows * FULL_UNIT * 5 / 4;
            const uint32_t lanes = full_living(s, row, FULL_PIECE);
            s->living[i / TILE_ROWS] += (size_t)__builtin_popcount(lanes);
            leads = lanes != 0;
        }
        corner = below;
    }
    return leads;
}

/* Bit i: lane i of a mask is set. */
static uint32_t sparse_lanes(vi mask)
{
    return ~vf_at_most((vf)(mask & 0x7f800000), 0) & ((1u << LANES) - 1);
}

/* Lanes that differ, in a cell <= eps, from where they were before. */
static uint32_t full_differs(const vf *a, const vf *b, size_t rows, float eps)
{
    vi differs = {0};
    for (size_t i = 0; i < rows; i++) differs |= (a[i] != b[i]) & (vf_min(a[i], b[i]) <= eps);
    return sparse_lanes(differs);
}

/* D of the row above before each segment; before the first one it is `first`. */
static vf full_corner(const full_strip *s, float first)
{
    vf corner = vf_all(s->above ? INFINITY : 0);
    if (!s->above) return corner;
    corner[0] = first;
    for (size_t lane = 1; lane < LANES; lane++) {
        const size_t last = lane * full_columns(s) - 1;
        if (s->above->active[last / LANES]) corner[lane] = s->above->value[last];
    }
    return corner;
}

/* Sweep the lanes' segments on from their states. Leaves those that do not agree, up to the end,
 * with where they were before. */
static void full_round(full_strip *s)
{
    const size_t each = full_columns(s);
    for (size_t c = 0; c < each && s->lanes && s->p->done <= s->p->budget; c += FULL_PIECE) {
        if (full_evaluate(s, c)) full_tell(s, c);
        full_keep(s, c + FULL_PIECE);
        vf *was = s->p->bench->full->state[c / FULL_PIECE];
        if (s->again) s->lanes &= full_differs(s->state, was, s->rows, s->p->own->eps);
        for (size_t i = 0; i < s->rows; i++) was[i] = vf_pick(s->lanes, s->state[i], was[i]);
    }
}

/* How high the first strip of the next part should be: to where few lanes live. */
static size_t full_rows_next(const full_strip *s)
{
    const size_t pieces = part_columns(s->p) / FULL_PIECE;
    size_t rows = TILE_ROWS;
    for (; rows <= s->rows; rows += TILE_ROWS)
        if (s->living[rows / TILE_ROWS - 1] * FULL_FEW < pieces) break;
    return rows < FULL_LEAST ? FULL_LEAST : rows < FULL_ROWS ? rows : FULL_ROWS;
}

/* The rows from `top` on. corner: D(top - 1,.) before the part. Lanes but the first begin
 * from +inf, and again from where their predecessors got to. */
static void full_sweep(sparse_part *p, const sparse_row *above, sparse_row *below, size_t top,
                       size_t rows, float corner)
{
    const uint32_t all = (1u << LANES) - 1;
    float *d = p->own->d + p->own->pad + top;
    const vf *end = p->bench->full->state[part_columns(p) / FULL_UNIT - 1];
    full_strip s = {.p = p, .above = above, .below = below, .top = top, .rows = rows, .lanes = all};
    for (size_t i = 0; i < rows; i++) {
        s.state[i] = vf_all(INFINITY);
        s.state[i][0] = d[i];
    }
    const vf corners = s.corner = full_corner(&s, corner);
    full_round(&s);
    s.again = p->gathered = true;
    if (!top) p->own->full_rows = full_rows_next(&s);
    for (s.lanes = all & ~1u; s.lanes && p->done <= p->budget; s.lanes = s.lanes << 1 & all) {
        for (size_t i = 0; i < rows; i++) s.state[i] = vf_shift(end[i], INFINITY);
        s.corner = corners;
        full_round(&s);
    }
    for (size_t i = 0; i < rows; i++) d[i] = end[i][LANES - 1];
}

/* How many rows from `top` on does no active cell lead into, from above or from the left? Whole
 * strips of the least height, or all that are left. corner: D(top - 1,.) before the part. */
static size_t empty_rows(const sparse_part *p, const sparse_row *above, size_t top, float corner)
{
    const simd_template *own = p->own;
    const float *d = own->d + own->pad;
    const uint32_t end = (uint32_t)part_columns(p);
    size_t i = top;
    if (!top || corner <= own->eps || next_active(above, 0, end) < end) return 0;
    while (i < own->length && d[i] > own->eps) i++;
    return i < own->length ? (i - top) / FULL_LEAST * FULL_LEAST : i - top;
}

/* Is more than half of a row active? */
static bool is_mostly_active(const sparse_part *p, const sparse_row *row)
{
    size_t n = 0;
    for (size_t b = 0; b < LANES * p->blocks; b++) n += row->active[b];
    return 2 * n > LANES * p->blocks;
}

/* A strip of rows from `top` on; returns how many. High strips cost less; low ones follow activity
 * more closely. corner: D(top - 1,.) before the part. */
static size_t sparse_strip_sweep(sparse_part *p, const sparse_row *above, sparse_row *below,
                                 size_t top, float corner)
{
    const size_t left = p->own->length - top, empty = empty_rows(p, above, top, corner);
    size_t rows = top ? FULL_LEAST : p->own->full_rows;
    memset(below->active, 0, sizeof below->active);
    if (empty) {
        float *d = p->own->d + p->own->pad + top;
        for (size_t i = 0; i < empty; i++) d[i] = INFINITY;
        return empty;
    }
    if (top && is_mostly_active(p, above)) rows = FULL_ROWS / 2;
    if (rows > left) rows = left;
    full_sweep(p, top ? above : NULL, below, top, rows, corner);
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
    return 3 * top > length && p->done + each * (length - top) > p->budget / 3 * 4;
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
    sparse_clear_kept(p, own->full_rows);
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
                  p->w->self->position + p->begin + part_columns(p), deepest);
    return true;
}

#endif
