/*
 * search.h - the matches of one template, exactly those of docs/SEMANTICS.md.
 *
 * The kernel sweeps a span from its first frame. The rules for matches begin anew after each match,
 * at a later origin. Two facts of docs/SEMANTICS.md join both:
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

#include <stdbool.h>

#include "filter/search/detector.h"
#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */
typedef struct match_list match_list;   /* filter/search/match_list.h */
typedef struct swept_chunk swept_chunk; /* filter/search/cursor.h */

typedef struct search search;

/* x: length x dim floats, copied. lowest_only: no eps; find the lowest candidate of a span, and
 * report it at the span's end. `spacing`: frames between the kernel's checkpoints. The caller
 * destroys the search; NULL is allowed there. SIGREP_NO_MEMORY. */
sigrep_status search_create(search **out, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing);

/* A search whose candidates are normalised one by one (zmatch_search.h): x: `length` values that
 * are normalised, copied. All calls below hold for it too, and it needs no kernel's minima. */
sigrep_status search_create_zmatch(search **out, size_t index, const float *x, size_t length,
                                   double band, detector_gate gate, bool lowest_only);
void search_destroy(search *se);

/* Frames before a chunk that the search may read again. */
size_t search_overlap(const search *se);

/* Search a swept chunk, and add the matches that became final to *out. Errors are the kernel's
 * for a checkpoint, and SIGREP_NO_MEMORY. */
sigrep_status search_chunk(search *se, const swept_chunk *in, match_list *out);

/* The stream ended after the last chunk, `in`: add the matches that this makes final. Errors as for
 * search_chunk. */
sigrep_status search_finish(search *se, const swept_chunk *in, match_list *out);

/* Frames consumed when the pending match became pending. UINT64_MAX: no match is pending. */
uint64_t search_pending_since(const search *se);

/* Two settled searches of one template have read the same frames at the end of their chunks, which
 * they may number differently. Do they find the same matches from there on? */
bool search_agrees(const search *se, const search *other);

/* Cells that were traced since create. */
uint64_t search_cells_traced(const search *se);

/* Begin a new stream at position 0. */
void search_reset(search *se);

/*
 * A state is taken after the chunk `in`, at frame in->to. It holds the cells of the last column
 * that are <= eps, with their starts, since no other cell matters (cursor.h), and the pending
 * match. The search that goes on from it may look back to the frame after that match's end, and no
 * further:
 *
 *     stream    ....|pending match|......... in->to|.......
 *     window                      |<-- needed ---->|
 *
 * The kernel begins cold at the first frame of the window. The search does not use its D until it
 * agrees, as after each match (CURSOR_FROM_ORIGIN). Any later origin lies in the window.
 */

/* Get ready for search_pass_state. Errors as for search_chunk. */
sigrep_status search_settle(search *se, const swept_chunk *in);

/* The first frame that is needed, at most `at`; with_paths: or that may be in a match. */
uint64_t search_needed(const search *se, uint64_t at, bool with_paths);

/* Pass over the search at frame `at`. */
void search_pass_state(search *se, state_bytes *st, uint64_t at);

#endif
