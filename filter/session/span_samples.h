/* span_samples.h - the span that holds a frame, and the samples that it stands for. */
#ifndef FILTER_SESSION_SPAN_SAMPLES_H
#define FILTER_SESSION_SPAN_SAMPLES_H

#include "filter/features/front_end.h"
#include "filter/search/match_list.h"

/* The span that holds a frame, of n >= 1 spans in ascending order. A gap belongs to the span
 * before it. */
const span *span_of(const span *list, size_t n, uint64_t frame);

/* The samples [*begin, *end) that frame `frame` of the span owns, clipped to the span. */
void span_samples(const span *sp, const frame_timing *timing, uint64_t frame, uint64_t *begin,
                  uint64_t *end);

/* The samples that the frames [from, to) own. Frames between two samples own none: they get the
 * sample in which they lie, or `least` if they lie before it. */
void span_samples_of(const span *sp, const frame_timing *timing, uint64_t from, uint64_t to,
                     uint64_t least, uint64_t *begin, uint64_t *end);

/* The number of samples of the input after which the chain gives frame `frame`. */
uint64_t span_ready(const span *sp, const front_end *chain, uint64_t frame);

#endif
