/*
 * trace_ending_simd.h - when matches were final, LANES of them side by side, one in each lane,
 * for the vector trace kernels. Columns are counted so that all end in the same one:
 *
 *     lane 0   d------------------e?????
 *     lane 1         d------------e???        d: the column that is given
 *     lane 2      d---------------e?          e: the match's last
 *
 * Up to there all paths began before the end, so D is enough; from there on starts are carried
 * along, and cells looked at (?), until all are decided. Tiles without a cell below the best of
 * their lanes are skipped.
 *
 * Starts are unsigned here, as in starts_tile_simd.h: 1 is the first column, 0 before that.
 */
#ifndef KERNELS_TRACE_ENDING_SIMD_H
#define KERNELS_TRACE_ENDING_SIMD_H

#include <math.h>

#include "kernels/segments_simd.h"
#include "kernels/starts_tile_simd.h"
#include "kernels/trace_kernel.h"

enum {
    ENDING_PIECE = 32, /* columns at most */
    ENDING_PIECE_OF_FRAMES = LANES,
    ENDING_LOOK = 4, /* columns: most are decided soon */
#if LANES == 16
    ENDING_ROWS = 8
#else
    ENDING_ROWS = 4
#endif
};
_Static_assert(ENDING_PIECE % LANES == 0 && LANES % ENDING_LOOK == 0, "pieces are whole vectors");

/* Some endings in lanes. */
typedef struct {
    starts_row row;
    starts_watch watch;
    const trace_cells *cells;
    const float *x;          /* the template, its rows at tile_row_at */
    size_t ended;            /* the columns after which all are over */
    vf *d;                   /* m */
    vi *s;                   /* m */
    vf *y;                   /* of a piece */
    float *frames;           /* of a piece, of one lane after the other: where they end */
    trace_ending *of[LANES]; /* the last one again and again where there are fewer */
    size_t begin[LANES];     /* the column that is each one's first */
    size_t first_out;        /* the columns after which the first of them has no more */
    uint32_t open;           /* bit: not decided */
} ending_group;

static size_t ending_piece(size_t dim)
{
    return dim > 1 ? ENDING_PIECE_OF_FRAMES : ENDING_PIECE;
}

/* Vectors that hold the template by tile_row_at, if that is another order than its own. */
static size_t ending_blocks(size_t length, size_t dim)
{
    const size_t blocks = (length + TILE_ROWS_OF_FRAMES - 1) / TILE_ROWS_OF_FRAMES;
    return dim > 1 ? (blocks * TILE_ROWS_OF_FRAMES * dim + LANES - 1) / LANES : 0;
}

/* Vectors of scratch. */
static size_t ending_room(size_t length, size_t dim)
{
    return ending_blocks(length, dim) + 2 * length + 2 * ending_piece(dim) * dim +
           3 * ending_piece(dim);
}

/* The template, frames in blocks, into x. */
static const float *ending_template(const trace_cells *cells, float *x)
{
    const size_t dim = cells->dim;
    if (dim == 1) return cells->frames;
    for (size_t i = 0; i < cells->length; i++)
        for (size_t k = 0; k < dim; k++)
            x[tile_row_at(i, dim) + k * TILE_ROWS_OF_FRAMES] = cells->frames[i * dim + k];
    return x;
}

/* The columns that are given, in all lanes. */
static void ending_load(ending_group *g)
{
    const size_t length = g->cells->length;
    const float *p[LANES];
    size_t i = 0;
    for (; i + LANES <= length; i += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) p[lane] = g->of[lane]->d + i;
        vf_load_transposed(p, g->d + i);
    }
    for (; i < length; i++)
        for (size_t lane = 0; lane < LANES; lane++) g->d[i][lane] = g->of[lane]->d[i];
    memset(g->s, 0, length * sizeof *g->s);
}

/* Again, in the lanes that begin at column c. */
static void ending_load_late(ending_group *g, size_t c)
{
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t i = 0; g->begin[lane] == c && i < g->cells->length; i++)
            g->d[i][lane] = g->of[lane]->d[i];
}

