#define _GNU_SOURCE /* sem_clockwait: setting the clock would change the waits of sem_timedwait */

#include "io/live/worker.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "io/fdio.h"

enum { POLL_MS = 50 };

struct worker {
    pthread_t thread;
    sem_t wanted, ended;
    worker_job *job; /* NULL ends the thread */
    void *user;
    atomic_bool busy;
};

static void *work(void *user)
{
    worker *w = user;
    for (;;) {
        while (sem_wait(&w->wanted) != 0) continue;
        if (!w->job) return NULL;
        w->job(w->user);
        atomic_store(&w->busy, false);
        sem_post(&w->ended);
    }
}

static bool start_thread(worker *w)
{
    sigset_t all, mask;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &mask);
    const int failure = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return !failure;
}

worker *worker_create(void)
{
    worker *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    sem_init(&w->wanted, 0, 0);
    sem_init(&w->ended, 0, 0);
    if (start_thread(w)) return w;
    free(w);
    return NULL;
}

void worker_start(worker *w, worker_job *job, void *user)
{
    w->job = job;
    w->user = user;
    atomic_store(&w->busy, true);
    sem_post(&w->wanted);
}

/* Sleep until a job has ended, POLL_MS at most. */
static void doze(worker *w)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POLL_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    sem_clockwait(&w->ended, CLOCK_MONOTONIC, &until);
}

/* A job that ended unseen has left `ended` posted, so the first sleep may be none. */
bool worker_wait(worker *w, int wake_fd, double timeout_s)
{
    for (double waited_ms = 0; atomic_load(&w->busy); waited_ms += POLL_MS) {
        if (waited_ms >= timeout_s * 1000 || fd_is_ready(wake_fd)) return false;
        doze(w);
    }
    return true;
}

bool worker_destroy(worker *w)
{
    if (atomic_load(&w->busy)) return false;
    w->job = NULL;
    sem_post(&w->wanted);
    pthread_join(w->thread, NULL);
    sem_destroy(&w->wanted);
    sem_destroy(&w->ended);
    free(w);
    return true;
}
