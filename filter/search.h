/*
 * search.h - where to look for the matches of one template.
 *
 * The kernel's sweep has one origin, the start of the stretch; the search begins anew
 * after every match. Two facts of docs/SEMANTICS.md join them. D of a later origin is
 * never lower, so a block whose minimum exceeds eps needs no second look. And once a
 * column of the search agrees bit for bit with the sweep's, it does for ever (cells above
 * eps need not agree: costs are never negative, so no path from them ends in a candidate).
 *
 *     sweep   ----------------------------------------------------------> D(m,.), columns
 *     search        [ run  x]          wakes near a candidate, from a kept column at
 *                      ^match          least length_max back, whose starts are exact
 *                        [cold ..=]    after a match: cold from its end, until it agrees
 *                                      with the sweep again; then it sleeps
 *
 * So the result is exactly that of a search that restarts at every match, at about the
 * cost of one sweep.
 */
#ifndef FILTER_SEARCH_H
#define FILTER_SEARCH_H

#include "filter/detector.h"
#include "filter/found.h"
#include "filter/window.h"
#include "kernels/kernel.h"

typedef struct {
    size_t index; /* of the template */
    detector_gate gate;
    bool lowest_only; /* no eps: the lowest candidate of a stretch, told at its end */
    size_t spacing;   /* of the columns that the kernel keeps */
    trace tr;
    detector det;
    bool coupled;    /* the trace's D is the sweep's */
    uint64_t known;  /* nothing that is found now could be known after fewer frames */
    uint64_t first;  /* frames after which the pending best had its first candidate */
    float *column;   /* m floats to compare with */
    uint64_t traced; /* columns evaluated, for the statistics */
} search;

/* What the sweep has done since the last call. */
typedef struct {
    const window *frames;
    const kernel_ops *ops;
    void *kernel;
    uint64_t from, to;      /* the frames of the step */
    const uint64_t *breaks; /* gap frames among them, ascending */
    size_t n_breaks;
    const float *minima; /* of each block touched */
} search_step_input;

/* x (borrowed, must outlive the search): length x dim; `spacing` is the kernel's. */
sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing);
void search_free(search *se);

/* Frames before the window that a search may look back to. */
size_t search_overlap(const search *se);

/* Look at a step; matches that became final are added to *out. */
sigrep_status search_step(search *se, const search_step_input *in, found_list *out);

/* The stream has ended after `in->to` frames; the columns are still those of `in`. */
sigrep_status search_finish(search *se, const search_step_input *in, found_list *out);

/* Frames after which a match began to be pending, UINT64_MAX: none is. */
uint64_t search_pending_since(const search *se);

/* A new input: position 0, cold. */
void search_reset(search *se);

#endif
