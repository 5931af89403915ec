#include "kernels/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernels/float_env.h"

/* Looks before a thread sleeps: some 10 to 50 us. Chunks follow each other closely, and waking a
 * thread takes longer. */
enum { LOOKS = 1000 };

typedef struct {
    pool *owner;
    size_t number; /* from 1; the caller of pool_run is 0 */
    pthread_t thread;
} worker;

struct pool {
    pthread_mutex_t lock; /* to change the members below, up to the tasks; reading needs no lock */
    pthread_cond_t begin, end;
    atomic_ulong round; /* counts calls of pool_run */
    atomic_size_t busy; /* workers that have not finished this round */
    atomic_bool over;
    /* Constant during a round. */
    pid_t process; /* that has the workers: a fork leaves them behind */
    bool running;  /* a round is under way, so a caller of pool_run is one of its tasks */
    pool_task *task;
    void *user;
    size_t n_tasks;
    atomic_size_t next; /* the next task that nobody has taken */
    size_t n_workers;   /* threads that were started */
    worker workers[];
};

/* Are the workers there, and not those of the process that forked this one? */
static bool has_workers(const pool *p)
{
    return p->process == getpid();
}

/* Let the processor serve another thread: this one only waits. */
static inline void look_again(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool may_begin(const pool *p, unsigned long seen)
{
    return atomic_load(&p->round) != seen || atomic_load(&p->over);
}

static void take_tasks(pool *p, size_t number)
{
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
        if (i >= p->n_tasks) return;
        p->task(p->user, i, number);
    }
}

static void *work(void *argument)
{
    worker *self = argument;
    pool *p = self->owner;
    float_env_enter();
    unsigned long seen = 0;
    for (;;) {
        for (int i = 0; i < LOOKS && !may_begin(p, seen); i++) look_again();
        pthread_mutex_lock(&p->lock);
        while (!may_begin(p, seen)) pthread_cond_wait(&p->begin, &p->lock);
        seen = p->round;
        const bool over = p->over;
        pthread_mutex_unlock(&p->lock);
        if (over) return NULL;
        take_tasks(p, self->number);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0) pthread_cond_signal(&p->end);
        pthread_mutex_unlock(&p->lock);
    }
}

/* Start a worker with all signals blocked: they are for the program's threads, and interrupt what
 * those wait for. */
static bool start(pool *p, size_t number)
{
    worker *w = &p->workers[number - 1];
    *w = (worker){.owner = p, .number = number};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

sigrep_status pool_create(pool **out, size_t threads)
{
    *out = NULL;
    if (threads <= 1) return SIGREP_OK;
    pool *p = calloc(1, sizeof *p + (threads - 1) * sizeof *p->workers);
    if (!p) return SIGREP_NO_MEMORY;
    p->process = getpid();
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begin, NULL);
    pthread_cond_init(&p->end, NULL);
    for (size_t i = 1; i < threads; i++) {
        if (!start(p, i)) {
            pool_destroy(p);
            return SIGREP_NO_MEMORY;
        }
        p->n_workers++;
    }
    *out = p;
    return SIGREP_OK;
}

void pool_destroy(pool *p)
{
    if (!p) return;
    if (!has_workers(p)) {
        free(p);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->n_workers; i++) pthread_join(p->workers[i].thread, NULL);
    pthread_cond_destroy(&p->begin);
    pthread_cond_destroy(&p->end);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

size_t pool_threads(const pool *p)
{
    return p ? p->n_workers + 1 : 1;
}

void pool_start(pool *p, size_t n, pool_task *task, void *user)
{
    p->running = true;
    p->task = task;
    p->user = user;
    p->n_tasks = n;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    if (!has_workers(p)) {
        take_tasks(p, 0);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->busy = p->n_workers;
    p->round++;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
}

void pool_wait(pool *p)
{
    if (!has_workers(p)) {
        p->running = false;
        return;
    }
    for (int i = 0; i < LOOKS && atomic_load(&p->busy); i++) look_again();
    pthread_mutex_lock(&p->lock);
    while (p->busy) pthread_cond_wait(&p->end, &p->lock);
    pthread_mutex_unlock(&p->lock);
    p->running = false;
}

void pool_run(pool *p, size_t n, pool_task *task, void *user)
{
    if (!p || n <= 1 || p->running) {
        for (size_t i = 0; i < n; i++) task(user, i, 0);
        return;
    }
    pool_start(p, n, task, user);
    take_tasks(p, 0);
    pool_wait(p);
}
