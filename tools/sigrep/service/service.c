#include "tools/sigrep/service/service.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"

struct service {
    service_job job;
    int stop_fd;
    pthread_t thread;
    pthread_mutex_t lock;
    int n_waiting; /* workers; under the lock */
    atomic_uint due;
    atomic_uint works;                   /* pieces of work */
    atomic_bool is_ready, is_stopping;   /* that was said */
    unsigned works_before;               /* at the last word to the watchdog */
    int64_t watchdog_at_ns, stats_at_ns; /* when the next ones are due */
};

/* Do what is due of these kinds. */
static void attend(service *s, unsigned kinds)
{
    const unsigned due = atomic_fetch_and(&s->due, ~kinds) & kinds;
    if (due) atomic_fetch_or(&s->due, s->job.attend(s->job.user, due));
}

/* These are due: do them now if the worker waits. */
static void note(service *s, unsigned kinds)
{
    atomic_fetch_or(&s->due, kinds);
    attend(s, s->job.at_once);
    pthread_mutex_lock(&s->lock);
    if (s->n_waiting > 0) attend(s, kinds);
    pthread_mutex_unlock(&s->lock);
}

static void take_hangups(service *s)
{
    struct signalfd_siginfo hangup;
    bool has_come = false;
    while (read(s->job.hangup_fd, &hangup, sizeof hangup) > 0) has_come = true;
    if (has_come) note(s, SERVICE_LOG);
}

/* Once. */
static void say(const service *s, atomic_bool *said, const char *words)
{
    if (!atomic_exchange(said, true)) notifier_send(&s->job.notifier, words);
}

/* Is a worker alive? Then tell the watchdog, if it is time. */
static void tell_watchdog(service *s)
{
    const int64_t now_ns = fd_now_ns();
    if (s->job.notifier.watchdog_ns == 0 || now_ns < s->watchdog_at_ns) return;
    const unsigned works = atomic_load(&s->works);
    pthread_mutex_lock(&s->lock);
    const bool is_alive = s->n_waiting > 0 || works != s->works_before;
    pthread_mutex_unlock(&s->lock);
    if (is_alive) notifier_send(&s->job.notifier, "WATCHDOG=1");
    s->works_before = works;
    s->watchdog_at_ns = now_ns + s->job.notifier.watchdog_ns;
}

/* Are figures due? */
static void look_at_clock(service *s)
{
    const int64_t now_ns = fd_now_ns();
    if (s->job.stats_ns == 0 || now_ns < s->stats_at_ns) return;
    note(s, SERVICE_STATS);
    s->stats_at_ns = now_ns + s->job.stats_ns;
}

/* Until the next thing is due; -1: for ever. */
static int wait_ms(const service *s)
{
    int64_t at_ns = INT64_MAX;
    if (s->job.notifier.watchdog_ns > 0) at_ns = s->watchdog_at_ns;
    if (s->job.stats_ns > 0 && s->stats_at_ns < at_ns) at_ns = s->stats_at_ns;
    if (at_ns == INT64_MAX) return -1;
    const int64_t ms = (at_ns - fd_now_ns()) / 1000000 + 1;
    return ms < 0 ? 0 : ms < INT_MAX ? (int)ms : INT_MAX;
}

static void *keep_watch(void *user)
{
    service *s = user;
    struct pollfd fds[] = {
        {s->stop_fd, POLLIN, 0}, {s->job.hangup_fd, POLLIN, 0}, {s->job.wake_fd, POLLIN, 0}};
    for (;;) {
        const int n = poll(fds, sizeof fds / sizeof *fds, wait_ms(s));
        if (n < 0 && errno != EINTR) break;
        if (n > 0 && fds[0].revents) break;
        if (n > 0 && fds[1].revents) take_hangups(s);
        if (n > 0 && fds[2].revents) {
            say(s, &s->is_stopping, "STOPPING=1");
            fds[2].fd = -1; /* it stays readable */
        }
        tell_watchdog(s);
        look_at_clock(s);
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
    s->stats_at_ns = fd_now_ns() + job->stats_ns;
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
    say(s, &s->is_stopping, "STOPPING=1");
    eventfd_write(s->stop_fd, 1);
    pthread_join(s->thread, NULL);
    close(s->stop_fd);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void service_is_ready(service *s)
{
    if (s) say(s, &s->is_ready, "READY=1");
}

void service_waits(service *s, bool begins)
{
    if (!s) return;
    atomic_fetch_add(&s->works, 1);
    pthread_mutex_lock(&s->lock);
    s->n_waiting += begins ? 1 : -1;
    if (begins) attend(s, ~0U);
    pthread_mutex_unlock(&s->lock);
}

void service_works(service *s)
{
    if (!s) return;
    atomic_fetch_add(&s->works, 1);
    if (atomic_load(&s->due)) attend(s, ~0U);
}
