/*
 * best.h - the N best disjoint matches of an input (docs/SEMANTICS.md, "--best N"): the
 * lowest endpoint of all, then the same for what lies before its start and after its end,
 * each searched as a stream of its own.
 *
 * The first pass over a stream is the session's; it tells the lowest match of every span.
 * What is left and right of a reported match is read again from the caller's store and
 * swept anew, so N matches cost about log2(N) more passes where they are spread evenly.
 */
#ifndef FILTER_SEARCH_BEST_H
#define FILTER_SEARCH_BEST_H

#include <stdint.h>

#include "sigrep.h"

typedef struct frame_match frame_match;     /* filter/search/match_list.h */
typedef struct span span;                   /* filter/search/span.h */
typedef struct searches_plan searches_plan; /* filter/search/searches.h */

typedef struct best best;

/* The plan is copied, what it points at is borrowed. The caller destroys it; NULL is
 * allowed there. */
sigrep_status best_create(best **out, const searches_plan *plan, const sigrep_store *store);
void best_destroy(best *be);
void best_reset(best *be);

/* The lowest match of a template in frames [from, to) of one span. */
sigrep_status best_add(best *be, const span *where, uint64_t from, uint64_t to,
                       const frame_match *match);

/* The next best match, lowest score first; ties: the earlier end, then template. It must
 * not be called again once it has returned SIGREP_STOPPED: there is none left. */
sigrep_status best_next(best *be, frame_match *match, span *where);

/* As searches_failure, of the parts looked at again. */
sigrep_status best_failure(const best *be);

/* As searches_cells and searches_cells_traced, of all parts that were swept anew. */
uint64_t best_cells(const best *be);
uint64_t best_cells_traced(const best *be);

#endif
