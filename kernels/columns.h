/*
 * columns.h - the exact columns that a CPU kernel keeps for kernel_ops.column: for each
 * template a ring of its D(.,t) at multiples of kernel_spacing(history).
 */
#ifndef KERNELS_COLUMNS_H
#define KERNELS_COLUMNS_H

#include "kernels/kernel.h"

typedef struct {
    size_t length;  /* m */
    size_t spacing; /* frames between kept columns */
    size_t slots;
    float *d; /* slots x length */
} columns;

/* Room for every position that kernel_ops.column promises. The caller frees it. */
sigrep_status columns_create(columns *kept, const kernel_template *x, size_t max_step);
void columns_free(columns *kept);

/* The column kept for `position`, a multiple of the spacing: to fill or to read. */
float *columns_at(const columns *kept, uint64_t position);

#endif
