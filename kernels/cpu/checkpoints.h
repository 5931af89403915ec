/*
 * columns.h - the columns that a CPU kernel keeps for kernel_ops.column: for each template a
 * ring of its D(.,t) at multiples of columns_spacing(history). The memory alone: which of them
 * are exact by now the kernel knows.
 */
#ifndef KERNELS_CPU_CHECKPOINTS_H
#define KERNELS_CPU_CHECKPOINTS_H

#include "kernels/kernel.h"

typedef struct {
    size_t stride;  /* m, to a whole cache line: floats from one column to the next */
    size_t spacing; /* frames between kept columns */
    size_t slots;
    float *d;      /* slots x stride, from a line's beginning on, so that vectors cross none */
    float *memory; /* what d lies in */
} columns;

/* Frames between kept columns: a power of two of blocks, an eighth of the history or more, so
 * that to go on from a kept column costs little more than the history itself. */
size_t columns_spacing(size_t history);

/* What suits kernel_ops.chunk of a CPU kernel that wants steps of so many template lengths, for so
 * many segments side by side: about a power of two of frames, of bounded memory where templates are
 * many or frames wide. Segments of 32 spacings or more are an odd number of them: a power of two
 * apart, what is swept side by side would share a few sets of each cache, and so would the columns
 * to keep. (Where frames fill whole pages they share them nevertheless.) */
size_t columns_chunk(const kernel_plan *plan, size_t lengths, size_t segments);

/* Room for every position that kernel_ops.column promises. The caller frees it. */
sigrep_status columns_create(columns *kept, const kernel_template *x, size_t max_step);
void columns_free(columns *kept);

/* Which slot keeps the column for `position`, a multiple of the spacing. */
static inline size_t columns_slot(const columns *kept, uint64_t position)
{
    return (size_t)(position / kept->spacing % kept->slots);
}

/* The column kept for `position`, likewise: to fill or to read. */
float *columns_at(const columns *kept, uint64_t position);

/* Where the column is kept that comes a spacing after the one kept at d. */
static inline float *columns_next(const columns *kept, float *d)
{
    d += kept->stride;
    return d < kept->d + kept->slots * kept->stride ? d : kept->d;
}

/* d[i] = columns_at(kept, position + i * step) for n of them; step is a multiple of the spacing,
 * and not beyond what is kept. */
void columns_series(const columns *kept, uint64_t position, size_t step, size_t n, float **d);

#endif
