/*
 * embedder.h - the speech embedding of samples (filter/embedding), for front ends built on it:
 * voices and words.
 *
 *     samples --> spectrum.h: Hann, 25 ms every 10 ms --> mel.h: 32 bands --> ln --> network --> e
 *
 *     rows      t-52 . . . . . . . . . . t . . . . t+23      e of t; the next is 2 or 4 rows later
 *               |<---------- field, 775 ms ---------->|
 *
 *     M_b(t) = sum over k of W_(b,k) sqrt(P_k) 512 / N        60 to 3800 Hz; W: mel_create_linear
 *     row    = ln(M_b(t) + 0.001), in float32
 *
 * At 16000 Hz N is 512, and e is that of the published network. At another rate windows last as
 * long, and 512 / N makes M what it is at 16000 Hz. So no sample is resampled; below 7600 Hz the
 * upper bands are silent. The first row of the span stands for those before it, its last one for
 * those after it.
 *
 * A row owns the 10 ms at the centre of its window, the first row the first 10 ms of the span. So
 * its window begins 7.5 ms before the span, in silence. Without that the sound's first 7.5 ms are
 * all but lost at the window's edge, and words are found worse (docs/lab/speech.md).
 *
 * With 52 rows before t words are found best by far, since a template has no sound but the word's
 * own:
 *
 *     rows before t                                       36    44    52    60    68
 *     mAP, voices, templates of one take by two others    .82   .94   .96   .92   .81
 *
 * (jackson, george and lucas of the Free Spoken Digit Dataset, white noise at 20 dB, 2026-11-28.)
 */
#ifndef FILTER_FEATURES_EMBEDDER_H
#define FILTER_FEATURES_EMBEDDER_H

#include "filter/features/front_end.h"

enum { EMBEDDER_VALUES = 96 }; /* of e, a channel */

typedef struct embedder embedder;

/* e every `rows` rows of 10 ms, 2 or 4. Sets *timing. As stage_ops.create; so are the others. */
sigrep_status embedder_create(embedder **made, const char *stage, size_t rows, frame_shape in,
                              frame_timing *timing, sigrep_error *error);
void embedder_destroy(embedder *self);
size_t embedder_channels(const embedder *self);
size_t embedder_push(embedder *self, const float *in, size_t n, float *out);
size_t embedder_flush(embedder *self, float *out);
size_t embedder_max_frames(const embedder *self, size_t n);
void embedder_pass_state(embedder *self, state_bytes *st);

/* u = (e - mean) / its Euclidean length, of one channel; zeros if that is 0. The mean is that of
 * foreign speech. EMBEDDER_VALUES each; they may be the same memory. */
void embedder_unit(const float *e, float *out);

#endif
