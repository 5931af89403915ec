/*
 * search.h - where to look for the matches of one template.
 *
 * The kernel's sweep has one origin, the start of the span; the search begins anew
 * after every match. Two facts of docs/SEMANTICS.md join them. D of a later origin is
 * never lower, so a block whose minimum exceeds eps needs no second look. And where a path
 * of the sweep began at the search's origin or later, D and S are the same for both. So
 * one trace serves all origins in turn, which wakes near what may be a candidate:
 *
 *     sweep   ----------------------------------------------------------> D(m,.), columns
 *     trace       [kept  x    x ]            [kept   x ]       near candidates only
 *                         ^match ^match: nothing is evaluated again
 *
 * Starts before the origin, or before the kept column, are not known for certain: should one
 * matter, trace_cursor.h evaluates these columns again from where nothing is in doubt. So the
 * result is exactly that of a search that restarts at every match.
 */
#ifndef FILTER_SEARCH_SEARCH_H
#define FILTER_SEARCH_SEARCH_H

#include "filter/search/cursor.h"
#include "filter/search/detector.h"
#include "filter/search/match_list.h"

typedef struct {
    size_t index; /* of the template */
    detector_gate gate;
    bool lowest_only; /* no eps: the lowest candidate of a span, told at its end */
    trace_cursor on;
    trace scout; /* evaluates a batch again to see when a match was final */
    detector det;
    float *before_d;   /* m: the column before the last batch */
    int32_t *before_s; /* m */
    uint64_t before;   /* its position */
    size_t told;       /* matches of the list whose times are set */
    uint64_t known;    /* nothing found after these could be known after fewer frames */
    uint64_t first;    /* frames after which the pending best had its first candidate */
    uint64_t enough;   /* columns from an origin on: twice what the last match took to end */
    uint64_t batch;    /* columns: the next batch has no more */
    uint64_t low;      /* frames after which D(m,.) was last within eps, before the last batch */
} search;

/* x: length x dim, copied; `spacing` is the kernel's. */
sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing);
void search_free(search *se);

/* Frames before the window that a search may look back to. */
size_t search_overlap(const search *se);

/* Look at a step; matches that became final are added to *out. */
sigrep_status search_step(search *se, const sweep_step *in, match_list *out);

/* The stream has ended after `in->to` frames; the columns are still those of `in`. */
sigrep_status search_finish(search *se, const sweep_step *in, match_list *out);

/* Frames after which a match began to be pending, UINT64_MAX: none is. */
uint64_t search_pending_since(const search *se);

/* Cells evaluated so far. */
uint64_t search_cells_traced(const search *se);

/* A new input: position 0, cold. */
void search_reset(search *se);

#endif
