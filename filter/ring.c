/* sem_clockwait: with sem_timedwait, setting the clock back would prolong a wait. */
#define _GNU_SOURCE

#include "filter/ring.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GAPS = 256, /* known at once; when they are all taken, frames have no room either */
    LINE = 64,  /* bytes of a cache line, so that the two sides do not slow each other */
};

typedef struct {
    uint64_t place; /* frames that were written before it */
    uint64_t lost;
} gap;

struct ring {
    float *frames;
    size_t capacity; /* a power of two */
    size_t channels;
    gap gaps[GAPS];
    sem_t posted;

    char pad_writer[LINE];
    _Atomic uint64_t written, gaps_written;
    atomic_bool ended;
    uint64_t pending; /* lost since the last frame; the writer's alone */

    char pad_reader[LINE];
    _Atomic uint64_t read, gaps_read;
};

ring *ring_create(size_t frames, size_t channels)
{
    size_t capacity = 1;
    if (channels == 0 || frames > SIZE_MAX / 4 / sizeof(float) / channels) return NULL;
    while (capacity < frames) capacity *= 2;
    ring *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->frames = calloc(capacity * channels, sizeof *r->frames);
    r->capacity = capacity;
    r->channels = channels;
    if (r->frames && sem_init(&r->posted, 0, 0) == 0) return r;
    free(r->frames);
    free(r);
    return NULL;
}

void ring_destroy(ring *r)
{
    if (!r) return;
    sem_destroy(&r->posted);
    free(r->frames);
    free(r);
}

/* Make the pending gap known, unless fewer than `spare` + 1 records are free. */
static bool put_gap(ring *r, uint64_t place, uint64_t spare)
{
    uint64_t at = atomic_load_explicit(&r->gaps_written, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&r->gaps_read, memory_order_acquire);
    if (at - done + spare >= GAPS) return false;
    r->gaps[at % GAPS] = (gap){place, r->pending};
    r->pending = 0;
    atomic_store_explicit(&r->gaps_written, at + 1, memory_order_release);
    return true;
}

/* Where frame `at` lies, and how many of n lie in one piece from there on. */
static float *piece(const ring *r, uint64_t at, size_t n, size_t *in_one)
{
    size_t begin = (size_t)(at & (r->capacity - 1));
    *in_one = n < r->capacity - begin ? n : r->capacity - begin;
    return r->frames + begin * r->channels;
}

static void copy_in(ring *r, uint64_t at, const float *frames, size_t n)
{
    size_t first;
    float *place = piece(r, at, n, &first);
    memcpy(place, frames, first * r->channels * sizeof *frames);
    memcpy(r->frames, frames + first * r->channels, (n - first) * r->channels * sizeof *frames);
}

static void copy_out(const ring *r, uint64_t at, float *frames, size_t n)
{
    size_t first;
    const float *place = piece(r, at, n, &first);
    memcpy(frames, place, first * r->channels * sizeof *frames);
    memcpy(frames + first * r->channels, r->frames, (n - first) * r->channels * sizeof *frames);
}

size_t ring_write(ring *r, const float *frames, size_t n)
{
    uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&r->read, memory_order_acquire);
    size_t room = r->capacity - (size_t)(at - done);
    if (n > 0 && room > 0 && r->pending > 0 && !put_gap(r, at, 1)) room = 0;
    size_t fits = n < room ? n : room;
    if (fits > 0) copy_in(r, at, frames, fits);
    r->pending += n - fits;
    atomic_store_explicit(&r->written, at + fits, memory_order_release);
    sem_post(&r->posted); /* fails only where the count is full, and then nobody sleeps */
    return fits;
}

void ring_lose(ring *r, uint64_t n)
{
    r->pending += n;
}

void ring_end(ring *r)
{
    uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    if (r->pending > 0) put_gap(r, at, 0); /* ring_write left a record for it */
    atomic_store_explicit(&r->ended, true, memory_order_release);
    sem_post(&r->posted);
}

/* The next record of a gap, NULL if none is known. */
static const gap *next_gap(const ring *r, uint64_t gaps_read)
{
    uint64_t known = atomic_load_explicit(&r->gaps_written, memory_order_acquire);
    return gaps_read < known ? &r->gaps[gaps_read % GAPS] : NULL;
}

size_t ring_read(ring *r, float *frames, size_t max, uint64_t *lost)
{
    *lost = 0;
    bool ended = atomic_load_explicit(&r->ended, memory_order_acquire);
    uint64_t known = atomic_load_explicit(&r->written, memory_order_acquire);
    uint64_t at = atomic_load_explicit(&r->read, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&r->gaps_read, memory_order_relaxed);
    if (max == 0 || (known == at && !ended)) return 0;
    /* All gaps before `known` are seen; the newest may lie at it or behind. */
    const gap *g = next_gap(r, done);
    if (g && g->place == at) {
        *lost = g->lost;
        atomic_store_explicit(&r->gaps_read, ++done, memory_order_release);
        g = next_gap(r, done);
    }
    uint64_t end = g && g->place < known ? g->place : known;
    size_t n = end - at < max ? (size_t)(end - at) : max;
    copy_out(r, at, frames, n);
    atomic_store_explicit(&r->read, at + n, memory_order_release);
    return n;
}

/* timeout_s from now, on CLOCK_MONOTONIC. */
static struct timespec deadline(double timeout_s)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    time_t whole = (time_t)timeout_s;
    t.tv_sec += whole;
    t.tv_nsec += (long)((timeout_s - (double)whole) * 1e9);
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

bool ring_wait(ring *r, double timeout_s)
{
    struct timespec until = deadline(timeout_s);
    if (sem_clockwait(&r->posted, CLOCK_MONOTONIC, &until) != 0) return false;
    /* One wait for all that was posted: whoever reads next sees it all. */
    while (sem_trywait(&r->posted) == 0) continue;
    return true;
}
