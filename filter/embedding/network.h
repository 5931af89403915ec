/*
 * network.h - Google's speech embedding (Lin, Kilgour, Roblek, Sharifi: Training keyword spotters
 * with limited and synthesized speech data, ICASSP 2020): log mel rows in, 96 values out.
 *
 *     rows     0 1 2 3 ...                    ... 75          one row every 10 ms, 32 bands
 *              |<------------- field, 76 rows -------------->|  --> 96 values
 *                  |<------------- field -------------...       --> 96 values, `hop` rows later
 *
 * Layers, each max(leaky ReLU 0.2, -0.4) but the last, which is linear:
 *
 *     3x3, 24   F T 24     pool 2x2    F T F T 48   pool 1x2    F T F T 72   pool 2x2
 *     F T F T 96   pool 1x2    F T F T 96   pool 2x2    T 96
 *
 * F convolves three bands, with zeros beyond either end, T three rows, and a pool takes maxima
 * (time x bands). Numbers are of outputs. The first layer begins with max(x, 0) of its sums, plus a
 * shift. The published network advances by 8 rows, as its pools in time do. Here rows are kept at
 * the finer of a pool's stride and the hop, and later layers look further apart instead (dilation).
 * So each output is what the published network makes of the same field.
 *
 * All is float32; convolution.h says in which order sums are taken.
 */
#ifndef FILTER_EMBEDDING_NETWORK_H
#define FILTER_EMBEDDING_NETWORK_H

#include "filter/embedding/convolution.h"
#include "filter/embedding/weights.h"
#include "filter/state/state.h"

enum {
    NETWORK_BANDS = 32,
    NETWORK_VALUES = 96,
    NETWORK_FIELD = 76, /* rows */
    NETWORK_MOST = 32,  /* rows in one push */
};

typedef struct network network;

/* A network that advances by `hop` rows, 2 or 4. The weights are borrowed. `how` is NULL for the
 * fastest. The caller destroys it. NULL without memory. */
network *network_create(const weights *w, size_t hop, const convolver *how);
void network_destroy(network *self);

/* Space for the next rows: NETWORK_BANDS values each, and next is the row after. At most
 * NETWORK_MOST. */
float *network_row(network *self, size_t next);

/* The first n of these rows are filled. Writes NETWORK_VALUES floats for each field that ends in
 * them, and returns their number, at most n / hop + 1. Field i is that of rows [i hop, i hop +
 * FIELD). */
size_t network_push(network *self, size_t n, float *out);

/* Begin anew: the next row is the first. */
void network_restart(network *self);

/* Pass over what it keeps of its rows. */
void network_pass_state(network *self, state_bytes *st);

#endif
