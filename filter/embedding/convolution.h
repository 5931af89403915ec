/*
 * convolution.h - one layer of the network over some rows.
 *
 *     row j   | position 0 | position 1 | ...         outputs of a position, `outputs` values:
 *     inputs  tap 0, tap 1, tap 2: `inputs` values each
 *
 *     y_o = b_o + sum over taps k, then inputs c, of x_(k,c) w_(k,c,o)
 *
 * The sum is in float32, in this order, from b_o on: no product is fused with its sum. A vector
 * holds neighbouring outputs, so each output has this one order however wide the vectors are, and
 * all instruction sets give the same bits.
 */
#ifndef FILTER_EMBEDDING_CONVOLUTION_H
#define FILTER_EMBEDDING_CONVOLUTION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    CONVOLUTION_FIRST, /* max(y, 0) of the sum without bias, then plus b, then as LEAKY */
    CONVOLUTION_LEAKY, /* max(y, 0.2 y, -0.4) */
    CONVOLUTION_LINEAR,
} convolution_kind;

enum { CONVOLUTION_TAPS = 3, CONVOLUTION_OUTPUTS = 24 };

/* Distances are in floats. Input k, c of position f in row j is
 * in[j in_row + f in_step + k tap + c]; its outputs begin at out[j out_row + f outputs]. */
typedef struct {
    convolution_kind kind;
    size_t rows, positions;
    const float *in;
    size_t in_row, in_step, tap, inputs;
    const float *weights; /* taps x inputs x outputs */
    const float *bias;    /* outputs */
    float *out;
    size_t out_row, outputs; /* outputs: a multiple of CONVOLUTION_OUTPUTS */
} convolution;

/* What computes it, by one instruction set. */
typedef struct {
    const char *name;
    bool (*usable)(void); /* on this machine */
    void (*run)(const convolution *layer);
} convolver;

/* Number i, the fastest first; NULL after the last. */
const convolver *convolver_at(size_t i);

/* The fastest that this machine can run. */
const convolver *convolver_best(void);

#endif
