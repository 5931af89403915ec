/* match_list.h - matches that are not delivered yet, in frames, and the spans they lie in. */
#ifndef FILTER_SEARCH_MATCH_LIST_H
#define FILTER_SEARCH_MATCH_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */

/*
 * An interval of the input without a gap. Within a span, frame numbers and samples go
 * together; at a gap they part:
 *
 *     samples  |<---- span 0 ---->| gap |<---- span 1 ---->|
 *     frames   0 1 2 3 ...        k     k+1 k+2 ...            the gap is frame k
 */
typedef struct span {
    uint64_t first_frame;
    uint64_t begin, end; /* samples of the input, [begin, end); end UINT64_MAX: still open */
} span;

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

sigrep_status match_list_add(match_list *list, const frame_match *match);
void match_list_free(match_list *list);

/* Pass over all matches: of templates below n_templates, up to frame `now`. SIGREP_NO_MEMORY. */
sigrep_status match_list_pass_state(match_list *list, state_bytes *st, size_t n_templates,
                                    uint64_t now);

/* Sort by the frame that made the match final, then end, then template. */
void match_list_sort_by_final(match_list *list);

#endif
