#include "io/live/ring.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"

/* Frame i is (i & 0xffffff, i >> 24): both halves are exact floats. */
enum { CHANNELS = 2, MOST = 700, ROOM = 1000, TOO_MANY = 3 * ROOM };
static const uint64_t FRAMES = 12000000;

static void put(float *frame, uint64_t i)
{
    frame[0] = (float)(i & 0xffffff);
    frame[1] = (float)(i >> 24);
}

static uint64_t number(const float *frame)
{
    return (uint64_t)frame[0] | (uint64_t)frame[1] << 24;
}

static void frames_come_out_in_order(void)
{
    ring *r = ring_create(4, CHANNELS);
    float in[8 * CHANNELS], out[8 * CHANNELS];
    uint64_t lost, next = 0;
    for (uint64_t begin = 0; begin < 100; begin += 3) {
        for (uint64_t i = 0; i < 3; i++) put(in + i * CHANNELS, begin + i);
        CHECK(ring_write(r, in, 3) == 3);
        CHECK(ring_read(r, out, 2, &lost) == 2 && lost == 0);
        CHECK(ring_read(r, out + 2 * CHANNELS, 8, &lost) == 1 && lost == 0);
        for (size_t i = 0; i < 3; i++) CHECK(number(out + i * CHANNELS) == next++);
        CHECK(ring_read(r, out, 8, &lost) == 0 && lost == 0);
    }
    ring_destroy(r);
}

