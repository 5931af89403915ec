#include "tools/sigrep/service/service.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

struct service {
    service_job job;
    int stop_fd;
    pthread_t thread;
    pthread_mutex_t lock;
    bool is_waiting; /* the worker; under the lock */
    atomic_uint due;
};

/* Do what is due of these kinds. */
static void attend(service *s, unsigned kinds)
{
    const unsigned due = atomic_fetch_and(&s->due, ~kinds) & kinds;
    if (due) atomic_fetch_or(&s->due, s->job.attend(s->job.user, due));
}

/* This is due: do it now if the worker waits. */
static void note(service *s, unsigned kinds)
{
    atomic_fetch_or(&s->due, kinds);
    attend(s, s->job.at_once);
    pthread_mutex_lock(&s->lock);
    if (s->is_waiting) attend(s, kinds);
    pthread_mutex_unlock(&s->lock);
}

static void take_hangups(service *s)
{
    struct signalfd_siginfo hangup;
    bool has_come = false;
    while (read(s->job.hangup_fd, &hangup, sizeof hangup) > 0) has_come = true;
    if (has_come) note(s, SERVICE_LOG);
}

static void *keep_watch(void *user)
{
    service *s = user;
    struct pollfd fds[] = {{s->stop_fd, POLLIN, 0}, {s->job.hangup_fd, POLLIN, 0}};
    for (;;) {
        const int n = poll(fds, sizeof fds / sizeof *fds, -1);
        if (n < 0 && errno != EINTR) break;
        if (n > 0 && fds[0].revents) break;
        if (n > 0 && fds[1].revents) take_hangups(s);
    }
    return NULL;
}

service *service_start(const service_job *job)
{
    service *s = calloc(1, sizeof *s);
    if (!s) {
        report_no_memory(NULL);
        return NULL;
    }
    s->job = *job;
    s->stop_fd = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&s->lock, NULL);
    if (s->stop_fd >= 0 && signals_start_thread(&s->thread, keep_watch, s)) return s;
    report("no thread for a service");
    if (s->stop_fd >= 0) close(s->stop_fd);
    pthread_mutex_destroy(&s->lock);
    free(s);
    return NULL;
}

void service_stop(service *s)
{
    if (!s) return;
    eventfd_write(s->stop_fd, 1);
    pthread_join(s->thread, NULL);
    close(s->stop_fd);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void service_waits(service *s, bool begins)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->is_waiting = begins;
    if (begins) attend(s, ~0U);
    pthread_mutex_unlock(&s->lock);
}

void service_works(service *s)
{
    if (s && atomic_load(&s->due)) attend(s, ~0U);
}