static void ending_begin(ending_group *g, const trace_cells *cells, trace_ending *endings,
                         size_t count)
{
    const size_t dim = cells->dim, piece = ending_piece(dim);
    vf *room = cells->room;
    *g = (ending_group){
        .cells = cells, .first_out = SIZE_MAX, .open = (uint32_t)(((uint64_t)1 << count) - 1)};
    for (size_t i = 0; i < count; i++)
        if (endings[i].ended > g->ended) g->ended = endings[i].ended;
    for (size_t lane = 0; lane < LANES; lane++) {
        g->of[lane] = &endings[lane < count ? lane : count - 1];
        g->of[lane]->final = TRACE_LEFT_OUT;
        g->begin[lane] = g->ended - g->of[lane]->ended;
        const size_t out = g->begin[lane] + g->of[lane]->n;
        if (out < g->first_out) g->first_out = out;
        g->watch.below[lane] = g->of[lane]->best;
    }
    g->watch.before = vi_all((int32_t)g->ended + 1);
    g->d = room;
    g->s = (void *)(g->d + cells->length);
    g->y = (void *)(g->s + cells->length);
    g->frames = (void *)(g->y + piece * dim);
    g->row.d = g->y + 2 * piece * dim;
    g->row.s = (void *)(g->row.d + piece);
    g->watch.live = (void *)(g->row.s + piece);
    g->x = ending_template(cells, (float *)(room + ending_room(cells->length, dim) -
                                            ending_blocks(cells->length, dim)));
    ending_load(g);
}

/* Columns c to c + n - 1, and on to a whole vector. What lies before a lane's first frame or
 * behind its last one means nothing. */
static void ending_gather(const ending_group *g, size_t c, size_t n)
{
    const size_t dim = g->cells->dim, whole = (n + LANES - 1) / LANES * LANES, count = whole * dim;
    const float *p[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        const trace_ending *e = g->of[lane];
        const size_t at = c > g->begin[lane] ? c - g->begin[lane] : 0;
        const size_t left = e->n > at ? e->n - at : 0;
        p[lane] = e->frames + at * dim;
        if (left >= whole) continue;
        float *copy = g->frames + lane * count;
        memset(copy, 0, count * sizeof *copy);
        if (left) memcpy(copy, p[lane], left * dim * sizeof *copy);
        p[lane] = copy;
    }
    for (size_t i = 0; i < count; i += LANES) {
        vf_load_transposed(p, g->y + i);
        for (size_t lane = 0; lane < LANES; lane++) p[lane] += LANES;
    }
}

/* Is a cell of some rows, or of the row above them, below the best of its lane? */
SIMD_INLINE bool ending_is_live(const ending_group *g, size_t i, size_t rows, size_t n)
{
    vf least = g->row.corner;
    for (size_t r = 0; r < rows; r++) least = vf_min(least, g->d[i + r]);
    for (size_t t = 0; t < n; t++) least = vf_min(least, g->row.d[t]);
    return lanes_bits(lanes_less(least, g->watch.below, lanes_all())) != 0;
}

/* Rows that are not live hand nothing down. */
SIMD_INLINE void ending_skip(ending_group *g, size_t n)
{
    for (size_t t = 0; t < n; t++) g->row.d[t] = vf_all(INFINITY);
}

/* n columns before the end. */
static void ending_pass(ending_group *g, size_t n)
{
    const size_t length = g->cells->length, dim = g->cells->dim;
    size_t rows = dim > 1 ? TILE_ROWS_OF_FRAMES : TILE_ROWS;
    memset(g->row.d, 0, n * sizeof *g->row.d);
    g->row.corner = (vf){0};
    for (size_t i = 0; i < length; i += rows) {
        while (i + rows > length) rows /= 2;
        const vf next = g->d[i + rows - 1];
        if (ending_is_live(g, i, rows, n))
            tile(g->d + i, g->x + tile_row_at(i, dim), g->y, g->row.d, g->row.corner, n, dim, rows);
        else
            ending_skip(g, n);
        g->row.corner = next;
    }
}

/* A tile of these rows. */
SIMD_INLINE void ending_tile(ending_group *g, size_t i, const vf *y, size_t n, bool frames,
                             const int rows)
{
    const size_t dim = g->cells->dim;
    starts_tile(g->d + i, g->s + i, g->x + tile_row_at(i, dim), y, &g->row, n, frames ? dim : 1,
                frames, rows, &g->watch);
}

