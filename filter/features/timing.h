/*
 * timing.h - the arithmetic of feature_timing: whole numbers only, 128 bits in between, so
 * that frames go back to samples exactly however long a stream is.
 */
#ifndef FILTER_FEATURES_TIMING_H
#define FILTER_FEATURES_TIMING_H

#include "filter/features/feature.h"

/* A number above 0 as a fraction in lowest terms. */
typedef struct {
    uint64_t num, den;
} rational;

/* Denominators end here. */
#define RATIONAL_MAX_DEN ((uint64_t)1000000)

/* A fraction that reads as this very double, the first of its continued fraction's
 * convergents that does: 44100 and 0.1 (1/10), 91.875 (735/8), 16000/3.0. Returns 0 where
 * there is none with a denominator up to RATIONAL_MAX_DEN, or the value is not above 0. */
int rational_of(rational *r, double value);

/* a / b, of what rational_of gives. Returns 0 where num or den would exceed INT64_MAX. */
int rational_divide(rational *ratio, rational a, rational b);

/* The number of whole samples before frame `frame` begins: (frame * hop + lead) / per,
 * rounded up. A frame owns the samples from its edge up to the next frame's. Beyond
 * int64_t the nearest there is. */
int64_t timing_edge(const feature_timing *timing, uint64_t frame);

/* Does the centre of the frame's own samples lie in [begin, end)? */
int timing_centre_in(const feature_timing *timing, uint64_t frame, uint64_t begin, uint64_t end);

/* So many samples must have been read for the first `frames` frames to come out. */
uint64_t timing_needed(const feature_timing *timing, uint64_t frames);

/* So many frames end in n samples, were there no lead: n * per / hop, rounded down. */
uint64_t timing_frames_before(const feature_timing *timing, uint64_t n);

/* So many frames cover n samples: n * per / hop, rounded up. */
uint64_t timing_frames(const feature_timing *timing, uint64_t n);

/* The timing of a chain's frames in samples of its input, once a stage with timing `next`
 * follows. Returns 0 on overflow. */
int timing_compose(feature_timing *timing, const feature_timing *next);

#endif
