/*
 * match_list.h - matches on their way from the search to the caller, in frames.
 */
#ifndef FILTER_SEARCH_MATCH_LIST_H
#define FILTER_SEARCH_MATCH_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

/* Times are counts of frames: `first` and `final` of those consumed when the match had
 * its first candidate and when it was final. A gap, and the end of the stream, count as a
 * frame that makes final what is pending before it. */
typedef struct frame_match {
    size_t index;        /* of the template */
    uint64_t start, end; /* frames [start, end) */
    uint64_t first, final;
    float d; /* D(m, end - 1) */
} frame_match;

/* A growing list; zero it to begin. It keeps its memory when it is emptied, so a live
 * stream's stays flat at the most that was ever pending at once. */
typedef struct match_list {
    frame_match *items;
    size_t n, capacity;
} match_list;

/* Do two matches share a frame? */
bool frame_matches_overlap(const frame_match *a, const frame_match *b);

sigrep_status match_list_add(match_list *list, const frame_match *match);
void match_list_free(match_list *list);

/* By the frame that made it final, then end, then template. */
void match_list_sort_by_final(match_list *list);

/* By start, then end, then template. */
void match_list_sort_by_start(match_list *list);

#endif
