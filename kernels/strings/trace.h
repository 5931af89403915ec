/*
 * trace.h - edit distances with starts, letter by letter, over a few letters of a text.
 *
 * Distances above k are left out (Ukkonen 1985): below the last row with one of at most k, only the
 * next row can get one. So a letter costs time for some k rows on average, not for all m.
 */
#ifndef KERNELS_STRINGS_TRACE_H
#define KERNELS_STRINGS_TRACE_H

#include "kernels/strings/pattern.h"

typedef struct {
    uint32_t distance;
    uint64_t start;
} trace_cell;

typedef struct {
    const string_pattern *p;
    uint64_t next;    /* the number of the next letter */
    size_t last;      /* the last row with a distance of at most k; 0: none but row 0 */
    trace_cell *rows; /* [0, m]; those above `last` are not valid */
} string_trace;

/* The pattern is borrowed. false: out of memory. free(t->rows) frees it. */
bool string_trace_init(string_trace *t, const string_pattern *p);

/* Begin at this origin: the first letter that a path may use. */
void string_trace_begin(string_trace *t, uint64_t origin);

/* Go on by a letter. Returns D(m,t), or k + 1 if it is above k. If not, t->rows[m] has S(m,t), the
 * first letter of its path. */
uint32_t string_trace_next(string_trace *t, unsigned char letter);

/* Has any row D(i,t) < distance, and a start before `end`? distance <= k. */
bool string_trace_has_rival(const string_trace *t, uint32_t distance, uint64_t end);

#endif
