/*
 * sparse_choice_simd.h - from which row on a template is swept by its tail (sparse_tail_simd.h):
 * for some rows, what that would take is counted where a window is looked at in LANES places; of
 * all rows, what it took is known as well.
 */
#ifndef KERNELS_SPARSE_CHOICE_SIMD_H
#define KERNELS_SPARSE_CHOICE_SIMD_H

#include "kernels/sparse_tail_simd.h"

enum {
    CHOICE_PIECES = 4,                    /* that are looked at in each place, */
    CHOICE_FEW_PIECES = 2,                /* and at first */
    CHOICE_BLOCKS = KERNEL_BLOCK / LANES, /* of a piece */
    CHOICE_TRIES = 3,                     /* rows for which all of them are */
    /* Columns that a look at all rows takes, at first and in all pieces. */
    CHOICE_COLUMNS = (CHOICE_FEW_PIECES + CHOICE_PIECES) * KERNEL_BLOCK * LANES,
    /* What a block below an active one takes, in hundredths of what it takes in a dense sweep: of
     * lanes in step, and by lanes at their own pace or by runs, with those that live beside it. */
    CHOICE_IN_STEP = 140,
    CHOICE_APART = 500,
    CHOICE_LEAST_WAIT = 1 << 20,
    CHOICE_MOST_WAIT = 1 << 23, /* frames from one choice to the next */
};

/* Where a window is looked at: so many pieces of it, of which the first is not counted, since rows
 * below others begin from +inf and become active later. */
typedef struct {
    const simd_template *own;
    const simd_bench *bench; /* y: its samples, of all places */
    size_t pieces;
    double beside; /* rows that the end of a step is worth */
    double done;   /* cells that were evaluated, */
    double most;   /* and may be */
} choice;

/* Shares of what is looked at: blocks with a cell <= eps, pieces with one in any lane, and pieces
 * of all lanes. */
typedef struct {
    double blocks, any, pieces;
} choice_activity;

static choice_activity choice_look(const choice *c)
{
    const vf *row = c->bench->row + KERNEL_BLOCK;
    size_t blocks = 0, any = 0, pieces = 0;
    for (size_t p = 1; p < c->pieces; p++) {
        uint32_t of_piece = 0;
        for (size_t b = 0; b < CHOICE_BLOCKS; b++, row += LANES) {
            vf least = row[0];
            for (size_t k = 1; k < LANES; k++) least = vf_min(least, row[k]);
            const uint32_t of_block = vf_at_most(least, c->own->eps);
            blocks += (size_t)__builtin_popcount(of_block);
            of_piece |= of_block;
        }
        pieces += (size_t)__builtin_popcount(of_piece);
        any += of_piece != 0;
    }
    const double n = (double)(c->pieces - 1);
    return (choice_activity){(double)blocks / (n * CHOICE_BLOCKS * LANES), (double)any / n,
                             (double)pieces / (n * LANES)};
}

/* Rows that a dense sweep does in what it takes to see in such a share of the pieces whether a
 * match ends there. One of them may be luck: a row that looks better than it is will be known by
 * what it takes, one that looks worse never. */
static double choice_ends(const choice *c, double share)
{
    const double m = (double)c->own->length, one = 1 / ((double)(c->pieces - 1) * LANES);
    return TAIL_BESIDE * m * (1 + m / KERNEL_BLOCK) * fmax(share - one, 0);
}

/* Likewise for a sweep from row `first` on; `most` or more, where that is reached. INFINITY: it
 * might take more cells than may be evaluated. */
