#include "tools/common/input/reads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum {
    LEAST_READ = 1 << 15, /* samples: a pipe-full of 16 bits each */
    MOST_READ = 1 << 20,
    READ_VALUES = 1 << 22, /* of all channels */
};

size_t read_size(size_t push_size, size_t channels)
{
    const size_t room = READ_VALUES / channels, most = room < MOST_READ ? room : MOST_READ;
    if (push_size >= most) return most;
    const size_t least = LEAST_READ < most ? LEAST_READ : most;
    const size_t n = push_size < least ? (least + push_size - 1) / push_size : 1;
    return (n * push_size <= most ? n : most / push_size) * push_size;
}

static size_t read_samples(void *user, float *to, size_t at, size_t n)
{
    return source_read_at(user, at, to, n);
}

sigrep_status fill_from_file(sigrep *search, source *src, size_t most, size_t *got)
{
    *got = 0;
    const uint64_t left = source_frames_left(src);
    if (!left) return SIGREP_OK;
    const size_t n = left < most ? (size_t)left : most;
    const sigrep_status status = sigrep_read(search, n, read_samples, src, got);
    if (*got) source_skip(src, *got);
    return status;
}

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
