#include "filter/session/fill.h"

#include <stdatomic.h>

#include "filter/finite.h"
#include "kernels/float_env.h"
#include "kernels/pool.h"

enum {
    SLICE_VALUES = 1 << 15, /* of one thread at once: what is looked at is in its cache */
    LEAST_VALUES = 1 << 17,
    MOST_FILLERS = 8 /* more do not find memory any faster */
};

typedef struct {
    session_reader *read;
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
static void take_finite(sigrep *session, size_t n)
{
    if (!n) return;
    sweep_filled(session->sw, n);
    session->samples += n;
    session->frames += n;
    session->gap_samples = 0;
}

/* What follows the first gap is appended as if it had been pushed: to where it lies already, or
 * before that. */
static sigrep_status fill(sigrep *session, filling *f)
{
    const sigrep_status status = session_make_room(session);
    if (status) return status;
    const size_t room = sweep_room(session->sw);
    if (f->n > room) f->n = room;
    f->to = sweep_space(session->sw);
    atomic_store(&f->got, f->n);
    atomic_store(&f->finite, f->n);
    pool_run(session->fillers, (f->n + f->slice - 1) / f->slice, fill_slice, f);
    const size_t got = f->got, finite = f->finite < got ? f->finite : got;
    take_finite(session, finite);
    return session_take(session, f->to + finite * f->channels, got - finite);
}

sigrep_status session_fill(sigrep *session, size_t n, session_reader *read, void *user, size_t *got)
{
    *got = 0;
    if (session->over || !session->fillers || n < LEAST_VALUES / session->channels)
        return session->over;
    filling f = {.read = read, .user = user, .channels = session->channels, .n = n};
    f.slice = SLICE_VALUES / session->channels;
    const float_env before = float_env_enter();
    session->over = fill(session, &f);
    float_env_leave(before);
    *got = f.got;
    return session->over;
}

void session_create_fillers(sigrep *session, size_t threads)
{
    const bool fills = session->behind && !session->best && front_end_is_identity(session->chain);
    if (fills) pool_create(&session->fillers, threads < MOST_FILLERS ? threads : MOST_FILLERS);
}
