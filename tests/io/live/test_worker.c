#include "io/live/worker.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static sem_t allowed;
static int calls;

static void count(void *user)
{
    calls += *(int *)user;
}

/* As a call to a frozen server: it returns when somebody else wants it. */
static void block(void *user)
{
    (void)user;
    while (sem_wait(&allowed) != 0) continue;
}

static void jobs_follow_one_another(void)
{
    int two = 2;
    worker *w = worker_create();
    calls = 0;
    CHECK(w && worker_wait(w, -1, 0));
    for (int i = 0; i < 100; i++) {
        worker_start(w, count, &two);
        CHECK(worker_wait(w, -1, 60));
    }
    CHECK(calls == 200 && worker_destroy(w));
}

static void a_job_that_blocks_is_waited_for_no_longer_than_wanted(void)
{
    sem_init(&allowed, 0, 0);
    worker *w = worker_create();
    worker_start(w, block, NULL);
    CHECK(!worker_wait(w, -1, 0) && !worker_wait(w, -1, 0.1));
    CHECK(!worker_destroy(w)); /* it is still there, and usable when the job has ended */
    sem_post(&allowed);
    CHECK(worker_wait(w, -1, 60) && worker_destroy(w));
}

static void a_wake_ends_the_wait(void)
{
    int ends[2];
    if (pipe(ends) != 0 || write(ends[1], "", 1) != 1) abort();
    sem_init(&allowed, 0, 0);
    worker *w = worker_create();
    worker_start(w, block, NULL);
    CHECK(!worker_wait(w, ends[0], 1e9));
    sem_post(&allowed);
    CHECK(worker_wait(w, -1, 60) && worker_destroy(w));
    close(ends[0]);
    close(ends[1]);
}

static void read_mask(void *user)
{
    pthread_sigmask(SIG_SETMASK, NULL, user);
}

static void the_thread_handles_no_signals(void)
{
    sigset_t mask, own;
    sigemptyset(&mask);
    worker *w = worker_create();
    worker_start(w, read_mask, &mask);
    CHECK(worker_wait(w, -1, 60) && worker_destroy(w));
    CHECK(sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGALRM) == 1);
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    CHECK(sigismember(&own, SIGINT) == 0);
}

int main(void)
{
    RUN(jobs_follow_one_another);
    RUN(a_job_that_blocks_is_waited_for_no_longer_than_wanted);
    RUN(a_wake_ends_the_wait);
    RUN(the_thread_handles_no_signals);
    return check_done();
}
