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
    int64_t start; /* -n: letter 0, and n letters of the pattern hang over the text's start */
    uint32_t distance;
} trace_cell;

typedef struct {
    const string_pattern *p;
    bool replaces_only; /* no letter is inserted or deleted: paths are diagonals */
    unsigned overhang;  /* cost of a letter that hangs over, in hundredths; 0: none may */
    uint64_t next;      /* the number of the next letter */
    size_t last;        /* the last row with a distance of at most k; 0: none but row 0 */
    trace_cell *rows;   /* [0, m]; those above `last` are not valid */
} string_trace;

/* The edits of n letters that hang over an end, at `overhang` hundredths each. */
static inline uint64_t string_overhang(unsigned overhang, uint64_t n)
{
    return (n * overhang + 99) / 100;
}

/* The pattern is borrowed. false: out of memory. free(t->rows) frees it. Without more ado letters
 * may be inserted and deleted, and none may hang over. */
bool string_trace_init(string_trace *t, const string_pattern *p);

/* Begin at this origin: the first letter that a path may use. `at_start`: it is the start of the
 * text, so that letters may hang over. */
void string_trace_begin(string_trace *t, uint64_t origin, bool at_start);

/* Go on by a letter. Returns D(m,t), or k + 1 if it is above k. If not, t->rows[m] has S(m,t), the
 * first letter of its path. */
uint32_t string_trace_next(string_trace *t, unsigned char letter);

/* The text has ended: the best of D(i,t) and the cost of the rows after i, *after, which hang over.
 * The distance is k + 1 if all are above k. */
trace_cell string_trace_end(const string_trace *t, size_t *after);

/* Has any row D(i,t) < distance, and a start before `end`? distance <= k. */
bool string_trace_has_rival(const string_trace *t, uint32_t distance, uint64_t end);

#endif
