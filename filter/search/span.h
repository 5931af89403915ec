/*
 * span.h - an interval of the input without a gap. Within a span, frame numbers and samples go
 * together; at a gap they part:
 *
 *     samples  |<---- span 0 ---->| gap |<---- span 1 ---->|
 *     frames   0 1 2 3 ...        k     k+1 k+2 ...            the gap is frame k
 */
#ifndef FILTER_SEARCH_SPAN_H
#define FILTER_SEARCH_SPAN_H

#include <stddef.h>
#include <stdint.h>

typedef struct span {
    uint64_t first_frame;
    uint64_t begin, end; /* samples of the input, [begin, end); end UINT64_MAX: still open */
} span;

/* The span that holds a frame, of n >= 1 spans in ascending order. A gap belongs to the span
 * before it. */
const span *span_of(const span *list, size_t n, uint64_t frame);

#endif
