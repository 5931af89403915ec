/*
 * sparse_tail_simd.h - a sparse sweep of samples (sparse_simd.h) by the last rows of a template
 * alone, where most of what is active are its first ones: heartbeats, of which nearly every
 * sample could be a beginning.
 *
 * A path to row m goes through every row, and costs are never negative. So D of the template's
 * tail, the rows from r on, is at most D(m,.): where it exceeds eps no match ends. In row r it is
 * |x_r - y_t|, without a recurrence, and r is chosen where that leaves least to do
 * (sparse_choice_simd.h).
 *
 *     whole       first row r ... row m     which columns are exact
 *     step    -- exact ---xxxxx-------------xxxxx--------------------------xxxxxxxxxxxx
 *                  from   ends <= eps of the tail                    history, for the next step
 *
 * What is asked of the other columns later on (kernel_ops.column) is evaluated then, from a copy of
 * the step's samples. D at a column is certified without the past (docs/SEMANTICS.md, "Parallel
 * evaluation"): swept from all +0 and from all +inf, it lies between the two, as sums and minima
 * keep their order when they are rounded. Where these do not agree below eps soon enough, the
 * sweep goes on from the last column that is exact, the step's first one at worst.
 */
#ifndef KERNELS_SPARSE_TAIL_SIMD_H
#define KERNELS_SPARSE_TAIL_SIMD_H

#include "kernels/seams_simd.h"

enum {
    TAIL_LEAST = 16384, /* frames of a step: below, what it begins and ends with costs too much */
    TAIL_TIMES = 16,    /* and so many times what is exact at its end, at least */
    TAIL_PIECE = 4096,  /* columns at a time */
    TAIL_REACH = 2,     /* template lengths, that a column is certified by at first, */
    TAIL_GROWTH = 3,    /* and times that, where they do not do; */
    TAIL_TRIES = 2,     /* so often */
    TAIL_ENDS = 16,     /* it may end within eps in one of so many blocks of columns of a part, */
    TAIL_MOST = 4, /* and one in so many columns be evaluated exactly: else they are done again by
                      all rows */
    TAIL_FIRST = 4 * SPARSE_LEAST, /* columns of credit, when last rows are first tried */
    TAIL_ROWS = 16,                /* rows that may be the first, evenly spread */
};

/* What settles ends, and the end of a step, beside what is counted: short runs of anti-diagonals
 * take twice as long for a cell. */
static const double TAIL_BESIDE = 2;

/* Rows that the first one and the copy of the samples are worth. What another row would take, as a
 * share of what the present one does, for it to be tried. */
static const double TAIL_FIRST_ROW = 8, TAIL_GAIN = 0.85;

/* Of a template; what is swept apart from the step's own state. */
typedef struct tail_bench {
    size_t row;    /* r, from 0 on; 0: it is swept whole */
    size_t choice; /* r = choice m / TAIL_ROWS */
    bool tried;    /* it was not 0 before */
    /* Rows that a dense sweep would do in what a sweep from row i m / TAIL_ROWS on takes: what it
     * took, or by the last look (sparse_choice_simd.h). INFINITY: it is not to be tried. */
    double costs[TAIL_ROWS];
    uint64_t look;     /* position from which on r may be chosen again, */
    uint64_t wait;     /* and frames from then to the next time */
    uint64_t from;     /* of the last step that was swept so: the first frame, */
    float *d;          /* D(.,from - 1), m rows, */
    float *before;     /* and before the parts under way */
    float *low, *high; /* m rows each */
    float *line;       /* TAIL_PIECE values */
    columns nowhere;   /* for sweeps that keep no columns */
} tail_bench;

