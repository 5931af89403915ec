/*
 * detector.h - when a score becomes a match: rules 1 and 2 of docs/SEMANTICS.md, over the
 * distances and starts of one template, nothing else. (SPRING's disjoint query, mended.)
 */
#ifndef FILTER_DETECTOR_H
#define FILTER_DETECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/trace.h"

/* What may end a candidate. */
typedef struct {
    float eps;                       /* highest D(m,t) */
    uint64_t length_min, length_max; /* frames, both within the gate */
} detector_gate;

/* The best candidate so far, while it is pending. */
typedef struct {
    bool pending;
    float d;             /* D(m, last) */
    int64_t start, last; /* its first and last frame */
} detector;

/* The largest float32 not above threshold * length. */
float detector_eps(double threshold, size_t length);

/* The gate of a template of `length` frames; length_min > length_max is an empty range. */
detector_gate detector_gate_of(double threshold, double min, double max, size_t length);

/* Is the last column of the trace the end of a candidate? */
bool detector_is_candidate(const detector_gate *gate, const trace *tr);

/* Rule 1: take the last column of the trace into account. */
void detector_column(detector *det, const detector_gate *gate, const trace *tr);

/* Rule 2: is the pending best final, since no cell of the last column is live? */
bool detector_is_final(const detector *det, const detector_gate *gate, const trace *tr);

#endif
