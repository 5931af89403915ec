/*
 * zmatch_search.h - the matches of one template, if each candidate is normalised by itself
 * (docs/SEMANTICS.md, "Each match normalised").
 *
 * Candidates are windows of m frames, so D of one rests on no other, and no origin changes it:
 *
 *     frames        |<- before the chunk ->|<------ chunk ------>|
 *     windows             [ m frames ]
 *                          [ m frames ]     ... each that ends in the chunk, in their order
 *     pending                    [ best so far ]
 *                                              [  the first window without overlap: it is final
 *
 * A search of search.h passes all calls on to one of these (search_create_zmatch).
 */
#ifndef FILTER_SEARCH_ZMATCH_SEARCH_H
#define FILTER_SEARCH_ZMATCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct detector_gate detector_gate; /* filter/search/detector.h */
typedef struct match_list match_list;       /* filter/search/match_list.h */
typedef struct state_bytes state_bytes;     /* filter/state/state.h */
typedef struct swept_chunk swept_chunk;     /* filter/search/cursor.h */

typedef struct zmatch_search zmatch_search;

/* x: length values of zmatch_normalise, copied. `band`: a share of the length. The gate allows the
 * length alone. lowest_only: as in search.h. The caller destroys it; NULL is allowed there.
 * SIGREP_NO_MEMORY. */
sigrep_status zmatch_search_create(zmatch_search **out, size_t index, const float *x, size_t length,
                                   double band, const detector_gate *gate, bool lowest_only);
void zmatch_search_destroy(zmatch_search *se);

/* As search_chunk, search_finish and so on of search.h. */
sigrep_status zmatch_search_chunk(zmatch_search *se, const swept_chunk *in, match_list *out);
sigrep_status zmatch_search_finish(zmatch_search *se, const swept_chunk *in, match_list *out);
uint64_t zmatch_search_pending_since(const zmatch_search *se);
bool zmatch_search_agrees(const zmatch_search *se, const zmatch_search *other);
void zmatch_search_reset(zmatch_search *se);
uint64_t zmatch_search_needed(const zmatch_search *se, uint64_t at, bool with_paths);
void zmatch_search_pass_state(zmatch_search *se, state_bytes *st, uint64_t at);

#endif
