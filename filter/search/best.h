/*
 * best.h - the N best disjoint matches of an input (docs/SEMANTICS.md, "--best N").
 *
 * The lowest match of all is the best. The next one is the lowest in the frames before its start or
 * after its end, each searched as a stream of its own, and so on:
 *
 *     span     |-----------------[ match 1 ]------------------|   searched by the session
 *     parts    |---[ match 3 ]---|         |---[ match 2 ]----|   read again from the store
 *
 * The session searches the stream once and adds the lowest match of every span. Parts left and
 * right of a match are read again from the caller's store. The lowest part comes from a heap, in
 * O(log N).
 *
 * The cost of the searches depends on where the matches lie. N matches that are spread evenly cost
 * about log2(N) more passes over the stream. If scores rise or fall along the whole stream, each
 * match lies at an end of its part: at most N more passes.
 */
#ifndef FILTER_SEARCH_BEST_H
#define FILTER_SEARCH_BEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct frame_match frame_match;     /* filter/search/match_list.h */
typedef struct span span;                   /* the same */
typedef struct searches_plan searches_plan; /* filter/search/searches.h */

typedef struct best best;

/* The plan is copied, all that it points to is borrowed. The caller destroys it; NULL is allowed
 * there. */
sigrep_status best_create(best **out, const searches_plan *plan, const sigrep_store *store);
void best_destroy(best *be);
void best_reset(best *be);

/* Add the lowest match of a template in frames [from, to) of one span. */
sigrep_status best_add(best *be, const span *where, uint64_t from, uint64_t to,
                       const frame_match *match);

/* The next best match, lowest score / level first, or lowest score if not all templates have a
 * level. Ties: the earlier end, then template. SIGREP_STOPPED: there is none left, or
 * best_is_stopped; then it must not be called again. */
sigrep_status best_next(best *be, frame_match *match, span *where);

/* The frames left and right of the last match are not wanted. */
void best_leave(best *be);

/* Was an answer to a question of the plan to stop? */
bool best_is_stopped(const best *be);

/* Add the cells of the parts that were searched again. Returns why a device failed meanwhile;
 * SIGREP_OK: none did. */
sigrep_status best_add_work(const best *be, sigrep_stats *stats);

/*
 * The frames that the matches of a best-of search take, label by label. Of two matches
 * that overlap and share a label only the better one counts.
 *
 *     label 0   |--[ 12, 40 )-------[ 60, 95 )---|     disjoint, so one order holds for all:
 *     label 3   |-----[ 30, 52 )-----------------|     label, then place; a tree finds an overlap
 *
 * Each call takes O(log n) for n intervals. An interval takes 24 bytes and a node of tsearch(3).
 * Begin with zeros; taken_clear frees all memory.
 */
typedef struct taken {
    void *tree;
} taken;

/* Add the frames [start, end) of a label, unless they overlap frames that were added; *is_new: they
 * do not. SIGREP_NO_MEMORY. */
sigrep_status taken_add(taken *all, size_t label, uint64_t start, uint64_t end, bool *is_new);

void taken_clear(taken *all);

#endif
