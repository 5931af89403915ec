/*
 * stretches.h - where frames lie in the input. A stretch is what lies between two gaps;
 * within it frame numbers and samples go together, at a gap they part.
 */
#ifndef FILTER_STRETCHES_H
#define FILTER_STRETCHES_H

#include <stddef.h>
#include <stdint.h>

#include "filter/features/feature.h"

typedef struct {
    uint64_t first_frame;
    uint64_t begin, end; /* its samples of the input; end UINT64_MAX: it goes on */
} stretch;

/* The samples [*begin, *end) that frame `frame` of the stretch owns, clipped to it. */
void stretch_samples(const stretch *st, const feature_timing *timing, uint64_t frame,
                     uint64_t *begin, uint64_t *end);

/* Samples of the input that have been read when frame `frame` comes out of the chain. */
uint64_t stretch_ready(const stretch *st, const front_end *chain, uint64_t frame);

/* The stretch, of n in order, that holds a frame; a gap belongs to the one before it. */
const stretch *stretch_of(const stretch *list, size_t n, uint64_t frame);

#endif