static double choice_cost(choice *c, size_t first, double most)
{
    const size_t n = c->pieces * KERNEL_BLOCK, length = c->own->length;
    if (c->done + (double)((length - first) * n * LANES) > c->most) return INFINITY;
    const double in_step = CHOICE_IN_STEP / 100.0, apart = CHOICE_APART / 100.0;
    vf *row = c->bench->row, state[TILE_ROWS];
    double cost = first ? TAIL_FIRST_ROW + c->beside : 0;
    for (size_t t = 0; t < n; t++)
        row[t] = first ? vf_abs(c->bench->y[t] - vf_all(c->own->x[first])) : vf_all(0);
    choice_activity a = choice_look(c);
    for (size_t top = first ? first + 1 : 0, rows; top < length; top += rows) {
        if (a.blocks <= 0) return cost;
        rows = length - top < TILE_ROWS ? length - top : TILE_ROWS;
        cost += (double)rows * fmin(apart * a.blocks, in_step * a.any);
        if (cost >= most) return cost;
        for (size_t i = 0; i < rows; i++) state[i] = vf_all(INFINITY);
        segments_piece(state, c->own->x + top, rows, c->bench->y, row, vf_all(INFINITY), n, 1,
                       &(segments_ahead){0});
        c->done += (double)(rows * n * LANES);
        a = choice_look(c);
    }
    return first ? cost + choice_ends(c, a.pieces) : cost;
}

/* Likewise for a sweep of all rows: what one was seen to take, where that is more. */
static double choice_cost_of_all(choice *c)
{
    return fmax(choice_cost(c, 0, INFINITY), c->own->sparse_cost * (double)c->own->length);
}

/* What the rows take that look best in a part of it; the last rows are looked at first, since that
 * takes least. */
static void choice_costs(choice *c, double costs[TAIL_ROWS])
{
    double looks[TAIL_ROWS];
    c->pieces = CHOICE_FEW_PIECES;
    costs[0] = looks[0] = choice_cost_of_all(c);
    for (size_t i = TAIL_ROWS - 1; i > 0; i--) {
        looks[i] = choice_cost(c, c->own->length * i / TAIL_ROWS, looks[0]);
        costs[i] = INFINITY;
    }
    c->pieces = CHOICE_PIECES;
    const double all = choice_cost_of_all(c); /* without credit for it: infinite */
    if (isfinite(all)) costs[0] = all;
    for (size_t k = 0; k < CHOICE_TRIES; k++) {
        size_t next = 0;
        for (size_t i = 1; i < TAIL_ROWS; i++)
            if (looks[i] < looks[next]) next = i;
        if (!next) break;
        looks[next] = INFINITY;
        costs[next] = choice_cost(c, c->own->length * next / TAIL_ROWS, costs[0]);
    }
}

/* Is its row to be chosen, before a window of n frames? Only where the credit is for a look at all
 * rows, and for what comes then. */
static bool tail_is_due(const simd_template *own, uint64_t position, size_t n)
{
    return tail_fits(own, n) && position >= own->tail->look &&
           own->credit >= CHOICE_COLUMNS + SPARSE_STAKE;
}

/* With which row are this window and the next ones to begin? */
static void tail_choose_row(const simd_window *w, simd_template *own, simd_bench *bench)
{
    tail_bench *tail = own->tail;
    choice c = {.own = own,
                .bench = bench,
                .most = (own->credit - SPARSE_STAKE) * (double)own->length,
                .beside = TAIL_BESIDE * (double)(own->length * tail_columns(own)) / (double)w->n};
    segments_gather(w->frames, w->n / LANES, CHOICE_PIECES * KERNEL_BLOCK, bench->y);
    choice_costs(&c, tail->costs);
    sparse_saved(own, -c.done / (double)own->length);
    tail_take(own, 0);
    tail_reconsider(own);
    tail->look = w->self->position + tail->wait;
    if (tail->wait < CHOICE_MOST_WAIT) tail->wait *= 2;
}

/* At the very beginning. */
static void tail_begin(simd_template *own)
{
    if (!own->tail) return;
    own->tail->row = own->tail->choice = 0;
    own->tail->tried = false;
    for (size_t i = 0; i < TAIL_ROWS; i++) own->tail->costs[i] = INFINITY;
    own->tail->look = 0;
    own->tail->wait = CHOICE_LEAST_WAIT;
}

#endif
