/*
 * timing.h - the arithmetic of frame_timing (front_end.h): from frames to samples and back.
 *
 *     samples   0         1         2         3         4         5
 *     frames    |  frame 0  |  frame 1  |  frame 2  |  frame 3  |        hop 6, per 5
 *     edges     0           2           3           4           5
 *
 * Whole numbers only, 128 bits in between. So the mapping is exact however long the stream is.
 */
#ifndef FILTER_FEATURES_TIMING_H
#define FILTER_FEATURES_TIMING_H

#include "filter/features/front_end.h"

/* A number above 0 as a fraction in lowest terms. */
typedef struct {
    uint64_t num, den;
} rational;

/* The largest denominator that rational_from_double tries. */
#define RATIONAL_MAX_DEN ((uint64_t)1000000)

/* Find the fraction that a double stands for: the first convergent of its continued fraction
 * that reads as this very double. Such as 44100, 0.1 (1/10), 91.875 (735/8), 16000/3.0.
 * Returns 0 if there is none with a denominator up to RATIONAL_MAX_DEN, or value <= 0. */
int rational_from_double(rational *r, double value);

/* a / b, both from rational_from_double. Returns 0 if num or den would exceed INT64_MAX. */
int rational_divide(rational *ratio, rational a, rational b);

/* The first sample that frame `frame` owns: (frame * hop + lead) / per, rounded up. A frame
 * owns the samples from its edge up to the next frame's. Clamped to int64_t. */
int64_t timing_edge(const frame_timing *timing, uint64_t frame);

/* Does the centre of the samples that a frame owns lie in [begin, end)? */
int timing_centre_in(const frame_timing *timing, uint64_t frame, uint64_t begin, uint64_t end);

/* How many samples of a span must be read until its first `frames` frames are out. */
uint64_t timing_samples_needed(const frame_timing *timing, uint64_t frames);

/* How many whole frames n samples hold, without lead: n * per / hop, rounded down. */
uint64_t timing_frames_within(const frame_timing *timing, uint64_t n);

/* How many frames cover n samples, without lead: n * per / hop, rounded up. */
uint64_t timing_frames_covering(const frame_timing *timing, uint64_t n);

/* The first frame that owns no sample before `at`. */
uint64_t timing_frame_at(const frame_timing *timing, uint64_t at);

/* Append a stage with timing `next` to a chain. *timing, of the chain's frames in samples of its
 * input, becomes that of the longer chain. Returns 0 on overflow. */
int timing_compose(frame_timing *timing, const frame_timing *next);

#endif
