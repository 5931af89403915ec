/*
 * searches_state.h - the inside of `searches`. Only searches_create.c, which makes and ends it, and
 * searches.c, which runs it, include this header.
 */
#ifndef FILTER_SEARCH_SEARCHES_STATE_H
#define FILTER_SEARCH_SEARCHES_STATE_H

#include <pthread.h>

#include "filter/search/fallback.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/search/window.h"

typedef struct search search; /* filter/search/search.h */

/* A template's search. Each has its own list, so the order of matches does not depend on threads.
 */
typedef struct {
    search *search;
    match_list matches;
    sigrep_status status;
    bool is_done; /* with the last chunk */
} template_search;

struct searches {
    const kernel_ops *ops;
    void *kernel;
    window frames;
    size_t chunk;               /* most frames of one */
    size_t overlap;             /* frames before a chunk that the window keeps */
    uint64_t from, to;          /* frames of the last chunk */
    uint64_t *gaps, *next_gaps; /* of the last chunk, and of the next; room for `chunk` each */
    size_t n_gaps, n_next_gaps;
    float *gap_frame; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    pool *background; /* a thread that sweeps while the caller appends; NULL: not wanted */
    bool is_running;  /* a chunk was begun; `background` has it, `at_work` */
    const float *at_work;
    sigrep_status swept; /* the kernel's status for the last chunk */
    size_t prefetched;   /* frames of the next chunk that the kernel copies ahead */
    fallback fallback;
    bool guarded; /* there is a fallback kernel, or was */
    pthread_mutex_t checkpoint_lock;
    stopping stop;
    sigrep_status failure; /* of the kernel that the fallback kernel replaced */
    uint64_t cells;
    size_t cells_a_frame;
    size_t n_templates;
    template_search searches[];
};

#endif
