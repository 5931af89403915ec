/*
 * scout.h - distances letter by letter, by bit vectors: does a candidate end here?
 *
 * The bit vectors of Myers (1999) and Hyyrö (2003), a column of rows a letter. For patterns of few
 * words a letter costs a tenth of a trace (trace.h), which then begins when there is a candidate.
 *
 * A scout that keeps columns needs no trace: from a candidate it follows the chosen path backwards.
 *
 *     row m   .  .  .  .  o     a bit a cell: does its path come by the diagonal? or from the left?
 *             .  .  o  o  .
 *     row 0   .  o  .  .  .     the columns of the last m + k letters are kept
 *
 * A third bit of each cell goes along with the paths: did this one begin before the mark?
 */
#ifndef KERNELS_STRINGS_SCOUT_H
#define KERNELS_STRINGS_SCOUT_H

#include "kernels/strings/pattern.h"

enum { SCOUT_WORDS = 4 }; /* of the longest pattern; a trace of a longer one may be faster */

/* How the cells of 64 rows came about: bits of rows. The others came from the row before. */
typedef struct {
    uint64_t diagonal, left;
} scout_cells;

typedef struct {
    const string_pattern *p;
    uint64_t distance;                           /* D(m,t) */
    uint64_t up[SCOUT_WORDS], down[SCOUT_WORDS]; /* rows that rise by 1, or fall by 1 */
    uint64_t older[SCOUT_WORDS];                 /* rows whose path began before the mark */
    uint64_t n;                                  /* letters since it began */
    scout_cells *columns; /* a ring: letter j's are [(j & last) * words]; NULL: none is kept */
    size_t last;
} string_scout;

static inline bool string_scout_can(const string_pattern *p)
{
    return p->words <= SCOUT_WORDS;
}

/* A scout that keeps columns. The pattern is borrowed. false: out of memory. free(s->columns) frees
 * it. */
bool string_scout_init(string_scout *s, const string_pattern *p);

/* Begin at any letter; with an overhang (trace.h), at a text's start. The pattern is borrowed. */
void string_scout_begin(string_scout *s, const string_pattern *p, unsigned overhang);

/* Go on by a letter. Is D(m,t) <= k? */
bool string_scout_next(string_scout *s, unsigned char letter);

/* With columns: of D(m,t), which is at most k, the letters from the first one of its path. */
uint64_t string_scout_length(const string_scout *s);

/* With columns: set the mark here, behind the last letter. */
void string_scout_mark(string_scout *s);

/* string_trace_has_rival for the mark. */
bool string_scout_has_rival(const string_scout *s, uint64_t distance);

/* The text has ended: the distance of string_trace_end, also if it is above k. */
uint64_t string_scout_end(const string_scout *s, unsigned overhang);

#endif
