/*
 * column_simd.h - frames of any dim, a column at a time: its costs in vectors over the rows,
 * then one pass down. For windows that are too short for segments.
 */
#ifndef KERNELS_CPU_DENSE_COLUMN_H
#define KERNELS_CPU_DENSE_COLUMN_H

#include "kernels/cpu/isa/vector.h"

/* Costs of one frame against all rows, summed over k in index order. x is transposed, dim x
 * rows; rows is a multiple of LANES. */
SIMD_INLINE void column_costs(const float *x, size_t rows, const float *y, size_t dim, float *cost)
{
    for (size_t i = 0; i < rows; i += LANES) {
        vf c = vf_abs(vf_load(x + i) - vf_all(y[0]));
        for (size_t k = 1; k < dim; k++) c = c + vf_abs(vf_load(x + k * rows + i) - vf_all(y[k]));
        vf_store(cost + i, c);
    }
}

/* One frame: D(.,t-1) becomes D(.,t). Returns D(m,t). */
static float column_step(float *d, const float *cost, size_t length)
{
    float diag = 0, up = 0;
    for (size_t i = 0; i < length; i++) {
        float left = d[i];
        float best = diag < left ? diag : left;
        best = up < best ? up : best;
        diag = left;
        d[i] = up = best + cost[i];
    }
    return up;
}

#endif
