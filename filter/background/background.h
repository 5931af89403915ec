/*
 * background.h - how well does a template fit speech that it has nothing to do with?
 *
 *     background  |-- m --|-- m --|-- m --|-- m --|-- m --|-- m --|      pieces of m frames
 *     D(m,t)/m       v        v         v    v      v           v        lowest of each piece
 *
 * The median of these is the level of a template of m frames. One in twenty is lower than its low
 * score. The speech is a minute of four foreign voices, part of the library (README.md).
 * docs/SEMANTICS.md, "Levels of sounds".
 */
#ifndef FILTER_BACKGROUND_BACKGROUND_H
#define FILTER_BACKGROUND_BACKGROUND_H

#include "kernels/kernel.h"

typedef struct background background;

/* Its frames after the front end `spec`, for samples of so many channels at rate_hz. Each channel
 * gets the same speech, resampled to rate_hz. *b is NULL, and the status SIGREP_OK, if the front
 * end is none for sounds (stage_ops, auto_factor). SIGREP_BAD_FRONT_END, SIGREP_NO_MEMORY. The
 * caller destroys it; NULL is allowed there. */
sigrep_status background_create(background **b, const char *spec, size_t channels, double rate_hz,
                                sigrep_error *error);
void background_destroy(background *b);

/* The level of a template: length x dim values, finite, from the same front end. Of a template
 * longer than the background only the first frames count, as many as the background has. 0 if it is
 * beyond float32. It costs one sweep of the background by the CPU, on the calling thread. Different
 * threads may call at the same time. SIGREP_NO_MEMORY; SIGREP_BAD_TEMPLATE if the background's
 * frames have another dim. */
sigrep_status background_level(double *level, const background *b, const float *frames,
                               size_t length, size_t dim);

/* The same, by a kernel of this choice: the same bits. */
sigrep_status background_level_by(const kernel_ops *ops, double *level, const background *b,
                                  const float *frames, size_t length, size_t dim);

/* The low score of a template: of the n lowest scores of pieces, ascending, number floor(n / 20),
 * counted from 0. All else as background_level. */
sigrep_status background_low(double *low, const background *b, const float *frames, size_t length,
                             size_t dim);

/* background.wav: one channel, mu-law. */
enum { BACKGROUND_HZ = 16000, BACKGROUND_SAMPLES = 60 * BACKGROUND_HZ };

/* Decode samples [at, at + n), at + n <= BACKGROUND_SAMPLES: each goes to all channels of a sample
 * in `to`. */
void background_decode(float *to, size_t at, size_t n, size_t channels);

#endif
