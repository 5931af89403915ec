#include "tools/sigrep/read_ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct read_ahead {
    pthread_t reader; /* one thread a read: it costs far less than the read */
    bool has_reader;
    float *frames;
    source *src;
    size_t max; /* samples */
    ssize_t got;
};

read_ahead *read_ahead_create(size_t values)
{
    read_ahead *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->frames = malloc(values * sizeof *a->frames);
    if (a->frames) return a;
    free(a);
    return NULL;
}

void read_ahead_destroy(read_ahead *a)
{
    if (!a) return;
    free(a->frames);
    free(a);
}

static void *gather(void *user)
{
    read_ahead *a = user;
    a->got = source_gather(a->src, a->frames, NULL, a->max);
    return NULL;
}

/* Signals are for the caller's thread. */
void read_ahead_start(read_ahead *a, source *src, size_t max)
{
    sigset_t all, before;
    a->src = src;
    a->max = max;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->has_reader = pthread_create(&a->reader, NULL, gather, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

ssize_t read_ahead_wait(read_ahead *a, float **frames)
{
    if (a->has_reader)
        pthread_join(a->reader, NULL);
    else
        gather(a);
    float *read = a->frames;
    a->frames = *frames;
    *frames = read;
    return a->got;
}
