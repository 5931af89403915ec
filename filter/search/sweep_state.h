/*
 * sweep_state.h - the inside of a sweep: sweep_create.c makes and ends it, sweep.c runs it. Only
 * these two include it.
 */
#ifndef FILTER_SEARCH_SWEEP_STATE_H
#define FILTER_SEARCH_SWEEP_STATE_H

#include <pthread.h>

#include "filter/search/fallback.h"
#include "filter/search/match_list.h"
#include "filter/search/sweep.h"
#include "filter/search/window.h"

typedef struct search search; /* filter/search/search.h */

/* A template's search. Each has its own list, so the order of matches does not depend on threads.
 */
typedef struct {
    search *search;
    match_list matches;
    sigrep_status status;
} template_search;

struct sweep {
    const kernel_ops *ops;
    void *kernel;
    window frames;
    size_t chunk;               /* most frames of one */
    size_t overlap;             /* frames before a chunk that the window keeps */
    uint64_t from, to;          /* frames of the last chunk */
    uint64_t *gaps, *next_gaps; /* of the last chunk, and appended since; `chunk` of each */
    size_t n_gaps, n_next_gaps;
    float *gap_frame; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    pool *hand; /* sweeps behind the caller; NULL: not wanted */
    bool behind;
    size_t prefetched;     /* frames of the next chunk that the kernel copies ahead */
    const float *at_work;  /* the chunk being swept behind the caller */
    sigrep_status stepped; /* its status */
    fallback fallback;
    bool guarded; /* there is a fallback kernel, or was */
    pthread_mutex_t column_lock;
    sigrep_status failure; /* of the kernel that the fallback one replaced */
    uint64_t cells;
    size_t cells_a_frame;
    size_t n_templates;
    template_search searches[];
};

#endif
