/*
 * column.h - one column at a time, for frames of several values and for a few samples.
 *
 *     t-1  t
 *      .   |     first all costs of the column, LANES rows in parallel;
 *      .   |     then one pass down the rows
 *      .   v
 *
 * Needs: isa/vector.h. Gives: column_costs, column_sweep.
 */
#ifndef KERNELS_CPU_DENSE_COLUMN_H
#define KERNELS_CPU_DENSE_COLUMN_H

#include "kernels/cpu/isa/vector.h"

/* Costs of one frame against all rows, summed over k in index order. x: dim x rows; rows: a
 * multiple of LANES. */
SIMD_INLINE void column_costs(const float *x, size_t rows, const float *y, size_t dim, float *cost)
{
    for (size_t i = 0; i < rows; i += LANES) {
        vf sum = cell_cost(vf_load(x + i), vf_all(y[0]));
        for (size_t k = 1; k < dim; k++)
            sum = add_cell_cost(sum, vf_load(x + k * rows + i), vf_all(y[k]));
        vf_store(cost + i, sum);
    }
}

/* D(.,t-1) becomes D(.,t). Returns D(m,t). */
static float column_sweep(float *d, const float *cost, size_t length)
{
    float diag = 0, up = 0;
    for (size_t i = 0; i < length; i++) {
        const float left = d[i];
        float best = diag < left ? diag : left;
        best = up < best ? up : best;
        diag = left;
        d[i] = up = best + cost[i];
    }
    return up;
}

#endif
