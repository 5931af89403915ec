/*
 * fake_streams.c - the streams, events and copies of fake_cuda.h.
 *
 *     stream 0   | copy | sweep | event | copy      a queue, if the machine is late
 *     stream 1   | copy | wait for that event | sweep
 *
 * A late machine does the operations of a queue only when somebody waits: for the stream, for an
 * event on it, or for all of a device. A query does one operation, so that repeated queries end.
 * Memory that is not pinned is copied as CUDA promises: the call has read what goes to the device
 * when it returns, and has written what comes from there.
 */
#ifdef TESTS_CUDA

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fake_cuda_inside.h"

typedef struct fake_stream fake_stream;

/* An entry of a queue. */
typedef struct operation {
    struct operation *next;
    void (*run)(void *what);
    fake_stream *waits_for; /* not NULL: wait for this stream's first `upto` operations instead */
    unsigned long upto;
    unsigned char *what;
} operation;

struct fake_stream {
    int device;
    operation *first, **end;
    unsigned long queued, done;
    fake_stream *next; /* of all streams */
};

typedef struct {
    fake_stream *on;
    unsigned long upto;
} fake_event;

/* A copy of `rows` rows. */
typedef struct {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, rows;
} copy;

enum { MOST_PINNED = 32 };
static struct {
    const char *memory;
    size_t bytes;
} pinned[MOST_PINNED];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for `pinned`, the streams and chance */
static fake_stream *streams;
static unsigned long long chance;

/* ---- queues; the caller has the lock ---- */

static bool is_dead(void)
{
    return fake_cuda.lost && fake_cuda.failed;
}

static void finish_upto(fake_stream *s, unsigned long upto)
{
    while (s->first && s->done < upto) {
        operation *t = s->first;
        if (t->waits_for) finish_upto(t->waits_for, t->upto);
        s->first = t->next;
        if (!s->first) s->end = &s->first;
        if (t->run && !is_dead()) t->run(t->what);
        s->done++;
        free(t->what);
        free(t);
    }
}

static unsigned long below(unsigned long n)
{
    chance = chance * 6364136223846793005u + 1442695040888963407u; /* Knuth's LCG */
    return (unsigned long)(chance >> 33) % n;
}

/* Do some operations of some streams, by chance. */
static void proceed_by_chance(void)
{
    if (fake_cuda.late < 2) return;
    chance += fake_cuda.late;
    for (fake_stream *s = streams; s; s = s->next)
        if (below(2)) finish_upto(s, s->done + below(4));
}

static void append(fake_stream *s, operation of)
{
    operation *t = malloc(sizeof *t);
    if (!t) abort();
    *t = of;
    *s->end = t;
    s->end = &t->next;
    s->queued++;
    proceed_by_chance();
}

static fake_stream *stream_of(cudaStream_t stream)
{
    return (void *)stream;
}

/* ---- for the kernels ---- */

void fake_stream_do(cudaStream_t stream, void (*run)(void *what), const void *what, size_t bytes)
{
    operation t = {.run = run, .what = malloc(bytes)};
    if (!t.what) abort();
    memcpy(t.what, what, bytes);
    if (fake_cuda.late) {
        pthread_mutex_lock(&lock);
        append(stream_of(stream), t);
        pthread_mutex_unlock(&lock);
    } else {
        run(t.what);
        free(t.what);
    }
}

int fake_stream_device(cudaStream_t stream)
{
    return stream_of(stream)->device;
}

void fake_streams_finish(void)
{
    pthread_mutex_lock(&lock);
    for (fake_stream *s = streams; s; s = s->next)
        if (s->device == fake_cuda_device()) finish_upto(s, s->queued);
    pthread_mutex_unlock(&lock);
}

static void finish(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    finish_upto(stream_of(stream), stream_of(stream)->queued);
    pthread_mutex_unlock(&lock);
}

/* ---- pinned memory ---- */

bool fake_memory_is_pinned(const void *p)
{
    const char *at = p;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_PINNED; i++)
        found = found || (pinned[i].memory && at >= pinned[i].memory &&
                          at < pinned[i].memory + pinned[i].bytes);
    pthread_mutex_unlock(&lock);
    return found;
}

bool fake_memory_pin(void *memory, size_t bytes)
{
    const bool already = fake_memory_is_pinned(memory);
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < MOST_PINNED - 1 && pinned[i].memory) i++;
    if (!already) {
        pinned[i].memory = memory;
        pinned[i].bytes = bytes;
    }
    pthread_mutex_unlock(&lock);
    return !already;
}

static void do_copy(void *what)
{
    const copy *c = what;
    for (size_t i = 0; i < c->rows; i++)
        memmove((char *)c->to + i * c->to_pitch, (const char *)c->from + i * c->from_pitch,
                c->width);
}

