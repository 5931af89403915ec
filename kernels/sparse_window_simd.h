/*
 * sparse_window_simd.h - which templates are swept by sparse_simd.h, and for how long: decided at
 * the very beginning by trying, after a dense window by its last kept columns, and in a sparse
 * one by what each part took. A part that takes too much is given up and swept densely.
 */
#ifndef KERNELS_SPARSE_WINDOW_SIMD_H
#define KERNELS_SPARSE_WINDOW_SIMD_H

#include "kernels/sparse_simd.h"

enum {
    SPARSE_UNIT = LANES * LANES > KERNEL_BLOCK ? LANES *LANES : KERNEL_BLOCK,
    SPARSE_LEAST = 16 * SPARSE_UNIT, /* columns: below, the lanes have too little to do */
    SPARSE_PROBE = 4096,             /* columns at the very beginning */
    SPARSE_LENGTH = SPARSE_ROWS,     /* shorter templates have hardly a row to leave out */
    SPARSE_REST = 15,                /* most dense windows after one that was not worth it */
    SPARSE_SAMPLES = 16,
    SPARSE_RECENT = 4 /* they are of the last fourth of a window */
};

/* A block costs about twice what its cells cost in the dense sweep: with more of the blocks
 * than this it is left, with fewer of the cells it is begun. */
static const double SPARSE_MOST_BLOCKS = 0.4, SPARSE_MOST_CELLS = 0.2;

static bool sparse_possible(const simd_template *own, size_t dim)
{
    const size_t least = dim > 1 ? SPARSE_LENGTH / 4 : SPARSE_LENGTH;
    return isfinite(own->eps) && own->length >= least;
}

/* After a dense window: is what was kept last of it mostly above eps? */
static void sparse_consider(simd_template *own, uint64_t from, uint64_t to)
{
    if (own->dense_windows) {
        own->dense_windows--;
        return;
    }
    const size_t spacing = own->kept.spacing;
    if (to - from > SPARSE_RECENT * spacing) from = to - (to - from) / SPARSE_RECENT;
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

/* Frames [from, to) of the window, in parts, as long as this pays. Returns where the last such part
 * ended; own->sparse says whether it paid to the end. */
static size_t sparse_parts(const simd_window *w, simd_template *own, simd_bench *bench, size_t from,
                           size_t to)
{
    size_t most = SPARSE_PROBE; /* a first part that is given up has not cost much */
    while (own->sparse && to - from >= SPARSE_LEAST) {
        size_t n = (to - from) / SPARSE_UNIT * SPARSE_UNIT;
        if (n > most) n = most;
        most = SPARSE_COLUMNS;
        sparse_part p = {
            .w = w, .own = own, .bench = bench, .begin = from, .blocks = n / (LANES * LANES)};
        p.budget = (size_t)(SPARSE_MOST_BLOCKS * (double)(own->length * LANES * p.blocks));
        own->sparse = sparse_sweep(&p);
        if (own->sparse) from += n;
    }
    return from;
}

/* The rest of a window of a sparse template, from frame `from` on. */
static void sweep_sparse(const simd_window *w, simd_template *own, simd_bench *bench, size_t from)
{
    size_t at = from + (size_t)(-(w->self->position + from) % KERNEL_BLOCK);
    if (at > w->n) at = w->n;
    sweep_part(w, own, bench, from, at);
    at = sparse_parts(w, own, bench, at, w->n);
    own->dense_windows = own->sparse ? 0 : own->patience;
    own->patience = own->sparse ? 0 : 2 * own->patience + 1;
    if (own->patience > SPARSE_REST) own->patience = SPARSE_REST;
    sweep_part(w, own, bench, at, w->n);
}

#endif
