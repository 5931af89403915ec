/* match_list.h - matches that were found and are not delivered yet, in frames. */
#ifndef FILTER_SEARCH_MATCH_LIST_H
#define FILTER_SEARCH_MATCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

/* `first` and `final` are times: the frames consumed when the match had its first candidate, and
 * when it was final. A gap counts as one frame, and so does the end of the stream: they make the
 * match that is pending before them final. */
typedef struct frame_match {
    size_t index;        /* of the template */
    uint64_t start, end; /* frames [start, end) */
    uint64_t first, final;
    float d; /* D(m, end - 1) */
} frame_match;

/* A growing list; begin with zeros. Setting n to 0 empties it and keeps its memory. So a live
 * stream needs no more memory than its most pending matches took. */
typedef struct match_list {
    frame_match *items;
    size_t n, capacity;
} match_list;

/* Do two matches share a frame? */
bool frame_matches_overlap(const frame_match *a, const frame_match *b);

sigrep_status match_list_add(match_list *list, const frame_match *match);
void match_list_free(match_list *list);

/* Sort by the frame that made the match final, then end, then template. */
void match_list_sort_by_final(match_list *list);

/* Sort by start, then end, then template. */
void match_list_sort_by_start(match_list *list);

#endif
