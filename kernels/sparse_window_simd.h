/*
 * sparse_window_simd.h - which templates are swept by sparse_simd.h, and for how long.
 *
 * A sparse sweep that takes too much is given up, and its part swept densely. What that costs is
 * paid from a credit: what sparse sweeps have saved so far, and a small share of all that was
 * swept densely. So however activity alternates, all in all little more is spent than by dense
 * sweeps, and a stream that was calm for long may be restless for a while and calm again.
 */
#ifndef KERNELS_SPARSE_WINDOW_SIMD_H
#define KERNELS_SPARSE_WINDOW_SIMD_H

#include "kernels/sparse_simd.h"

enum {
    SPARSE_UNIT = RUN_SEGMENT * RUN_STEPS, /* columns: a part is a multiple of it */
    SPARSE_LEAST = 4096,                   /* below, the lanes have too little to do */
    SPARSE_LENGTH = SPARSE_ROWS,           /* shorter templates have hardly a row to leave out */
    SPARSE_SAMPLES = 16,
    SPARSE_RECENT = 4,      /* they are of the last fourth of a window */
    SPARSE_WAITING = 16384, /* columns of a dense part */
    SPARSE_CREDIT = 1000    /* parts: the most that is remembered */
};

_Static_assert(SPARSE_UNIT % (LANES * KERNEL_BLOCK) == 0, "lanes are at ends of blocks together");

/* Shares: of what a part costs densely, at which it is given up; of the cells that may be active
 * where it is begun; of what is swept densely, that may be spent on trying; and what dense
 * sweeps of parts cost more than those of windows. */
static const double SPARSE_MOST = 0.75, SPARSE_MOST_CELLS = 0.2, SPARSE_INCOME = 0.02,
                    SPARSE_PLAIN = 0.3, SPARSE_PLAIN_OF_FRAMES = 8;

/* A sparse sweep of frames is rather finished than begun again by columns. */
static const double SPARSE_MOST_OF_FRAMES = 3;

static double plain_of(size_t dim)
{
    return dim > 1 ? SPARSE_PLAIN_OF_FRAMES : SPARSE_PLAIN;
}

static bool sparse_possible(const simd_template *own, size_t dim)
{
    const size_t least = dim > 1 ? SPARSE_LENGTH / 4 : SPARSE_LENGTH;
    return isfinite(own->eps) && own->length >= least;
}

/* So that it may be tried at the very beginning. */
static void sparse_begin(simd_template *own)
{
    own->sparse = own->calm = false;
    own->credit = SPARSE_MOST * SPARSE_LEAST;
}

/* n columns were saved. */
static void sparse_saved(simd_template *own, double n)
{
    const double most = (double)SPARSE_CREDIT * SPARSE_COLUMNS;
    own->credit += n;
    if (own->credit > most) own->credit = most;
}

/* How many of n columns the credit pays for; 0: too few. */
static size_t sparse_affords(const simd_template *own, size_t n)
{
    if ((double)n * SPARSE_MOST > own->credit)
        n = own->credit > 0 ? (size_t)(own->credit / SPARSE_MOST) : 0;
    if (n > SPARSE_COLUMNS) n = SPARSE_COLUMNS;
    return n < SPARSE_LEAST ? 0 : n / SPARSE_UNIT * SPARSE_UNIT;
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

/* After frames [from, to): is the next window swept in parts? If it is as long, and calm, or if
 * there is credit enough to wait for that in parts. */
static void sparse_consider(simd_template *own, size_t dim, uint64_t from, uint64_t to)
{
    const double wait = plain_of(dim) * (double)(to - from) + SPARSE_MOST * SPARSE_COLUMNS;
    own->sparse = own->calm ? sparse_affords(own, SPARSE_LEAST) > 0 : own->credit > wait;
}

/* After a dense window. */
static void sparse_after_dense(simd_template *own, size_t dim, uint64_t from, uint64_t to)
{
    const size_t spacing = own->kept.spacing;
    uint64_t recent = from;
    sparse_saved(own, SPARSE_INCOME * (double)(to - from));
    if (to - from > SPARSE_RECENT * spacing) recent = to - (to - from) / SPARSE_RECENT;
    own->calm = sparse_is_calm(own, recent, to);
    sparse_consider(own, dim, from, to);
}

/* n frames of the window from frame `from` on. False: this would take too long. */
static bool sparse_part_sweep(const simd_window *w, simd_template *own, simd_bench *bench,
                              size_t from, size_t n)
{
    sparse_part p = {
        .w = w, .own = own, .bench = bench, .begin = from, .blocks = n / (LANES * LANES)};
    const bool frames = w->self->dim > 1 && w->self->position + from > 0;
    const double most = frames ? SPARSE_MOST_OF_FRAMES : SPARSE_MOST;
    p.budget = (size_t)(most * (double)(own->length * n));
    const bool done = sparse_sweep(&p);
    sparse_saved(own, (done ? (double)n : 0) - 1.25 * (double)p.done / (double)own->length);
    return done;
}

/* Frames from `from` on of the window of a sparse template, in parts; what is left by columns or
 * anti-diagonals. */
static void sweep_sparse(const simd_window *w, simd_template *own, simd_bench *bench, size_t from)
{
    const size_t to = w->n;
    const uint64_t position = w->self->position;
    size_t at = from + (size_t)(-(position + from) % KERNEL_BLOCK);
    if (at > to) at = to;
    sweep_part(w, own, bench, from, at);
    while (to - at >= SPARSE_LEAST) {
        size_t n = own->calm ? sparse_affords(own, to - at) : 0;
        if (!n || !sparse_part_sweep(w, own, bench, at, n)) {
            if (!n) n = to - at < SPARSE_WAITING ? to - at : SPARSE_WAITING;
            sweep_part(w, own, bench, at, at + n);
            sparse_saved(own, -plain_of(w->self->dim) * (double)n);
            own->calm = sparse_is_calm(own, position + at, position + at + n);
        }
        at += n;
    }
    sweep_part(w, own, bench, at, to);
    sparse_consider(own, w->self->dim, position + from, position + to);
}

#endif
