/*
 * endings.h - matches that are known to be final, and not yet since when. In streams full of
 * matches that is asked of several at once, one in each lane of a trace kernel, from columns
 * that the sweep has kept.
 */
#ifndef FILTER_ENDINGS_H
#define FILTER_ENDINGS_H

#include "filter/found.h"
#include "filter/walk.h"

typedef struct {
    size_t item;   /* of the list of matches */
    uint64_t from; /* the frames before a kept column, whose D are the search's: no cell lives in
                      a later column that began before the match */
    uint64_t end;  /* the frames up to the match's end, no fewer */
    uint64_t to;   /* it was final after so many, and no path that matters is too old there */
    float d;
} ending;

typedef struct {
    ending *items;
    size_t n, columns; /* columns evaluated, for the statistics */
    float *d;          /* TRACE_ENDINGS x m */
} endings;

/* The caller frees them with endings_free. */
sigrep_status endings_create(endings *list, size_t length);
void endings_free(endings *list);

/* All that are there, as after a failure: their matches are of no list any more. */
void endings_forget(endings *list);

/* There is room for one more afterwards only where it is not full. */
bool endings_are_full(const endings *list);
void endings_add(endings *list, ending one);

/* Set `final` of all their items of *out, and forget them. The columns are still those of `in`,
 * and `tr` is a trace of the template. */
sigrep_status endings_find(endings *list, const trace *tr, size_t index, const sweep_step *in,
                           found_list *out);

#endif
