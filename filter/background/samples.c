#include "filter/background/samples.h"

/* The assembler includes the file; it finds it from the top of the source. 58 bytes of header. */
__asm__(".section .rodata\n"
        ".hidden background_samples\n.globl background_samples\n"
        "background_samples:\n"
        ".incbin \"filter/background/background.wav\", 58\n"
        ".previous\n");
extern const unsigned char background_samples[SAMPLES];

/* mu-law, ITU-T G.711: sign, segment and step, all bits inverted. In [-1, 1). */
static float decode(unsigned char inverted)
{
    const unsigned code = inverted ^ 0xffu, segment = code >> 4 & 7, step = code & 15;
    const int bias = 33, magnitude = (int)((2 * step + 33) << segment) - bias;
    return (float)(code & 0x80 ? -magnitude : magnitude) / 8192;
}

void samples_decode(float *to, size_t at, size_t n, size_t channels)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < channels; k++)
            to[i * channels + k] = decode(background_samples[at + i]);
}
