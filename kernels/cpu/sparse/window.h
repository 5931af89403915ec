/*
 * sparse_window_simd.h - which templates are swept by sparse_simd.h, and for how long.
 *
 * Parts of which all is active cost more than in a dense sweep, and one whose seams do not settle
 * is begun again. What that costs is paid from a credit: what sparse sweeps have saved so far, and
 * a small share of all that was swept densely. Nothing is begun that might cost more than that: a
 * part is as long as the credit is for, and given up where it is used up; where there is too little
 * left the rest of the window is swept densely. So however activity alternates, all in all little
 * more is spent than by dense sweeps, and a stream that was calm for long may be restless for a
 * while and calm again.
 */
#ifndef KERNELS_CPU_SPARSE_WINDOW_H
#define KERNELS_CPU_SPARSE_WINDOW_H

#include "kernels/cpu/sparse/full.h"

enum {
    SPARSE_UNIT = FULL_UNIT,       /* columns: a part is a multiple of it */
    SPARSE_LEAST = 4096,           /* below, the lanes have too little to do */
    SPARSE_LENGTH = 2 * TILE_ROWS, /* shorter templates have hardly a row to leave out */
    SPARSE_SAMPLES = 16,
    SPARSE_RECENT = 4, /* they are of the last fourth of a window */
    /* Columns of credit: at the very beginning, and without which nothing is begun. */
    SPARSE_FIRST = 6 * SPARSE_LEAST,
    SPARSE_STAKE = SPARSE_LEAST,
    SPARSE_CREDIT = 1000 /* parts: the most that is remembered */
};

_Static_assert(SPARSE_UNIT % (LANES * KERNEL_BLOCK) == 0, "lanes are at ends of blocks together");

/* Shares: of what a part costs densely, at which it is given up, and at the very beginning; of the
 * cells that may be active where sparse sweeps are begun; of a window, that is to be saved in it
 * for the next one to be swept so too; and of what is swept densely, that may be spent on trying.
 */
static const double SPARSE_MOST = 1.5, SPARSE_MOST_AT_FIRST = 1, SPARSE_MOST_CELLS = 0.2,
                    SPARSE_GAIN = 0.05, SPARSE_INCOME = 0.02;

/* What a sparse sweep takes, as it is counted and what is beside that. */
static const double SPARSE_BESIDE = 1.2;

static bool sparse_possible(const simd_template *own, size_t dim)
{
    return dim == 1 && isfinite(own->eps) && own->length >= SPARSE_LENGTH;
}

static void sparse_begin(simd_template *own)
{
    own->sparse = false;
    own->full_rows = FULL_LEAST;
    own->part_cost = 1;
    own->credit = SPARSE_FIRST;
}

/* n columns were saved. */
static void sparse_saved(simd_template *own, double n)
{
    const double most = (double)SPARSE_CREDIT * SPARSE_COLUMNS;
    own->credit += n;
    if (own->credit > most) own->credit = most;
}

static bool sparse_is_broke(const simd_template *own)
{
    return own->credit < SPARSE_STAKE;
}

/* Are the columns kept in [from, to) mostly above eps? */
static bool sparse_is_calm(const simd_template *own, uint64_t from, uint64_t to)
{
    const size_t spacing = own->kept.spacing;
    const uint64_t first = from / spacing + 1, n = to / spacing + 1 - first;
    const uint64_t stride = n / SPARSE_SAMPLES + 1;
    size_t samples = 0, active = 0;
    for (uint64_t i = first; i < first + n; i += stride, samples++) {
        const float *d = columns_at(&own->kept, i * spacing);
        for (size_t k = 0; k < own->length; k++) active += d[k] <= own->eps;
    }
    return samples && (double)active <= SPARSE_MOST_CELLS * (double)samples * (double)own->length;
}

/* After frames [from, to) were swept densely: is the next window worth a try? */
static void sparse_after_dense(simd_template *own, uint64_t from, uint64_t to)
{
    const size_t spacing = own->kept.spacing;
    uint64_t recent = from;
    sparse_saved(own, SPARSE_INCOME * (double)(to - from));
    if (to - from > SPARSE_RECENT * spacing) recent = to - (to - from) / SPARSE_RECENT;
    own->sparse = !sparse_is_broke(own) && sparse_is_calm(own, recent, to);
}

/* n frames of the window from frame `from` on, unless that takes more than such a share of what a
 * dense sweep would, or more than there is credit. */
static bool sparse_part_sweep(const simd_window *w, simd_template *own, simd_bench *bench,
                              size_t from, size_t n, double most)
{
    const double paid = own->credit / (SPARSE_BESIDE * (double)n);
    sparse_part p = {.w = w,
                     .own = own,
                     .bench = bench,
                     .begin = from,
                     .blocks = n / (LANES * LANES),
                     .budget = (size_t)(fmin(most, paid) * (double)(own->length * n))};
    const bool done = sparse_sweep(&p);
    const double spent = SPARSE_BESIDE * (double)p.done / (double)own->length;
    own->part_cost = spent / (double)n;
    sparse_saved(own, (done ? (double)n : 0) - spent);
    return done;
}

/* Columns of the next part, of n frames, SPARSE_LEAST or more: those that such a credit pays for
 * if they cost as much as in a dense sweep, and are swept again. */
static size_t sparse_part_columns(double credit, size_t n)
{
    const double paid = fmax(credit / SPARSE_BESIDE, SPARSE_LEAST);
    if ((double)n > paid) n = (size_t)paid;
    return (n < SPARSE_COLUMNS ? n : SPARSE_COLUMNS) / SPARSE_UNIT * SPARSE_UNIT;
}

/* Frames from `from` on of the window of a sparse template, in parts. Returns where it ended: what
 * is left is to be swept densely. */
static size_t sweep_sparse(const simd_window *w, simd_template *own, simd_bench *bench, size_t from)
{
    const uint64_t position = w->self->position;
    const size_t to = w->n, head = (size_t)(-(position + from) % KERNEL_BLOCK);
    const size_t begin = to - from < head ? to : from + head;
    const double credit = own->credit;
    size_t at = begin;
    kept_say_rows(own, position + from, position + at, own->length);
    sweep_part(w, own, bench, from, at);
    while (to - at >= SPARSE_LEAST && own->sparse) {
        const size_t n = sparse_part_columns(own->credit, to - at);
        own->sparse = sparse_part_sweep(w, own, bench, at, n, SPARSE_MOST);
        if (!own->sparse) break;
        at += n;
        if (sparse_is_broke(own)) own->sparse = false;
    }
    if (own->credit < credit + SPARSE_GAIN * (double)(at - begin)) own->sparse = false;
    return at;
}

#endif
