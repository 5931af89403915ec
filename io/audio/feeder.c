#include "io/audio/feeder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "io/fdio.h"

/* Read once and write all of it. false: the copy has ended. */
static bool copy_some(feeder *f)
{
    input *in = f->in;
    size_t n = input_have(in);
    if (n == 0) {
        /* input_more alone would not notice that the reader has gone. */
        const bool waits = !in->ended && !(in->unpack && unpack_holds_more(in->unpack));
        if (waits && fd_wait(in->fd, in->wake_fd, f->out) == FD_PEER_GONE) return false;
        return input_more(in);
    }
    declared_size_feed(f->declared_size, input_bytes(in), n);
    int error = fd_write_all(f->out, input_bytes(in), n);
    input_consume(in, n);
    if (error && error != EPIPE) in->failure = error;
    return error == 0;
}

static void *feed(void *argument)
{
    feeder *f = argument;
    while (copy_some(f)) continue;
    atomic_store(&f->ended, true);
    close(f->out);
    return NULL;
}

/* All signals are blocked: handlers run in the caller's threads, and SIGPIPE becomes EPIPE. */
static int start_thread(feeder *f)
{
    sigset_t all, saved;
    sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &saved);
    if (error) return error;
    error = pthread_create(&f->thread, NULL, feed, f);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    return error;
}

int feeder_start(feeder *f, input *in, declared_size *d, int *read_end)
{
    int ends[2];
    if (pipe(ends) != 0) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    f->in = in;
    f->declared_size = d;
    f->out = ends[1];
    atomic_init(&f->ended, false);
    int error = start_thread(f);
    if (error) {
        close(ends[0]);
        close(ends[1]);
        return error;
    }
    *read_end = ends[0];
    return 0;
}

bool feeder_ended(feeder *f)
{
    return atomic_load(&f->ended);
}

void feeder_stop(feeder *f)
{
    pthread_join(f->thread, NULL);
}
