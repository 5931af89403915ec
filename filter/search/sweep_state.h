/*
 * sweep_state.h - the inside of a sweep: sweep_create.c makes and ends it, sweep.c runs it. Nobody
 * else includes it.
 */
#ifndef FILTER_SEARCH_SWEEP_STATE_H
#define FILTER_SEARCH_SWEEP_STATE_H

#include <pthread.h>

#include "filter/search/fallback.h"
#include "filter/search/sweep.h"

/* A template's search. They are independent, so each has a list of its own: threads may
 * take turns as they like, the order of what is found stays. */
typedef struct {
    search search;
    match_list matches;
    sigrep_status status;
} hunt;

struct sweep {
    const kernel_ops *ops;
    void *kernel;
    window frames;
    size_t chunk;                   /* most frames of a step */
    size_t overlap;                 /* frames before a run that are still there */
    uint64_t from, to;              /* the last run */
    uint64_t *breaks, *next_breaks; /* chunk of each: of the last run, and appended since */
    size_t n_breaks, n_next_breaks;
    float *gap; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    pool *hand; /* two threads: one of them steps behind the caller. NULL: not wanted */
    bool behind;
    size_t prefetched;     /* frames of the next run that the kernel was prefetched */
    const float *at_work;  /* what that step was given */
    sigrep_status stepped; /* what the step gave */
    fallback fallback;
    bool guarded; /* there is a fallback kernel, or was */
    pthread_mutex_t column_lock;
    sigrep_status failure; /* of the kernel that the fallback one replaced */
    uint64_t cells;
    size_t cells_a_frame;
    size_t n_templates;
    hunt hunts[];
};

#endif
