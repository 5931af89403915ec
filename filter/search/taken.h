/*
 * taken.h - the frames that the matches of a best-of search take, label by label. Of two matches
 * that overlap and share a label only the better one counts.
 *
 *     label 0   |--[ 12, 40 )-------[ 60, 95 )---|     disjoint, so one order holds for all:
 *     label 3   |-----[ 30, 52 )-----------------|     label, then place; a tree finds an overlap
 *
 * Each call takes O(log n) for n intervals. An interval takes 24 bytes and a node of tsearch(3).
 */
#ifndef FILTER_SEARCH_TAKEN_H
#define FILTER_SEARCH_TAKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

/* Begin with zeros; taken_clear frees all memory. */
typedef struct taken {
    void *tree;
} taken;

/* Add the frames [start, end) of a label, unless they overlap frames that were added; *is_new: they
 * do not. SIGREP_NO_MEMORY. */
sigrep_status taken_add(taken *all, size_t label, uint64_t start, uint64_t end, bool *is_new);

void taken_clear(taken *all);

#endif
