/* samples.h - background.wav, which is part of the library: one channel, 16000 Hz, mu-law. */
#ifndef FILTER_BACKGROUND_SAMPLES_H
#define FILTER_BACKGROUND_SAMPLES_H

#include <stddef.h>

enum { SAMPLES_HZ = 16000, SAMPLES = 60 * SAMPLES_HZ };

/* Decode samples [at, at + n), at + n <= SAMPLES: each goes to all channels of a sample in `to`. */
void samples_decode(float *to, size_t at, size_t n, size_t channels);

#endif
