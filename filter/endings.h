/*
 * endings.h - matches that are known to be final, and not yet since when. In streams full of
 * matches that is asked of several at once, one in each lane of a trace kernel, from columns
 * that the sweep has kept.
 */
#ifndef FILTER_ENDINGS_H
#define FILTER_ENDINGS_H

#include "filter/detector.h"
#include "filter/found.h"
#include "filter/walk.h"

typedef struct {
    size_t item;   /* of the list of matches */
    uint64_t from; /* the frames before a kept column, not behind the match's end, with the
                      search's D wherever paths lead behind that end */
    uint64_t to;   /* it was final after so many, at most */
    detector best;
} ending;

typedef struct {
    ending *items;
    detector_gate gate;
    size_t n, columns; /* columns evaluated, for the statistics */
    float *d;          /* TRACE_ENDINGS x m */
} endings;

/* The caller frees them with endings_free. */
sigrep_status endings_create(endings *list, size_t length, detector_gate gate);
void endings_free(endings *list);

/* All that are there, as after a failure: their matches are of no list any more. */
void endings_forget(endings *list);

/* There is room for one more afterwards only where it is not full. */
bool endings_are_full(const endings *list);
void endings_add(endings *list, ending one);

/* Set `final` of all their items of *out, and forget them. The columns are still those of `in`,
 * which carried starts; `tr` is a trace of the template, wherever it is. */
sigrep_status endings_find(endings *list, trace *tr, size_t index, const sweep_step *in,
                           found_list *out);

#endif