static sigrep_status tail_create(simd_template *own)
{
    tail_bench *tail = own->tail = calloc(1, sizeof *tail);
    if (!tail) return SIGREP_NO_MEMORY;
    const size_t rows = own->pad + own->length;
    tail->d = aligned_calloc(rows, sizeof *tail->d);
    tail->before = aligned_calloc(rows, sizeof *tail->before);
    tail->low = aligned_calloc(rows, sizeof *tail->low);
    tail->high = aligned_calloc(rows, sizeof *tail->high);
    tail->line = aligned_calloc(TAIL_PIECE, sizeof *tail->line);
    tail->nowhere = (columns){.stride = rows,
                              .spacing = SIZE_MAX / 4 + 1, /* twice it is no overflow */
                              .slots = 1,
                              .d = aligned_calloc(rows, sizeof(float))};
    const bool got = tail->d && tail->before && tail->low && tail->high && tail->line;
    return got && tail->nowhere.d ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static void tail_free(simd_template *own)
{
    tail_bench *tail = own->tail;
    if (!tail) return;
    free(tail->d);
    free(tail->before);
    free(tail->low);
    free(tail->high);
    free(tail->line);
    free(tail->nowhere.d);
    free(tail);
    own->tail = NULL;
}

/* Columns that the end of a step takes, if D is soon certified. */
static size_t tail_columns(const simd_template *own)
{
    return own->history + 2 * own->kept.spacing + 2 * TAIL_REACH * own->length;
}

/* May a step of n frames be swept so, if there is a row to begin with? */
static bool tail_fits(const simd_template *own, size_t n)
{
    return own->tail && own->sparse && !own->with_starts && n >= TAIL_LEAST &&
           n / TAIL_TIMES >= tail_columns(own);
}

static bool tail_is_used(const simd_template *own, size_t n)
{
    return tail_fits(own, n) && own->tail->row;
}

/* Frames [at, to) on from d, by anti-diagonals. Returns the least D(m,.) from frame `since` on. */
static float tail_run(const simd_template *own, const columns *kept, uint64_t at, uint64_t to,
                      float *d, uint64_t since)
{
    float least = INFINITY;
    for (size_t n; at < to; at += n) {
        n = to - at < TAIL_PIECE ? (size_t)(to - at) : TAIL_PIECE;
        const diagonal_window piece = {.y = own->samples->y + (at - own->samples->from),
                                       .row = own->tail->line,
                                       .n = n,
                                       .position = at,
                                       .kept = kept};
        diagonal_sweep(&piece, own->x, d, own->length);
        const size_t skipped = since > at ? (size_t)(since - at) : 0;
        if (skipped < n) least = fminf(least, least_of(piece.row + skipped, n - skipped));
    }
    return least;
}

/* Begin with row `choice` m / TAIL_ROWS from now on. */
static void tail_take(simd_template *own, size_t choice)
{
    tail_bench *tail = own->tail;
    tail->choice = choice;
    tail->row = own->length * choice / TAIL_ROWS;
    if (tail->row && !tail->tried) sparse_saved(own, TAIL_FIRST);
    tail->tried |= tail->row != 0;
}

/* With the row that takes least, where that is worth a change. */
static void tail_reconsider(simd_template *own)
{
    tail_bench *tail = own->tail;
    size_t best = 0;
    for (size_t i = 1; i < TAIL_ROWS; i++)
        if (tail->costs[i] < tail->costs[best]) best = i;
    if (tail->costs[best] < TAIL_GAIN * tail->costs[tail->choice]) tail_take(own, best);
}

/* From this row on it takes too much. */
static void tail_give_up(simd_template *own)
{
    own->tail->costs[own->tail->choice] = INFINITY;
    tail_take(own, 0);
    tail_reconsider(own);
}

static bool tail_is_true(const simd_template *own, uint64_t position)
{
    return own->kept_rows[columns_slot(&own->kept, position)] != KEPT_UNTRUE;
}

/* The last exact column of the step, at `position` or before. */
static uint64_t tail_exact_before(const simd_template *own, uint64_t position)
{
    const size_t spacing = own->kept.spacing;
    uint64_t at = position / spacing * spacing;
    while (at > own->tail->from && !tail_is_true(own, at)) at -= spacing;
    return at > own->tail->from ? at : own->tail->from;
}

/* Sweep `reach` columns up to `position` from all +0 and from all +inf: D(.,position - 1) is
 * between them. Do they agree, wherever either is <= eps? */
static bool tail_certify(const simd_template *own, uint64_t position, uint64_t reach)
{
    const tail_bench *tail = own->tail;
    for (size_t i = 0; i < own->length; i++) tail->low[i] = 0, tail->high[i] = INFINITY;
    tail_run(own, &tail->nowhere, position - reach, position, tail->low, position);
    tail_run(own, &tail->nowhere, position - reach, position, tail->high, position);
    return columns_agree(tail->low, tail->high, own->length, own->eps);
}

/* D(.,position - 1), exact wherever it is <= eps: m rows, in tail->high. NULL: that takes more
 * columns than there are left. */
static const float *tail_exact(const simd_template *own, uint64_t position, uint64_t *left)
{
    const tail_bench *tail = own->tail;
    const uint64_t exact = tail_exact_before(own, position), apart = position - exact;
    uint64_t reach = TAIL_REACH * own->length;
    for (int i = 0; i < TAIL_TRIES && 2 * reach < apart && 2 * reach < *left; i++) {
        *left -= 2 * reach;
        if (tail_certify(own, position, reach)) return tail->high;
        reach *= TAIL_GROWTH;
    }
    if (apart > *left) return NULL;
    *left -= apart;
    memcpy(tail->high, exact > tail->from ? columns_at(&own->kept, exact) : tail->d,
           own->length * sizeof *tail->high);
    tail_run(own, &own->kept, exact, position, tail->high, position);
    kept_say_rows(own, exact, position, own->length);
    return tail->high;
}

/* A kept column of the last step, as it should be. */
static void tail_make_true(const simd_template *own, uint64_t position)
{
    if (!own->kept_rows || tail_is_true(own, position)) return;
    uint64_t left = UINT64_MAX;
    memcpy(columns_at(&own->kept, position), tail_exact(own, position, &left),
           own->length * sizeof *own->d);
    kept_say_rows(own, position - 1, position, own->length);
}

/* ---- a step ---- */

/* Frames [from, to) of the window, to the last bit. False: that takes more columns than there are
 * left. */
static bool tail_sweep_exactly(const simd_window *w, simd_template *own, simd_bench *bench,
                               size_t from, size_t to, uint64_t *left)
{
    const uint64_t position = w->self->position;
    if (*left < to - from) return false;
    *left -= to - from;
    const float *d = tail_exact(own, position + from, left);
    if (!d) return false;
    memcpy(own->d + own->pad, d, own->length * sizeof *d);
    sweep_part(w, own, bench, from, to);
    kept_say_rows(own, position + from, position + to, own->length);
    return true;
}

/* Might a match end in frames [from, to)? D is swept from +0, which it cannot be below. */
static bool tail_may_end(const simd_template *own, uint64_t from, uint64_t to)
{
    float *d = own->tail->low;
    const uint64_t first = own->tail->from;
    const uint64_t begin = from - first > own->length ? from - own->length : first;
    memset(d, 0, own->length * sizeof *d);
    return tail_run(own, &own->tail->nowhere, begin, to, d, from) <= own->eps;
}

/* None does in frames [from, to) of the window, whole blocks. */
static void tail_tell_none(const simd_window *w, const simd_template *own, size_t from, size_t to)
{
    const uint64_t position = w->self->position, first = position / KERNEL_BLOCK;
    float *minima = w->out->minima + own->index * w->out->minima_stride;
    for (uint64_t b = (position + from) / KERNEL_BLOCK; b < (position + to) / KERNEL_BLOCK; b++)
        minima[b - first] = INFINITY;
    for (size_t t = from; w->out->scores && t < to; t++)
        w->out->scores[own->index * w->self->max_step + t] = INFINITY;
}

/* The first block from frame `at` on, that begins before `to`, in which the tail ends within eps;
 * else `to`. */
static size_t tail_next_end(const simd_window *w, const simd_template *own, size_t at, size_t to)
{
    const uint64_t position = w->self->position, first = position / KERNEL_BLOCK;
    const float *minima = w->out->minima + own->index * w->out->minima_stride;
    while (at < to && !(minima[(position + at) / KERNEL_BLOCK - first] <= own->eps))
        at += KERNEL_BLOCK;
    return at < to ? at : to;
}

/* Where the tail ends within eps, in [from, to), whole blocks: is that a match's end? False: as
 * above. */
static bool tail_settle(const simd_window *w, simd_template *own, simd_bench *bench, size_t from,
                        size_t to, uint64_t *left)
{
    const uint64_t position = w->self->position;
    const size_t apart = 2 * TAIL_REACH * own->length;
    for (size_t at = tail_next_end(w, own, from, to), end, next; at < to; at = next) {
        next = at;
        do {
            end = next + KERNEL_BLOCK;
            next = tail_next_end(w, own, end, to);
        } while (next < to && next - end < apart);
        if (*left < end - at + own->length) return false;
        *left -= end - at + own->length;
        if (!tail_may_end(own, position + at, position + end))
            tail_tell_none(w, own, at, end);
        else if (!tail_sweep_exactly(w, own, bench, at, end, left))
            return false;
    }
    return true;
}

/* What is needed of frames [from, to) by what follows: the state, and those columns that may still
 * be asked for in the next step. False: as above. */
static bool tail_end(const simd_window *w, simd_template *own, simd_bench *bench, size_t from,
                     size_t to, uint64_t *left)
{
    const size_t back = own->history + 2 * own->kept.spacing;
    size_t at = w->n > back ? w->n - back : 0;
    if (at > to) at = to;
    at = at > from ? at - (at - from) % KERNEL_BLOCK : from;
    return tail_sweep_exactly(w, own, bench, at, to, left);
}

/* Does the tail end within eps in too many of n columns from frame `at` of the window on? */
static bool tail_ends_often(const simd_window *w, const simd_template *own, size_t at, size_t n)
{
    size_t ends = 0;
    for (size_t next = at; (next = tail_next_end(w, own, next, at + n)) < at + n;
         next += KERNEL_BLOCK)
        ends++;
    return ends * TAIL_ENDS > n / KERNEL_BLOCK;
}

/* Columns at most that it may take to settle and end n columns. */
static uint64_t tail_most(const simd_template *own, size_t n)
{
    return n / TAIL_MOST + tail_columns(own);
}

/* The tail, from frame `begin` of the window on, in parts, for as long as there is credit for them
 * and for what settles them. After the first one they are whole: short ones take more for a column
 * than to settle does. Returns where it ended, *given_up where a part took too much, or may end too
 * often. */
static size_t tail_parts(const simd_window *w, simd_template *own, simd_bench *bench, size_t begin,
                         bool *given_up)
{
    size_t at = begin;
    while (w->n - at >= SPARSE_LEAST) {
        const double in_hand = own->credit - TAIL_BESIDE * (double)tail_most(own, at - begin);
        const size_t n = sparse_part_columns(in_hand, w->n - at);
        if (at > begin && n < sparse_part_columns(INFINITY, w->n - at)) break;
        const bool done = sparse_part_sweep(w, own, bench, at, n, SPARSE_MOST, own->tail->row);
        if (!done || tail_ends_often(w, own, at, n)) {
            *given_up = true;
            break;
        }
        at += n;
    }
    return at;
}

/* Parts from frame `begin` of the window on, to the last bit. What they save is booked when that is
 * certain, so that no more is spent than there was. Returns where they ended: at `begin`, and
 * another row is taken, where that takes more columns than it may. */
static size_t tail_parts_exactly(const simd_window *w, simd_template *own, simd_bench *bench,
                                 size_t begin)
{
    tail_bench *tail = own->tail;
    const size_t bytes = own->length * sizeof *tail->before;
    memcpy(tail->before, own->d + own->pad, bytes);
    bool given_up = false;
    const double credit = own->credit;
    const size_t to = tail_parts(w, own, bench, begin, &given_up), n = to - begin;
    const double of_parts = credit - own->credit;
    const uint64_t paid = own->credit > 0 ? (uint64_t)(own->credit / TAIL_BESIDE) : 0;
    const uint64_t most = tail_most(own, n) < paid ? tail_most(own, n) : paid;
    uint64_t left = most;
    const bool done = n && tail_settle(w, own, bench, begin, to, &left) &&
                      tail_end(w, own, bench, begin, to, &left);
    const double of_ends = TAIL_BESIDE * (double)(most - left);
    sparse_saved(own, (done ? (double)n : 0) - of_ends);
    if (n) own->part_cost = (of_parts + of_ends) / (double)n;
    if (n >= TAIL_LEAST)
        tail->costs[tail->choice] = TAIL_FIRST_ROW + own->part_cost * (double)own->length;
    if (!done || given_up) tail_give_up(own);
    if (done) return to;
    memcpy(own->d + own->pad, tail->before, bytes);
    return begin;
}

/* sweep_sparse, by all rows; what they take is kept. */
static size_t sweep_all_rows(const simd_window *w, simd_template *own, simd_bench *bench,
                             size_t from)
{
    const size_t at = sweep_sparse(w, own, bench, from);
    if (own->tail && at - from >= TAIL_LEAST)
        own->tail->costs[0] = own->sparse_cost * (double)own->length;
    return at;
}

/* Frames from `from` on of the window of a sparse template. Returns where it ended: what is left
 * is to be swept densely. */
static size_t sweep_by_tail(const simd_window *w, simd_template *own, simd_bench *bench,
                            size_t from)
{
    tail_bench *tail = own->tail;
    const uint64_t position = w->self->position;
    size_t at = from + (size_t)(-(position + from) % KERNEL_BLOCK);
    kept_say_rows(own, position + from, position + at, own->length);
    sweep_part(w, own, bench, from, at);
    tail->from = position + at;
    memcpy(tail->d, own->d + own->pad, own->length * sizeof *tail->d);
    while (w->n - at >= SPARSE_LEAST && tail->row && !sparse_is_broke(own))
        at = tail_parts_exactly(w, own, bench, at);
    if (sparse_is_broke(own)) own->sparse = false;
    return own->sparse && !tail->row ? sweep_all_rows(w, own, bench, at) : at;
}

#endif
