#include "filter/embedding/weights.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 328224, LINE = 64 };

/* The assembler includes the file; it finds it from the top of the source. Little-endian float16.
 */
__asm__(".section .rodata\n"
        ".hidden embedding_weights\n.globl embedding_weights\n"
        "embedding_weights:\n"
        ".incbin \"filter/embedding/speech_embedding.f16\"\n"
        ".previous\n");
extern const unsigned char embedding_weights[2 * VALUES];

static const size_t outputs_of[WEIGHTS_LAYERS] = {24, 24, 24, 48, 48, 48, 48, 72, 72, 72,
                                                  72, 96, 96, 96, 96, 96, 96, 96, 96, 96};

struct weights {
    float values[VALUES];
    weights_layer layers[WEIGHTS_LAYERS];
};

/* Both formats have the same order of sign, exponent and fraction. So float16's bits, moved up, are
 * its value times 2^-112, subnormal numbers included. */
static float decode(const unsigned char bytes[2])
{
    const uint32_t half = bytes[0] | (uint32_t)bytes[1] << 8;
    const uint32_t bits = (half & 0x8000u) << 16 | (half & 0x7fffu) << 13;
    float small;
    memcpy(&small, &bits, sizeof small);
    return small * 0x1p112f;
}

weights *weights_create(void)
{
    /* Vectors of weights are read fastest from whole cache lines. */
    weights *self = aligned_alloc(LINE, (sizeof *self + LINE - 1) / LINE * LINE);
    if (!self) return NULL;
    for (size_t i = 0; i < VALUES; i++) self->values[i] = decode(embedding_weights + 2 * i);
    const float *next = self->values;
    for (size_t i = 0; i < WEIGHTS_LAYERS; i++) {
        /* The first layer's inputs are three neighbouring bands. */
        const size_t inputs = i ? outputs_of[i - 1] : 3, outputs = outputs_of[i];
        const float *bias = next + WEIGHTS_TAPS * inputs * outputs;
        self->layers[i] = (weights_layer){inputs, outputs, next, bias};
        next = bias + outputs;
    }
    return self;
}

void weights_destroy(weights *self)
{
    free(self);
}

weights_layer weights_of(const weights *self, size_t i)
{
    return self->layers[i];
}

const unsigned char *weights_bytes(size_t *n)
{
    *n = sizeof embedding_weights;
    return embedding_weights;
}
