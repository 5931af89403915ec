/*
 * engine_share.c - a long push, shared among threads: where the front end does nothing and a device
 * is at work behind the caller, what remains to do for a sample is to see that it is finite and to
 * copy it into the window, which a single core does at a fraction of what memory allows.
 */
#include <stdatomic.h>
#include <string.h>

#include "filter/engine.h"
#include "filter/finite.h"

enum { SLICE = 1 << 16, LEAST_SLICES = 4 /* values */, LEAST_THREADS = 3 };

typedef struct {
    const float *from;
    float *to;
    size_t n;
    atomic_size_t finite; /* values at the head */
} sharing;

static void take_slice(void *user, size_t i, size_t thread)
{
    sharing *s = user;
    (void)thread;
    const size_t at = i * SLICE, n = s->n - at < SLICE ? s->n - at : SLICE;
    const size_t run = finite_values(s->from + at, n);
    memcpy(s->to + at, s->from + at, run * sizeof *s->to);
    size_t least = atomic_load(&s->finite);
    while (run < n && at + run < least &&
           !atomic_compare_exchange_weak(&s->finite, &least, at + run))
        continue;
}

bool engine_shares(const sigrep *engine)
{
    return engine->behind && !engine->best && pool_threads(engine->workers) >= LEAST_THREADS &&
           front_end_is_identity(engine->chain);
}

size_t engine_take_shared(sigrep *engine, const float *samples, size_t n)
{
    const size_t room = sweep_room(engine->sw), now = n < room ? n : room;
    const size_t values = now * engine->channels;
    if (values < LEAST_SLICES * SLICE) return 0;
    sharing s = {.from = samples, .to = sweep_extend(engine->sw, now), .n = values};
    atomic_init(&s.finite, values);
    pool_run(engine->workers, (values + SLICE - 1) / SLICE, take_slice, &s);
    const size_t taken = atomic_load(&s.finite) / engine->channels;
    sweep_extended(engine->sw, taken);
    engine->samples += taken;
    engine->frames += taken;
    if (taken) engine->gap_samples = 0;
    return taken;
}