/* The number of queued copies from this memory or to it. */
static int copies_with(const char *memory, size_t bytes)
{
    int n = 0;
    for (const fake_stream *s = streams; s && !is_dead(); s = s->next)
        for (const operation *t = s->first; t; t = t->next) {
            if (t->run != do_copy) continue;
            const copy *c = (const void *)t->what;
            const char *from = c->from, *to = c->to;
            n += (from >= memory && from < memory + bytes) || (to >= memory && to < memory + bytes);
        }
    return n;
}

bool fake_memory_unpin(const void *memory)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_PINNED; i++) {
        if (pinned[i].memory != memory) continue;
        fake_cuda.hasty += copies_with(pinned[i].memory, pinned[i].bytes);
        pinned[i].memory = NULL;
        found = true;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- the runtime ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    fake_stream *s;
    const cudaError_t error = fake_cuda_allocate((void **)stream, sizeof *s, "cudaStreamCreate");
    if (error) return error;
    s = stream_of(*stream);
    *s = (fake_stream){.device = fake_cuda_device()};
    s->end = &s->first;
    pthread_mutex_lock(&lock);
    s->next = streams;
    streams = s;
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    finish(stream);
    pthread_mutex_lock(&lock);
    fake_stream **at = &streams;
    while (*at != stream_of(stream)) at = &(*at)->next;
    *at = stream_of(stream)->next;
    pthread_mutex_unlock(&lock);
    return fake_cuda_release(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaStreamSynchronize", stream);
    fake_cuda.waits++;
    if (!error) finish(stream);
    return error;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    fake_stream *s = stream_of(stream);
    const cudaError_t error = fake_cuda_enter("cudaStreamQuery", stream);
    if (error) return error;
    pthread_mutex_lock(&lock);
    finish_upto(s, s->done + 1);
    const bool done = !s->first;
    pthread_mutex_unlock(&lock);
    return done ? cudaSuccess : fake_cuda_not_ready();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    const cudaError_t error =
        fake_cuda_allocate((void **)event, sizeof(fake_event), "cudaEventCreate");
    if (!error) *(fake_event *)(void *)*event = (fake_event){.on = NULL};
    return error;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return fake_cuda_release(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaEventRecord", stream);
    if (error) return error;
    pthread_mutex_lock(&lock);
    *(fake_event *)(void *)event =
        (fake_event){.on = stream_of(stream), .upto = stream_of(stream)->queued};
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const fake_event *e = (void *)event;
    const cudaError_t error = fake_cuda_call("cudaEventSynchronize");
    fake_cuda.waits++;
    pthread_mutex_lock(&lock);
    if (!error && e->on) finish_upto(e->on, e->upto);
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    const fake_event *e = (void *)event;
    const cudaError_t error = fake_cuda_enter("cudaStreamWaitEvent", stream);
    pthread_mutex_lock(&lock);
    if (!error && e->on && fake_cuda.late)
        append(stream_of(stream), (operation){.waits_for = e->on, .upto = e->upto});
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    (void)from, (void)to;
    *ms = 1;
    return cudaSuccess;
}

/* ---- copies ---- */

/* Do a copy whose bytes follow *what. */
static void do_held_copy(void *what)
{
    const copy *c = what;
    memcpy(c->to, c + 1, c->width);
}

/* Read memory that is not pinned now, and write it later. */
static void hold_and_copy(copy c, cudaStream_t stream)
{
    unsigned char *held = malloc(sizeof c + c.width);
    if (!held) abort();
    memcpy(held, &c, sizeof c);
    memcpy(held + sizeof c, c.from, c.width);
    fake_stream_do(stream, do_held_copy, held, sizeof c + c.width);
    free(held);
}

static void copy_by(copy c, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    fake_cuda.fetched += kind == cudaMemcpyDeviceToHost;
    if (fake_cuda.late && kind == cudaMemcpyHostToDevice && c.rows == 1 &&
        !fake_memory_is_pinned(c.from)) {
        hold_and_copy(c, stream);
        return;
    }
    fake_stream_do(stream, do_copy, &c, sizeof c);
    if (fake_cuda.late && kind == cudaMemcpyDeviceToHost && !fake_memory_is_pinned(c.to))
        finish(stream);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaMemcpyAsync", stream);
    if (fake_cuda.instant && kind == cudaMemcpyHostToDevice) return error;
    if (!error && bytes)
        copy_by((copy){.to = to, .from = from, .width = bytes, .rows = 1}, kind, stream);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaMemcpyAsync", stream);
    if (!error) copy_by((copy){to, from, to_pitch, from_pitch, width, height}, kind, stream);
    return error;
}

typedef struct {
    void *to;
    int value;
    size_t bytes;
} filling;

static void fill(void *what)
{
    const filling *f = what;
    memset(f->to, f->value, f->bytes);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    const cudaError_t error = fake_cuda_enter("cudaMemsetAsync", stream);
    const filling f = {to, value, bytes};
    if (!error) fake_stream_do(stream, fill, &f, sizeof f);
    return error;
}

#else

typedef int nothing_else; /* a file must not be empty */

#endif
