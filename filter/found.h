/*
 * found.h - matches on their way from the search to the caller, in frames.
 */
#ifndef FILTER_FOUND_H
#define FILTER_FOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

/* Times are counts of frames: `first` and `final` of those consumed when the match had
 * its first candidate and when it was final. A gap, and the end of the stream, count as a
 * frame that makes final what is pending before it. */
typedef struct {
    size_t index;        /* of the template */
    uint64_t start, end; /* frames [start, end) */
    uint64_t first, final;
    float d; /* D(m, end - 1) */
} found;

/* A growing list; zero it to begin. It keeps its memory when it is emptied, so a live
 * stream's stays flat at the most that was ever pending at once. */
typedef struct {
    found *items;
    size_t n, capacity;
} found_list;

/* Do two matches share a frame? */
bool found_overlap(const found *a, const found *b);

sigrep_status found_add(found_list *list, const found *match);
void found_free(found_list *list);

/* By the frame that made it final, then end, then template. */
void found_sort_by_final(found_list *list);

/* By start, then end, then template. */
void found_sort_by_start(found_list *list);

#endif
