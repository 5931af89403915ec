/*
 * scout.h - distances without starts, letter by letter: does a candidate end here?
 *
 * The bit vectors of Myers (1999) and Hyyrö (2003), a column of rows a letter. For patterns of few
 * words a letter costs a tenth of a trace (trace.h), which then begins when there is a candidate.
 */
#ifndef KERNELS_STRINGS_SCOUT_H
#define KERNELS_STRINGS_SCOUT_H

#include "kernels/strings/pattern.h"

enum { SCOUT_WORDS = 4 }; /* of the longest pattern; a trace of a longer one may be faster */

typedef struct {
    const string_pattern *p;
    uint64_t distance;                           /* D(m,t) */
    uint64_t up[SCOUT_WORDS], down[SCOUT_WORDS]; /* rows that rise by 1, or fall by 1 */
} string_scout;

static inline bool string_scout_can(const string_pattern *p)
{
    return p->words <= SCOUT_WORDS;
}

/* Begin at any letter; with an overhang (trace.h), at a text's start. The pattern is borrowed. */
void string_scout_begin(string_scout *s, const string_pattern *p, unsigned overhang);

/* Go on by a letter. Is D(m,t) <= k? */
bool string_scout_next(string_scout *s, unsigned char letter);

/* The text has ended: the distance of string_trace_end, also if it is above k. */
uint64_t string_scout_end(const string_scout *s, unsigned overhang);

#endif
