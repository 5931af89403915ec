#define _GNU_SOURCE /* sem_clockwait: setting the clock would change the waits of sem_timedwait */

#include "io/live/ring.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GAPS = 256, /* records of gaps; while all are in use, new frames are lost too */
    LINE = 64,  /* bytes of a cache line; keeps the indexes of both sides apart */
};

typedef struct {
    uint64_t place; /* frames written before it */
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
    uint64_t pending; /* frames lost since the last one written; only the writer uses it */

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

/* Record the pending gap and leave `reserve` records free. false: there is no room for that. */
static bool record_gap(ring *r, uint64_t place, uint64_t reserve)
{
    uint64_t at = atomic_load_explicit(&r->gaps_written, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&r->gaps_read, memory_order_acquire);
    if (at - done + reserve >= GAPS) return false;
    r->gaps[at % GAPS] = (gap){place, r->pending};
    r->pending = 0;
    atomic_store_explicit(&r->gaps_written, at + 1, memory_order_release);
    return true;
}

/* The place of frame `at`, and how many of n frames lie there before the ring wraps. */
static float *frame_at(const ring *r, uint64_t at, size_t n, size_t *before_wrap)
{
    size_t begin = (size_t)(at & (r->capacity - 1));
    *before_wrap = n < r->capacity - begin ? n : r->capacity - begin;
    return r->frames + begin * r->channels;
}

static void copy_in(ring *r, uint64_t at, const float *frames, size_t n)
{
    size_t first;
    float *place = frame_at(r, at, n, &first);
    memcpy(place, frames, first * r->channels * sizeof *frames);
    memcpy(r->frames, frames + first * r->channels, (n - first) * r->channels * sizeof *frames);
}

static void copy_out(const ring *r, uint64_t at, float *frames, size_t n)
{
    size_t first;
    const float *place = frame_at(r, at, n, &first);
    memcpy(frames, place, first * r->channels * sizeof *frames);
    memcpy(frames + first * r->channels, r->frames, (n - first) * r->channels * sizeof *frames);
}

size_t ring_write(ring *r, const float *frames, size_t n)
{
    uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    uint64_t done = atomic_load_explicit(&r->read, memory_order_acquire);
    size_t room = r->capacity - (size_t)(at - done);
    if (n > 0 && room > 0 && r->pending > 0 && !record_gap(r, at, 1)) room = 0;
    size_t fits = n < room ? n : room;
    if (fits > 0) copy_in(r, at, frames, fits);
    r->pending += n - fits;
    atomic_store_explicit(&r->written, at + fits, memory_order_release);
    sem_post(&r->posted); /* fails only if its count is full; then nobody sleeps */
    return fits;
}

void ring_add_gap(ring *r, uint64_t n)
{
    r->pending += n;
}

void ring_end(ring *r)
{
    uint64_t at = atomic_load_explicit(&r->written, memory_order_relaxed);
    if (r->pending > 0) record_gap(r, at, 0); /* ring_write left a record free for it */
    atomic_store_explicit(&r->ended, true, memory_order_release);
    sem_post(&r->posted);
}

/* The next gap, NULL if none is recorded. */
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
    /* Every gap before `known` is visible; the newest may lie at `known` or after it. */
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
    /* Several posts are one wait: the next read sees all their frames. */
    while (sem_trywait(&r->posted) == 0) continue;
    return true;
}
