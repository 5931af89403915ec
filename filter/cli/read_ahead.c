#include "filter/cli/read_ahead.h"

#include <stdlib.h>

#include "kernels/pool.h"

struct run_ahead {
    pool *reader; /* two threads: the caller's takes no part */
    float *frames;
    source *src;
    size_t max;
    ssize_t got;
};

run_ahead *ahead_create(size_t values)
{
    run_ahead *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->frames = malloc(values * sizeof *a->frames);
    if (a->frames && !pool_create(&a->reader, 2)) return a;
    ahead_destroy(a);
    return NULL;
}

void ahead_destroy(run_ahead *a)
{
    if (!a) return;
    pool_destroy(a->reader);
    free(a->frames);
    free(a);
}

static void gather(void *user, size_t task, size_t thread)
{
    run_ahead *a = user;
    (void)task, (void)thread;
    a->got = source_gather(a->src, a->frames, NULL, a->max);
}

void ahead_start(run_ahead *a, source *src, size_t max)
{
    a->src = src;
    a->max = max;
    pool_start(a->reader, 1, gather, a);
}

ssize_t ahead_wait(run_ahead *a, float **frames)
{
    pool_wait(a->reader);
    float *read = a->frames;
    a->frames = *frames;
    *frames = read;
    return a->got;
}