static void ending_rows(ending_group *g, size_t i, const vf *y, size_t n, size_t rows)
{
    const bool frames = g->cells->dim > 1;
    if (rows == ENDING_ROWS && frames)
        ending_tile(g, i, y, n, true, ENDING_ROWS);
    else if (rows == ENDING_ROWS)
        ending_tile(g, i, y, n, false, ENDING_ROWS);
    else if (frames)
        ending_tile(g, i, y, n, true, 1);
    else
        ending_tile(g, i, y, n, false, 1);
}

/* Column c, whose frames are at y, and the n - 1 behind it, with starts. */
static void ending_look(ending_group *g, const vf *y, size_t c, size_t n)
{
    const size_t length = g->cells->length;
    for (size_t t = 0; t < n; t++) {
        g->row.d[t] = (vf){0};
        g->row.s[t] = vi_all((int32_t)(c + t) + 2); /* the diagonal of the next column */
    }
    g->row.corner = (vf){0};
    g->row.corner_s = vi_all((int32_t)c + 1);
    memset(g->watch.live, 0, n * sizeof *g->watch.live);
    for (size_t i = 0, rows; i < length; i += rows) {
        rows = length - i >= ENDING_ROWS ? ENDING_ROWS : 1;
        const vf next = g->d[i + rows - 1];
        const vi next_s = g->s[i + rows - 1];
        if (ending_is_live(g, i, rows, n))
            ending_rows(g, i, y, n, rows);
        else
            ending_skip(g, n);
        g->row.corner = next;
        g->row.corner_s = next_s;
    }
}

/* After c columns: which are final, with no live cell in the last? */
static void ending_decide(ending_group *g, size_t c, uint32_t live)
{
    if (!(g->open & ~live) && c < g->first_out) return;
    for (size_t lane = 0; lane < LANES; lane++) {
        trace_ending *e = g->of[lane];
        const size_t after = c - g->begin[lane];
        const bool is_live = live >> lane & 1;
        if (!(g->open >> lane & 1)) continue;
        if (!is_live || after == e->n) e->final = after + is_live;
        if (!is_live || after == e->n) g->open &= ~((uint32_t)1 << lane);
    }
}

/* The lanes that have a cell below their best. */
static uint32_t ending_low_lanes(const ending_group *g)
{
    vf least = vf_all(INFINITY);
    for (size_t i = 0; i < g->cells->length; i++) least = vf_min(least, g->d[i]);
    return lanes_bits(lanes_less(least, g->watch.below, lanes_all()));
}

/* Up to the end of all. */
static void ending_approach(ending_group *g)
{
    const size_t piece = ending_piece(g->cells->dim);
    size_t c = 0;
    for (size_t n; c < g->ended; c += n) {
        n = g->ended - c < piece ? g->ended - c : piece;
        for (size_t lane = 0; lane < LANES; lane++)
            if (g->begin[lane] > c && g->begin[lane] < c + n) n = g->begin[lane] - c;
        if (c) ending_load_late(g, c);
        ending_gather(g, c, n);
        ending_pass(g, n);
    }
    if (c) ending_load_late(g, c);
    ending_decide(g, c, ending_low_lanes(g));
}

/* At most LANES of them. */
static void trace_endings_in_lanes(const trace_cells *cells, trace_ending *endings, size_t count,
                                   size_t leave)
{
    ending_group g;
    ending_begin(&g, cells, endings, count);
    ending_approach(&g);
    for (size_t c = g.ended; (size_t)__builtin_popcount(g.open) > leave; c += LANES) {
        ending_gather(&g, c, LANES);
        for (size_t i = 0; i < LANES && g.open; i += ENDING_LOOK) {
            ending_look(&g, g.y + i * cells->dim, c + i, ENDING_LOOK);
            for (size_t t = 0; t < ENDING_LOOK && g.open; t++)
                ending_decide(&g, c + i + t + 1, lanes_bits(g.watch.live[t]));
            if ((size_t)__builtin_popcount(g.open) <= leave) break;
        }
    }
}

static void trace_endings(const trace_cells *cells, trace_ending *endings, size_t count,
                          size_t leave)
{
    leave = leave * LANES / TRACE_ENDINGS;
    for (size_t i = 0; i < count; i += LANES)
        trace_endings_in_lanes(cells, endings + i, count - i < LANES ? count - i : LANES, leave);
}

#endif
