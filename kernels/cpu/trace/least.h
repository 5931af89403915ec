/*
 * least.h - a lower bound of D(m,.) for any path through some frames. It is the bound of Yi,
 * Jagadish and Faloutsos, ICDE 1998.
 *
 *                *
 *                :                    *: the template's values. Each meets some value of the
 *     high  ---------------------     frames, so it costs at least its distance (:) to the range
 *            *        *       *       of the frames, whatever the path. The bound is the sum of
 *     low   ---------------------     these distances.
 *                         :
 *                         *
 *
 * The bound costs little more than reading the frames.
 *
 * Needs: isa/trace_vector.h, trace_kernel.h. Gives: trace_least.
 */
#ifndef KERNELS_CPU_TRACE_LEAST_H
#define KERNELS_CPU_TRACE_LEAST_H

#include <math.h>

#include "kernels/cpu/isa/trace_vector.h"
#include "kernels/trace_kernel.h"

/* In each lane the highest value and the lowest one, negated: so both are maxima. */
typedef struct {
    vf high, low_negated;
} value_range;

SIMD_INLINE void range_add(value_range *r, vf v)
{
    r->high = vf_greater(r->high, v);
    r->low_negated = vf_greater(r->low_negated, -v);
}

static float greatest_of(vf v)
{
    float a[LANES];
    vf_store(a, v);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) a[i] = a[i] > a[i + half] ? a[i] : a[i + half];
    return a[0];
}

static float sum_of(vf v)
{
    float a[LANES];
    vf_store(a, v);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) a[i] += a[i + half];
    return a[0];
}

/* The range of all samples, in every lane. */
static value_range range_of_samples(const float *y, size_t n)
{
    value_range r = {vf_all(y[0]), vf_all(-y[0])};
    size_t t = 0;
    for (; t + LANES <= n; t += LANES) range_add(&r, vf_load(y + t));
    for (; t < n; t++) range_add(&r, vf_all(y[t]));
    return (value_range){vf_all(greatest_of(r.high)), vf_all(greatest_of(r.low_negated))};
}

/* The ranges of values k to k + LANES - 1 over all frames, a lane each. Lanes beyond dim hold
 * values of later frames, which nobody reads. */
static value_range range_of_frames(const float *frames, size_t n, size_t dim, size_t k)
{
    value_range r = {vf_all(-INFINITY), vf_all(-INFINITY)};
    for (size_t at = k; at < n * dim; at += dim) {
        float v[LANES] = {0};
        if (at + LANES <= n * dim)
            range_add(&r, vf_load(frames + at));
        else
            memcpy(v, frames + at, (n * dim - at) * sizeof *v), range_add(&r, vf_load(v));
    }
    return r;
}

/* The distances of all rows' k-th values to a range, summed in each lane. */
static vf distances_of_rows(const trace_cells *c, size_t k, vf high, vf low)
{
    vf sum = vf_all(0);
    const float *x = c->x + k * c->rows;
    size_t top = c->pad / LANES * LANES;
    for (size_t i = top; i < c->rows; i += LANES) {
        vf v = vf_load(x + i);
        vf outside = vf_greater(vf_greater(v - high, low - v), vf_all(0));
        vi is_row = vi_all((int32_t)(i - top)) + vi_iota() >= (int32_t)(c->pad - top);
        sum = sum + (i < c->pad ? vf_select(is_row, outside, vf_all(0)) : outside);
    }
    return sum;
}

static float trace_least(const trace_cells *c, const float *frames, size_t n)
{
    vf sum = vf_all(0);
    value_range r = {0};
    for (size_t k = 0; k < c->dim; k++) {
        if (c->dim == 1)
            r = range_of_samples(frames, n);
        else if (k % LANES == 0)
            r = range_of_frames(frames, n, c->dim, k);
        sum = sum +
              distances_of_rows(c, k, vf_all(r.high[k % LANES]), -vf_all(r.low_negated[k % LANES]));
    }
    return trace_sum_allowed_for(sum_of(sum), c->length * c->dim);
}

#endif
