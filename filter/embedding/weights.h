/* weights.h - the parameters of the network, from the file in the library. */
#ifndef FILTER_EMBEDDING_WEIGHTS_H
#define FILTER_EMBEDDING_WEIGHTS_H

#include <stddef.h>

enum { WEIGHTS_LAYERS = 20, WEIGHTS_TAPS = 3 };

/* One layer: weights[tap][input][output] and bias[output], float32 in memory of the weights. */
typedef struct {
    size_t inputs, outputs;
    const float *weights, *bias;
} weights_layer;

typedef struct weights weights;

/* The caller destroys them. NULL without memory: 1.3 MB. */
weights *weights_create(void);
void weights_destroy(weights *self);

/* i < WEIGHTS_LAYERS */
weights_layer weights_of(const weights *self, size_t i);

/* The file's bytes: dev/eval/make-embedding defines them. */
const unsigned char *weights_bytes(size_t *n);

#endif
