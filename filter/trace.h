/*
 * trace.h - the recurrence with starts: D(.,t) and S(.,t) of one template, a column at a
 * time (docs/SEMANTICS.md, "Scores"; S as in SPRING, Sakurai, Faloutsos, Yamamuro, ICDE
 * 2007). Slower than a kernel, so it runs only where a match may be.
 */
#ifndef FILTER_TRACE_H
#define FILTER_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

/* The start of a path that came out of a column whose starts are unknown: too long ago. */
#define TRACE_TOO_OLD INT64_MIN

typedef struct {
    const float *x; /* length x dim, borrowed */
    size_t length;  /* m */
    size_t dim;
    float *d;          /* D(1..m, position - 1) */
    int64_t *s;        /* S(1..m, position - 1): frames, or TRACE_TOO_OLD */
    uint64_t position; /* frames before the next column */
} trace;

/* The caller frees it with trace_free; x must outlive it. */
sigrep_status trace_create(trace *tr, const float *x, size_t length, size_t dim);
void trace_free(trace *tr);

/* A cold start: the next column is `origin`, the first frame that a path may use. */
void trace_start_cold(trace *tr, uint64_t origin);

/* Tell that tr->d now holds the exact column before `position`, of unknown starts. */
void trace_start_from(trace *tr, uint64_t position);

/* Evaluate the column of frame `position`, dim values, and advance. */
void trace_column(trace *tr, const float *y);

/* D(m,t) and S(m,t) of the last column. */
static inline float trace_distance(const trace *tr)
{
    return tr->d[tr->length - 1];
}

static inline int64_t trace_start(const trace *tr)
{
    return tr->s[tr->length - 1];
}

#endif
