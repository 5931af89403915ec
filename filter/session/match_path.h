/*
 * match_path.h - the warping path of the match that is called back (sigrep_get_path).
 *
 *     deliver --> on_match --> sigrep_get_path --> frames of the window, or of the store --> path.h
 */
#ifndef FILTER_SESSION_MATCH_PATH_H
#define FILTER_SESSION_MATCH_PATH_H

#include <stdbool.h>

#include "filter/search/stopping.h"
#include "sigrep.h"

typedef struct frame_match frame_match; /* filter/search/match_list.h */
typedef struct span span;               /* filter/search/span.h */

typedef struct match_path {
    bool is_wanted; /* by the configuration */
    stopping stop;
    const frame_match *match; /* the one that is called back; NULL: none is */
    const span *where;        /* its span */
    uint64_t start;           /* its first sample */
    sigrep_pair *pairs;       /* owned; of the last path */
    float *frames;            /* owned; of a match in a store */
} match_path;

void match_path_free(match_path *path);

/* The frames before a chunk that the window must keep for the paths of the matches that it
 * delivers: label_groups.h has the proof for several templates. 0: no path needs them. */
size_t match_path_keeps(const sigrep *session);

#endif
