#include "filter/run_ahead.h"

#include <stdlib.h>

#include "kernels/pool.h"

struct run_ahead {
    pool *reader;  /* two threads: the caller's takes no part */
    pool *readers; /* who help that one; NULL: nobody */
    float *frames;
    source *src;
    size_t max;
    ssize_t got;
};

/* A task of source_share, as one of a pool. */
typedef struct {
    void (*task)(void *arg, size_t i);
    void *arg;
} shared_task;

static void do_task(void *user, size_t i, size_t thread)
{
    const shared_task *t = user;
    (void)thread;
    t->task(t->arg, i);
}

static void share(void *user, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    run_ahead *a = user;
    shared_task t = {task, arg};
    pool_run(a->readers, n, do_task, &t);
}

run_ahead *ahead_create(source *src, size_t values, size_t threads)
{
    run_ahead *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->src = src;
    a->frames = malloc(values * sizeof *a->frames);
    if (a->frames && !pool_create(&a->reader, 2) && !pool_create(&a->readers, threads)) {
        if (a->readers) source_share(src, share, a);
        return a;
    }
    ahead_destroy(a);
    return NULL;
}

void ahead_destroy(run_ahead *a)
{
    if (!a) return;
    source_share(a->src, NULL, NULL);
    pool_destroy(a->reader);
    pool_destroy(a->readers);
    free(a->frames);
    free(a);
}

static void gather(void *user, size_t task, size_t thread)
{
    run_ahead *a = user;
    (void)task, (void)thread;
    a->got = source_gather(a->src, a->frames, NULL, a->max);
}

void ahead_start(run_ahead *a, size_t max)
{
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
