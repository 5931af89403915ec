/*
 * search.h - the matches of one template, exactly those of docs/SEMANTICS.md.
 *
 * The kernel sweeps a span from its first frame. The rules for matches begin anew behind each
 * match, at a later origin. Two facts of docs/SEMANTICS.md join both:
 *
 * - A later origin never lowers D. So a block whose minimum exceeds eps holds no candidate.
 * - If a path of the sweep began at the origin or later, its D and S are those of the origin.
 *
 * So the search passes over most blocks and traces a few columns, from a checkpoint on:
 *
 *     blocks   | > eps | > eps | <=eps | > eps | > eps | > eps | <=eps | > eps |  minima
 *     trace         o------------x         |        o--------------x
 *                   ^ checkpoint  ^ match  ^ final  ^ checkpoint    ^ match
 *
 * A start before the origin or before the checkpoint is in doubt. If a candidate needs such a
 * start, cursor.h traces these columns again, from a column without doubt.
 */
#ifndef FILTER_SEARCH_SEARCH_H
#define FILTER_SEARCH_SEARCH_H

#include "filter/search/cursor.h"
#include "filter/search/detector.h"
#include "filter/search/finality.h"
#include "filter/search/match_list.h"

typedef struct {
    size_t index; /* of the template */
    detector_gate gate;
    bool lowest_only; /* no eps: find the lowest candidate of a span, report it at its end */
    trace_cursor cursor;
    detector det;
    finality fin;             /* marks the column before the last batch */
    size_t n_timed;           /* matches of the list whose times are set */
    uint64_t last_final;      /* frames: no later match becomes final before that */
    uint64_t first_candidate; /* frames consumed at the first candidate of the pending match */
    uint64_t batch;           /* columns: the length of the next batch */
    uint64_t first_batch;     /* columns of the batch at an origin: twice the last match's */
    uint64_t last_low;        /* frame before which D(m,.) was last <= eps, in earlier batches */
} search;

/* x: length x dim floats, copied. `spacing`: frames between the kernel's checkpoints. The caller
 * frees the search with search_free, also after an error. SIGREP_NO_MEMORY. */
sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing);
void search_free(search *se);

/* Frames before a chunk that the search may read again. */
size_t search_overlap(const search *se);

/* Search a swept chunk, and add the matches that became final to *out. Errors are the kernel's
 * for a checkpoint, and SIGREP_NO_MEMORY. */
sigrep_status search_chunk(search *se, const swept_chunk *in, match_list *out);

/* The stream ended after `in->to` frames: add the matches that this makes final. `in` is the last
 * chunk. Errors as above. */
sigrep_status search_finish(search *se, const swept_chunk *in, match_list *out);

/* Frames consumed when the pending match began to be pending. UINT64_MAX: no match is. */
uint64_t search_pending_since(const search *se);

/* Cells that were traced since create. */
uint64_t search_cells_traced(const search *se);

/* Begin a new stream at position 0. */
void search_reset(search *se);

#endif
