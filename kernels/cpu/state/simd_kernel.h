/*
 * simd_kernel.h - the data of a vector kernel, for all parts of body.h.
 *
 *     simd_kernel --- templates[]   ordered by spacing; rows, D(.,position - 1), checkpoints
 *          |
 *          +--------- scratch[]     one for each thread; its contents last for one task
 *          +--------- workers       the pool
 *
 *     simd_chunk ---> the kernel, n frames, where to write minima and scores
 *
 * Needs: LANES, isa/vector.h, checkpoints.h.
 * Gives: the types above, and where the output of a template begins.
 */
#ifndef KERNELS_CPU_STATE_SIMD_KERNEL_H
#define KERNELS_CPU_STATE_SIMD_KERNEL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cpu/isa/vector.h"
#include "kernels/cpu/state/checkpoints.h"
#include "kernels/kernel.h"

typedef struct {
    size_t index;  /* in the plan */
    size_t length; /* m */
    size_t pad;    /* rows of 0 on top, so that pad + m is a multiple of LANES */
    float eps;     /* D above it need not be exact */
    float *x;      /* length x dim, its rows at tile_row_at() of dense/tile.h */
    float *planes; /* the same values as dim planes of pad + m rows; the padding is 0 */
    float *d;      /* D(.,position - 1): pad + m rows; the padding is 0 */
    checkpoints checkpoints;

    /* dense/segments.h */
    vf *states;        /* for each of max_groups(), m + LANES vectors: D of its lanes */
    bool *unverified;  /* threads x LANES segments: no column has agreed so far */
    unsigned back_off; /* chunks to sweep without segments */

    /* sparse/ */
    bool sparse;         /* the next chunk is swept sparsely */
    double credit;       /* columns that sparse sweeps may still cost (credit.h) */
    size_t first_rows;   /* of the first layer */
    uint32_t *active_to; /* for each checkpoint: the row from which on all rows are above eps;
                            NULL: this template is never swept sparsely */
} simd_template;

/* The working memory of one thread. */
typedef struct {
    vf *y, *row;                  /* of a tile: columns x dim, columns; one allocation */
    float *line;                  /* D(m,.) of MAX_LINE frames at most */
    float *column;                /* of the longest template, padded */
    float *before;                /* likewise: a column that is being replaced */
    vf *lowest;                   /* for each template: the minimum so far of each lane's block */
    struct sparse_row *sparse[2]; /* two rows of a panel; NULL: no template is sparse */
    struct layer_scratch *layer_scratch; /* NULL likewise */
} simd_scratch;

typedef struct {
    size_t dim, max_chunk, n_templates, threads;
    pool *workers;
    uint64_t position;
    simd_scratch *scratch; /* threads */
    simd_template templates[];
} simd_kernel;

/* The arguments of one call. */
typedef struct {
    simd_kernel *self;
    const float *frames; /* n x dim */
    size_t n;
    const kernel_output *out;
} simd_chunk;

/* A template's minima of the chunk's blocks; the first block holds the chunk's first frame. */
static inline float *chunk_minima(const simd_chunk *chunk, const simd_template *tmpl)
{
    return chunk->out->minima + tmpl->index * chunk->out->minima_stride;
}

/* A template's score of the chunk's frame t; only if the caller wants scores. */
static inline float *chunk_scores(const simd_chunk *chunk, const simd_template *tmpl, size_t t)
{
    return chunk->out->scores + tmpl->index * chunk->self->max_chunk + t;
}

#endif
