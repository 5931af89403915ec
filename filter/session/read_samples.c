/*
 * read_samples.c - sigrep_read: samples from the caller's function straight into the search.
 *
 * A GPU searches short templates faster than one core reads a file. If the front end changes
 * nothing, several threads write into the window of the searches, each its own slices:
 *
 *     window   |<-- chunk at work -->|<-- appended -->|<--- room --->|
 *                                                      | | | | | | |     slices, in any order
 *
 * The threads are not those of the kernel, which may work at the same time; a kernel on the CPU
 * waits meanwhile. Any other front end gets its samples through a buffer. If threads share the
 * front end, the buffer is as long as a push that they can share.
 */
#include "filter/session/session.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "filter/finite.h"
#include "filter/search/searches.h"
#include "filter/session/front_end_parts.h"
#include "kernels/float_env.h"
#include "kernels/pool.h"

enum {
    SLICE_VALUES = 1 << 15, /* that a thread reads at once; they fit into its cache */
    MOST_READERS = 8        /* more threads do not read memory faster */
};

/* One pass over the slices. */
typedef struct {
    sigrep_read_fn *read;
    void *user;
    size_t first; /* its first sample, counted from the call of sigrep_read */
    float *to;
    size_t channels, n, slice; /* n and slice in samples */
    atomic_size_t got;         /* samples read before the first slice that is short */
    atomic_size_t finite;      /* samples before the first that is not finite */
} read_pass;

static void lower(atomic_size_t *least, size_t to)
{
    size_t now = atomic_load(least);
    while (to < now && !atomic_compare_exchange_weak(least, &now, to)) continue;
}

static void read_slice(void *user, size_t i, size_t thread)
{
    read_pass *p = user;
    (void)thread;
    const size_t at = i * p->slice, n = p->n - at < p->slice ? p->n - at : p->slice;
    float *to = p->to + at * p->channels;
    const size_t got = p->read(p->user, to, p->first + at, n);
    const size_t finite = finite_run(to, got, p->channels, true);
    if (got < n) lower(&p->got, at + got);
    if (finite < got) lower(&p->finite, at + finite);
}

/* While a GPU searches, the workers may be busy. */
static void read_slices(const sigrep *session, read_pass *p)
{
    pool *readers = session->background ? session->helpers : session->workers;
    atomic_store(&p->got, p->n);
    atomic_store(&p->finite, p->n);
    pool_run(readers, (p->n + p->slice - 1) / p->slice, read_slice, p);
}

/* The next n samples lie in searches_space, all of them finite. */
static void take_finite(sigrep *session, size_t n)
{
    if (!n) return;
    searches_filled(session->searches, n);
    session->samples += n;
    session->frames += n;
    session->gap_samples = 0;
}

/* Read up to n samples into the window. From the first gap on, session_take moves them. */
static sigrep_status read_into_window(sigrep *session, read_pass *p)
{
    const sigrep_status status = session_make_room(session);
    if (status) return status;
    const size_t room = searches_room(session->searches);
    if (p->n > room) p->n = room;
    p->to = searches_space(session->searches);
    read_slices(session, p);
    const size_t got = p->got, finite = p->finite < got ? p->finite : got;
    take_finite(session, finite);
    return session_take(session, p->to + finite * p->channels, got - finite);
}

/* Read up to `room` samples into the buffer. */
static sigrep_status read_into_buffer(sigrep *session, read_pass *p, size_t room)
{
    const size_t size = room * p->channels * sizeof *session->read_buffer;
    if (!session->read_buffer) session->read_buffer = malloc(size);
    if (!session->read_buffer) return SIGREP_NO_MEMORY;
    if (p->n > room) p->n = room;
    p->to = session->read_buffer;
    read_slices(session, p);
    return p->finite >= p->got ? session_take_finite(session, p->to, p->got)
                               : session_take(session, p->to, p->got);
}

/* Read until n samples are there or `read` gives fewer than it was asked for. Between two
 * turns, of a buffer or at most a chunk each, it asks whether to stop. */
static sigrep_status read_all(sigrep *session, size_t n, sigrep_read_fn *read, void *user,
                              size_t *got)
{
    const bool into_window = !session->best && front_end_is_identity(session->chain);
    const size_t slice = SLICE_VALUES / session->channels;
    const size_t shared = front_end_parts_most(session->parts); /* 0 for an identity */
    const size_t room = shared > slice ? shared : slice;
    sigrep_status status = SIGREP_OK;
    for (bool ended = false; *got < n && !ended && !status;) {
        read_pass p = {.read = read,
                       .user = user,
                       .first = *got,
                       .n = n - *got,
                       .channels = session->channels,
                       .slice = slice};
        status = into_window ? read_into_window(session, &p) : read_into_buffer(session, &p, room);
        *got += p.got;
        ended = p.got < p.n;
        if (!status && !ended && *got < n && stopping_is_wanted_now(&session->path.stop))
            status = SIGREP_STOPPED;
    }
    return status;
}

sigrep_status sigrep_read(sigrep *session, size_t n, sigrep_read_fn *read, void *user, size_t *got)
{
    *got = 0;
    const sigrep_status refused = session_refuses(session);
    if (refused) return refused;
    const float_env before = float_env_enter();
    session->over = read_all(session, n, read, user, got);
    if (!session->over) session->over = session_go_on(session);
    float_env_leave(before);
    return session->over;
}

void session_create_readers(sigrep *session, size_t threads)
{
    const bool pays =
        session->background && !session->best && front_end_is_identity(session->chain);
    if (pays) pool_create(&session->helpers, threads < MOST_READERS ? threads : MOST_READERS);
}
