/*
 * adsm_simd.h - what the vector kernels know of a template, a thread and a window, and a
 * part of a window swept plainly. The file that includes kernel_simd.h sets LANES; its
 * compiler flags choose the instructions.
 *
 * A window that is long beside a template is swept by segments, one in each lane
 * (segments_simd.h); a short one, and what is left over at the ends, by anti-diagonals
 * (diagonal_simd.h) or, frames of several values, by columns (column_simd.h). All of them
 * leave D(.,t) of the last column behind, so any may follow any.
 */
#ifndef KERNELS_CPU_DENSE_DENSE_H
#define KERNELS_CPU_DENSE_DENSE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/checkpoints.h"
#include "kernels/cpu/isa/vector.h"
#include "kernels/kernel.h"

#include "kernels/cpu/dense/column.h"
#include "kernels/cpu/dense/diagonal.h"
#include "kernels/cpu/dense/segments.h"

typedef struct {
    size_t index;   /* in the plan */
    size_t length;  /* m */
    size_t pad;     /* rows of 0 on top, so that pad + m is a multiple of LANES */
    float eps;      /* D above it need not be exact */
    float *x;       /* length x dim, its rows at tile_row_at */
    float *by_rows; /* dim x (pad + m), the pad 0 */
    float *d;       /* D(.,position - 1), pad + m rows, the first pad of them 0 */
    columns kept;
    vf *states;          /* most_groups x (m + LANES): of each group of segments */
    bool *unsettled;     /* threads x LANES: see seams_simd.h */
    unsigned back_off;   /* steps for which segments are not tried */
    bool sparse;         /* is the next window swept so? see sparse_window_simd.h */
    double credit;       /* columns that it has saved */
    double part_cost;    /* what its last part took, a share of a dense sweep; 1: none */
    size_t full_rows;    /* of the first strip, see sparse_full_simd.h */
    uint32_t *kept_rows; /* of each kept column: rows that may be <= eps, those below are not. NULL:
                            never sparse */
} simd_template;

/* What one thread works with. */
typedef struct {
    vf *y, *row;              /* a piece of segments: columns x dim, columns; one allocation */
    float *line;              /* D(m,.) of a part */
    float *column, *replaced; /* of the longest template, padded */
    vf *least;                /* of each template, over a block of each segment */
    struct sparse_row
        *sparse[2];          /* rows of a part, see sparse_row_simd.h; NULL: none is swept so */
    struct full_bench *full; /* see sparse_full_simd.h; NULL likewise */
} simd_bench;

typedef struct {
    size_t dim, max_step, n_templates, threads;
    pool *workers;
    uint64_t position;
    simd_bench *benches;
    simd_template templates[]; /* ordered by spacing */
} simd_kernel;

/* One call of step. */
typedef struct {
    simd_kernel *self;
    const float *frames;
    size_t n;
    const kernel_output *out;
} simd_window;

/* Zeroes, aligned as vectors are, to a whole number of them. */
static void *aligned_calloc(size_t count, size_t size)
{
    if (count > (SIZE_MAX - LANES * sizeof(float)) / size) return NULL;
    const size_t bytes = (count * size + sizeof(vf) - 1) / sizeof(vf) * sizeof(vf);
    void *p = aligned_alloc(sizeof(vf), bytes ? bytes : sizeof(vf));
    if (p) memset(p, 0, bytes);
    return p;
}

/* ---- a part of the window, plainly ---- */

static float least_of(const float *v, size_t n)
{
    vf many = vf_all(INFINITY);
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) many = vf_min(many, vf_load(v + i));
    float least = INFINITY;
    for (size_t lane = 0; lane < LANES; lane++) least = many[lane] < least ? many[lane] : least;
    for (; i < n; i++) least = v[i] < least ? v[i] : least;
    return least;
}

/* Minimum of D(m,.) over each block of the part [from, to), and the scores. */
static void tell_line(const simd_window *w, const simd_template *own, const float *line,
                      size_t from, size_t to)
{
    const uint64_t position = w->self->position;
    const uint64_t first = position / KERNEL_BLOCK;
    float *minima = w->out->minima + own->index * w->out->minima_stride;
    for (size_t t = from; t < to;) {
        const uint64_t block = (position + t) / KERNEL_BLOCK;
        size_t end = (size_t)((block + 1) * KERNEL_BLOCK - position);
        if (end > to) end = to;
        minima[block - first] = least_of(line + t - from, end - t);
        t = end;
    }
    if (w->out->scores)
        memcpy(w->out->scores + own->index * w->self->max_step + from, line,
               (to - from) * sizeof *line);
}

static void sweep_by_columns(const simd_window *w, simd_template *own, simd_bench *bench,
                             size_t from, size_t to)
{
    const size_t dim = w->self->dim, rows = own->pad + own->length;
    for (size_t t = from; t < to; t++) {
        column_costs(own->by_rows, rows, w->frames + t * dim, dim, bench->column);
        bench->line[t - from] =
            column_step(own->d + own->pad, bench->column + own->pad, own->length);
        const uint64_t position = w->self->position + t + 1;
        if (position % own->kept.spacing == 0)
            memcpy(columns_at(&own->kept, position), own->d + own->pad,
                   own->length * sizeof *own->d);
    }
}

enum {
    LEAST_DIAGONAL = 8,  /* anti-diagonals take their time to fill */
    MOST_PART = 1 << 15, /* columns: what a thread works with stays in its cache */
};
_Static_assert(MOST_PART % KERNEL_BLOCK == 0, "a block has one minimum");

/* Frames [from, to) of the window, at most MOST_PART of them. */
static void sweep_short_part(const simd_window *w, simd_template *own, simd_bench *bench,
                             size_t from, size_t to)
{
    float *line = bench->line;
    if (w->self->dim > 1 || to - from < LEAST_DIAGONAL) {
        sweep_by_columns(w, own, bench, from, to);
    } else {
        const diagonal_window part = {.y = w->frames + from,
                                      .row = line,
                                      .n = to - from,
                                      .position = w->self->position + from,
                                      .kept = &own->kept};
        diagonal_sweep(&part, own->x, own->d + own->pad, own->length);
    }
    tell_line(w, own, line, from, to);
}

/* Sweep frames [from, to) of the window on from own->d. */
static void sweep_part(const simd_window *w, simd_template *own, simd_bench *bench, size_t from,
                       size_t to)
{
    while (from < to) {
        const size_t most = MOST_PART - (size_t)((w->self->position + from) % MOST_PART);
        const size_t end = to - from < most ? to : from + most;
        sweep_short_part(w, own, bench, from, end);
        from = end;
    }
}

#endif
