/*
 * detector.h - which scores become matches: rules 1 and 2 of docs/SEMANTICS.md, over D(m,t) and
 * S(m,t) of one template. SPRING's disjoint query with exact starts.
 */
#ifndef FILTER_SEARCH_DETECTOR_H
#define FILTER_SEARCH_DETECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/trace_kernel.h"

typedef struct trace trace;         /* filter/search/trace.h */
typedef struct trace_end trace_end; /* the same */

/* The ends of paths that are candidates. */
typedef struct detector_gate {
    float eps;                       /* highest D(m,t) */
    uint64_t length_min, length_max; /* frames, both within the gate */
} detector_gate;

/* The best candidate so far, while it is pending. */
typedef struct detector {
    bool pending;
    float d;             /* D(m, last) */
    int64_t start, last; /* its first and last frame */
} detector;

/* The largest float32 not above threshold * length. */
float detector_eps(double threshold, size_t length);

/* The gate of a template of `length` frames; length_min > length_max is an empty range. */
detector_gate detector_gate_of(double threshold, double min, double max, size_t length);

/* Is this the end of a candidate? */
bool detector_is_candidate(const detector_gate *gate, const trace_end *end);

/* Rule 1: take a column's end into account. */
void detector_update(detector *det, const detector_gate *gate, const trace_end *end);

/* Rule 2: is the pending best final, since no cell of the trace's last column is live? All starts
 * that matter are known there if the best's own start is: paths do not cross, so no path in a later
 * column began before the best. */
bool detector_is_final(const detector *det, const detector_gate *gate, const trace *tr);

/* What a batch that begins with frame `begin` watches for, to learn when the best became final. */
trace_watch detector_watch(const detector *det, const detector_gate *gate, uint64_t begin);

#endif