static void frames_without_room_are_a_gap(void)
{
    ring *r = ring_create(4, 1);
    const float in[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    float out[8];
    uint64_t lost;
    CHECK(ring_write(r, in, 6) == 4);
    CHECK(ring_write(r, in + 6, 1) == 0);
    CHECK(ring_read(r, out, 1, &lost) == 1 && out[0] == 0 && lost == 0);
    CHECK(ring_write(r, in + 7, 1) == 1);
    /* A read stops before the gap; the next one reports it. */
    CHECK(ring_read(r, out, 8, &lost) == 3 && out[0] == 1 && out[2] == 3 && lost == 0);
    CHECK(ring_read(r, out, 8, &lost) == 1 && out[0] == 7 && lost == 3);
    ring_destroy(r);
}

static void missing_frames_are_a_gap(void)
{
    ring *r = ring_create(8, 1);
    const float in[] = {0, 1, 2};
    float out[8];
    uint64_t lost;
    ring_add_gap(r, 5);
    CHECK(ring_read(r, out, 8, &lost) == 0 && lost == 0);
    ring_write(r, in, 2);
    ring_add_gap(r, (uint64_t)1 << 40);
    ring_add_gap(r, 1);
    CHECK(ring_read(r, out, 8, &lost) == 2 && lost == 5);
    CHECK(ring_read(r, out, 8, &lost) == 0 && lost == 0);
    ring_write(r, in + 2, 1);
    CHECK(ring_read(r, out, 8, &lost) == 1 && lost == ((uint64_t)1 << 40) + 1 && out[0] == 2);
    ring_destroy(r);
}

static void the_last_gap_comes_with_the_end(void)
{
    ring *r = ring_create(2, 1);
    const float in[] = {0, 1, 2};
    float out[8];
    uint64_t lost;
    ring_write(r, in, 3);
    ring_end(r);
    CHECK(ring_read(r, out, 1, &lost) == 1 && lost == 0);
    CHECK(ring_read(r, out, 8, &lost) == 1 && lost == 0);
    CHECK(ring_read(r, out, 8, &lost) == 0 && lost == 1);
    CHECK(ring_read(r, out, 8, &lost) == 0 && lost == 0);
    ring_destroy(r);
}

static void more_gaps_than_records_become_one(void)
{
    ring *r = ring_create(4096, 1);
    float value = 0, out[4096];
    uint64_t lost, in_all = 0, frames = 0, written = 0, had_room = 0;
    for (int i = 0; i < 1000; i++) {
        ring_add_gap(r, 2);
        written += 3;
        value = (float)i;
        had_room += ring_write(r, &value, 1);
    }
    ring_end(r);
    for (int i = 0; i < 2000; i++) {
        size_t n = ring_read(r, out, 4096, &lost);
        in_all += lost;
        frames += n;
    }
    CHECK_MSG(in_all + frames == written, "%llu", (unsigned long long)(in_all + frames));
    CHECK(frames > 200 && frames < 1000 && had_room == frames);
    ring_destroy(r);
}

static void absurd_sizes_are_refused(void)
{
    CHECK(!ring_create(SIZE_MAX / 2, 1) && !ring_create(SIZE_MAX / 64, 64));
    CHECK(!ring_create(4, 0));
    ring_destroy(NULL);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void a_wait_ends_by_a_write_or_in_time(void)
{
    ring *r = ring_create(8, 1);
    const float value = 1;
    double began = now_s();
    CHECK(!ring_wait(r, 0.05));
    CHECK(now_s() - began >= 0.049);
    ring_write(r, &value, 1);
    ring_write(r, &value, 1);
    CHECK(ring_wait(r, 60));
    CHECK(!ring_wait(r, 0)); /* the two were one */
    ring_destroy(r);
}

typedef struct {
    ring *r;
    uint64_t seed;
    uint64_t lost_by_hand, without_room;
    _Atomic uint64_t came; /* what the reader got */
} writer_state;

/* Write n frames from number i on, up to the end. Returns how many had room. */
static size_t write_some(writer_state *w, uint64_t i, size_t n)
{
    static float frames[TOO_MANY * CHANNELS];
    for (size_t k = 0; k < n; k++) put(frames + k * CHANNELS, i + k);
    return ring_write(w->r, frames, n);
}

/* Unlike an audio callback this writer waits for the reader most of the time, so that nothing is
 * lost. Now and then it does not, and begins with more frames than the ring holds. */
static void *write_all(void *argument)
{
    writer_state *w = argument;
    unsigned burst = 0;
    uint64_t had_room = 0;
    for (uint64_t i = 0; i < FRAMES;) {
        size_t n = burst == 10 ? TOO_MANY : check_below(&w->seed, MOST) + 1;
        if (n > FRAMES - i) n = (size_t)(FRAMES - i);
        if (!burst && check_below(&w->seed, 50) == 0) {
            ring_add_gap(w->r, n);
            w->lost_by_hand += n;
        } else {
            const size_t fits = write_some(w, i, n);
            had_room += fits;
            w->without_room += n - fits;
        }
        i += n;
        if (burst > 0) burst--;
        if (!burst && check_below(&w->seed, 300) == 0) burst = 10;
        while (!burst && had_room - atomic_load(&w->came) > ROOM / 4) sched_yield();
    }
    ring_end(w->r);
    return NULL;
}

/* Read to the end. Returns the number of frames; *wrong: those out of order. */
static uint64_t read_all(writer_state *w, uint64_t seed, uint64_t *wrong, uint64_t *gaps)
{
    static float frames[MOST * CHANNELS];
    uint64_t came = 0, next = 0, lost;
    while (next < FRAMES) {
        size_t n = ring_read(w->r, frames, check_below(&seed, MOST) + 1, &lost);
        next += lost;
        *gaps += lost > 0;
        for (size_t k = 0; k < n; k++) *wrong += number(frames + k * CHANNELS) != next++;
        came += n;
        atomic_store(&w->came, came);
        if (n == 0 && lost == 0) ring_wait(w->r, 0.05);
    }
    *wrong += next != FRAMES;
    return came;
}

static void two_threads_account_for_every_frame(void)
{
    writer_state w = {.r = ring_create(ROOM, CHANNELS), .seed = check_seed("ring")};
    uint64_t wrong = 0, gaps = 0, seed = w.seed ^ 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_all, &w) != 0) abort();
    uint64_t came = read_all(&w, seed, &wrong, &gaps);
    pthread_join(thread, NULL);
    printf("%llu frames: %llu came, %llu without room, %llu lost by hand, %llu gaps\n",
           (unsigned long long)FRAMES, (unsigned long long)came, (unsigned long long)w.without_room,
           (unsigned long long)w.lost_by_hand, (unsigned long long)gaps);
    CHECK(wrong == 0);
    CHECK(came + w.without_room + w.lost_by_hand == FRAMES);
    CHECK(gaps > 100 && w.without_room > 0 && came > FRAMES / 2);
    ring_destroy(w.r);
}

int main(void)
{
    RUN(frames_come_out_in_order);
    RUN(frames_without_room_are_a_gap);
    RUN(missing_frames_are_a_gap);
    RUN(the_last_gap_comes_with_the_end);
    RUN(more_gaps_than_records_become_one);
    RUN(absurd_sizes_are_refused);
    RUN(a_wait_ends_by_a_write_or_in_time);
    RUN(two_threads_account_for_every_frame);
    return check_done();
}
