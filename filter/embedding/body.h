/*
 * body.h - a convolution in vectors of LANES outputs, compiled once for each instruction set.
 *
 *               outputs  0       LANES    2 LANES
 *     position 0      | sum    | sum    | sum    |
 *     position 1      | sum    | sum    | sum    |
 *        ...
 *
 * A block of POSITIONS x VECTORS sums stays in registers. Each step adds x_(k,c) of every position,
 * times the weights of input k, c.
 *
 * If the outputs are no whole vectors, the last vector overlaps the one before it: the same sums
 * are computed and stored twice.
 *
 * Needs: LANES, set by the .c file. Gives: convolve.
 */
#ifndef FILTER_EMBEDDING_BODY_H
#define FILTER_EMBEDDING_BODY_H

#include "filter/embedding/convolution.h"
#include "kernels/cpu/isa/vector.h"

/* Half of 16 registers, or three quarters of 32, hold sums. */
enum { POSITIONS = LANES == 16 ? 8 : 4, VECTORS = 3 };

typedef struct {
    const float *in[POSITIONS];
    float *out[POSITIONS];
} places;

/* max(v, 0.2 v, limit) */
SIMD_INLINE vf leak(vf v)
{
    const vf limit = vf_all(-0.4f);
    v = vf_select(v >= vf_all(0), v, v * 0.2f);
    return vf_select(v >= limit, v, limit);
}

SIMD_INLINE vf activate(convolution_kind kind, vf v, vf bias)
{
    if (kind == CONVOLUTION_FIRST) v = vf_select(v > vf_all(0), v, vf_all(0)) + bias;
    return kind == CONVOLUTION_LINEAR ? v : leak(v);
}

/* The outputs from `first` on, `vectors` vectors of them, of `positions` places: constants both. */
SIMD_INLINE void block(const convolution *layer, const places *at, size_t positions, size_t first,
                       size_t vectors)
{
    size_t offset[VECTORS];
    vf bias[VECTORS], sums[POSITIONS][VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        const size_t wanted = first + v * LANES, last = layer->outputs - LANES;
        offset[v] = wanted < last ? wanted : last;
        bias[v] = vf_load(layer->bias + offset[v]);
    }
    UNROLL
    for (size_t i = 0; i < positions; i++) UNROLL
    for (size_t v = 0; v < vectors; v++)
        sums[i][v] = layer->kind == CONVOLUTION_FIRST ? vf_all(0) : bias[v];
    const float *weights = layer->weights;
    for (size_t k = 0; k < CONVOLUTION_TAPS; k++)
        for (size_t c = k * layer->tap; c < k * layer->tap + layer->inputs; c++) {
            vf w[VECTORS];
            UNROLL
            for (size_t v = 0; v < vectors; v++) w[v] = vf_load(weights + offset[v]);
            UNROLL
            for (size_t i = 0; i < positions; i++) {
                const vf x = vf_all(at->in[i][c]);
                UNROLL
                for (size_t v = 0; v < vectors; v++) sums[i][v] += x * w[v];
            }
            weights += layer->outputs;
        }
    UNROLL
    for (size_t i = 0; i < positions; i++) UNROLL
    for (size_t v = 0; v < vectors; v++)
        vf_store(at->out[i] + offset[v], activate(layer->kind, sums[i][v], bias[v]));
}

SIMD_INLINE void all_outputs(const convolution *layer, const places *at, size_t positions)
{
    size_t first = 0;
    for (; first + (VECTORS - 1) * LANES < layer->outputs; first += VECTORS * LANES)
        block(layer, at, positions, first, VECTORS);
    if (first < layer->outputs) block(layer, at, positions, first, VECTORS - 1);
}

static void convolve(const convolution *layer)
{
    const size_t n = layer->rows * layer->positions;
    places at;
    for (size_t p = 0; p < n;) {
        const size_t now = n - p < POSITIONS ? 1 : POSITIONS;
        for (size_t i = 0; i < now; i++) {
            const size_t j = (p + i) / layer->positions, f = (p + i) % layer->positions;
            at.in[i] = layer->in + j * layer->in_row + f * layer->in_step;
            at.out[i] = layer->out + j * layer->out_row + f * layer->outputs;
        }
        if (now == POSITIONS)
            all_outputs(layer, &at, POSITIONS);
        else
            all_outputs(layer, &at, 1);
        p += now;
    }
}

#endif
