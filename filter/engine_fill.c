#include "filter/engine_fill.h"

#include <stdatomic.h>

#include "filter/finite.h"
#include "kernels/float_env.h"

enum {
    SLICE_VALUES = 1 << 15, /* of one thread at once: what is looked at is in its cache */
    LEAST_VALUES = 1 << 17,
    MOST_FILLERS = 8 /* more do not find memory any faster */
};

typedef struct {
    engine_reader *read;
    void *user;
    float *to;
    size_t channels, n, slice; /* samples */
    atomic_size_t got;         /* without a break */
    atomic_size_t finite;      /* before the first that is not */
} filling;

static void lower(atomic_size_t *least, size_t to)
{
    size_t now = atomic_load(least);
    while (to < now && !atomic_compare_exchange_weak(least, &now, to)) continue;
}

static void fill_slice(void *user, size_t i, size_t thread)
{
    filling *f = user;
    (void)thread;
    const size_t at = i * f->slice, n = f->n - at < f->slice ? f->n - at : f->slice;
    float *to = f->to + at * f->channels;
    const size_t got = f->read(f->user, to, at, n);
    const size_t finite = finite_run(to, got, f->channels, true);
    if (got < n) lower(&f->got, at + got);
    if (finite < got) lower(&f->finite, at + finite);
}

/* n samples, all of them finite, that lie in sweep_space. */
static void take_finite(sigrep *engine, size_t n)
{
    if (!n) return;
    sweep_filled(engine->sw, n);
    engine->samples += n;
    engine->frames += n;
    engine->gap_samples = 0;
}

/* What follows the first gap is appended as if it had been pushed: to where it lies already, or
 * before that. */
static sigrep_status fill(sigrep *engine, filling *f)
{
    const sigrep_status status = engine_make_room(engine);
    if (status) return status;
    const size_t room = sweep_room(engine->sw);
    if (f->n > room) f->n = room;
    f->to = sweep_space(engine->sw);
    atomic_store(&f->got, f->n);
    atomic_store(&f->finite, f->n);
    pool_run(engine->fillers, (f->n + f->slice - 1) / f->slice, fill_slice, f);
    const size_t got = f->got, finite = f->finite < got ? f->finite : got;
    take_finite(engine, finite);
    return engine_take(engine, f->to + finite * f->channels, got - finite);
}

sigrep_status engine_fill(sigrep *engine, size_t n, engine_reader *read, void *user, size_t *got)
{
    *got = 0;
    if (engine->over || !engine->fillers || n < LEAST_VALUES / engine->channels)
        return engine->over;
    filling f = {.read = read, .user = user, .channels = engine->channels, .n = n};
    f.slice = SLICE_VALUES / engine->channels;
    const float_env before = float_env_enter();
    engine->over = fill(engine, &f);
    float_env_leave(before);
    *got = f.got;
    return engine->over;
}

void engine_create_fillers(sigrep *engine, size_t threads)
{
    const bool fills = engine->behind && !engine->best && front_end_is_identity(engine->chain);
    if (fills) pool_create(&engine->fillers, threads < MOST_FILLERS ? threads : MOST_FILLERS);
}
