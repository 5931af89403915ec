/* kernels/pool.c: threads that are created once do every task once. */
#include "kernels/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/float_env.h"
#include "tests/check.h"

enum { TASKS = 500, ROUNDS = 200 };

typedef struct {
    size_t threads;
    atomic_int done[TASKS];
    atomic_int bad_worker, flushed;
    volatile float tiny;
} account;

static void count(void *user, size_t task, size_t worker)
{
    account *a = user;
    atomic_fetch_add(&a->done[task], 1);
    if (worker >= a->threads) atomic_fetch_add(&a->bad_worker, 1);
    if (a->tiny * 0.5f == 0) atomic_fetch_add(&a->flushed, 1);
}

static void every_task_is_done_once_in_every_round(void)
{
    for (size_t threads = 1; threads <= 5; threads++) {
        pool *workers;
        CHECK(pool_create(&workers, threads) == SIGREP_OK);
        CHECK(pool_threads(workers) == threads);
        account *a = calloc(1, sizeof *a);
        if (!a) abort();
        a->threads = threads;
        a->tiny = 0x1p-126f;
        size_t expected[TASKS] = {0};
        for (size_t round = 0; round < ROUNDS; round++) {
            size_t n = round % 7 ? round * 11 % TASKS : round % 3;
            pool_run(workers, n, count, a);
            for (size_t i = 0; i < n; i++) expected[i]++;
        }
        size_t wrong = 0;
        for (size_t i = 0; i < TASKS; i++) wrong += (size_t)a->done[i] != expected[i];
        CHECK_MSG(!wrong && !a->bad_worker && !a->flushed, "%zu threads: %zu tasks wrong", threads,
                  wrong);
        free(a);
        pool_destroy(workers);
    }
}

static void a_pool_of_one_is_no_pool(void)
{
    for (size_t threads = 0; threads < 2; threads++) {
        pool *workers;
        CHECK(pool_create(&workers, threads) == SIGREP_OK);
        CHECK(!workers && pool_threads(workers) == 1);
        pool_destroy(workers);
    }
}

static void add_one(void *user, size_t task, size_t worker)
{
    atomic_int *sum = user;
    CHECK(worker > 0); /* the caller takes no task */
    atomic_fetch_add(sum, (int)task + 1);
}

/* Between pool_start and pool_wait the caller is free. */
static void what_was_started_is_done_after_the_wait(void)
{
    for (size_t threads = 2; threads < 5; threads++) {
        pool *workers;
        CHECK(pool_create(&workers, threads) == SIGREP_OK);
        for (int round = 0; round < 100; round++) {
            atomic_int sum = 0;
            pool_start(workers, 10, add_one, &sum);
            pool_wait(workers);
            CHECK(sum == 55);
        }
        pool_destroy(workers);
    }
}

typedef struct {
    pool *workers;
    account *inner[3];
} nest;

static void run_within(void *user, size_t task, size_t worker)
{
    nest *n = user;
    (void)worker;
    pool_run(n->workers, TASKS, count, n->inner[task]);
}

/* Regression: fallback_kernel_that_shared_the_threads_of_its_searches. */
static void a_task_that_runs_tasks_does_them_by_itself(void)
{
    nest n = {0};
    CHECK(pool_create(&n.workers, 3) == SIGREP_OK);
    for (size_t i = 0; i < 3; i++) {
        n.inner[i] = calloc(1, sizeof *n.inner[i]);
        if (!n.inner[i]) abort();
        n.inner[i]->threads = 1; /* its own number is 0 */
        n.inner[i]->tiny = 0x1p-126f;
    }
    for (int round = 0; round < 20; round++) pool_run(n.workers, 3, run_within, &n);
    for (size_t i = 0; i < 3; i++) {
        size_t wrong = 0;
        for (size_t t = 0; t < TASKS; t++) wrong += n.inner[i]->done[t] != 20;
        CHECK(!wrong && !n.inner[i]->bad_worker);
    }
    n.inner[0]->threads = 3;
    pool_run(n.workers, TASKS, count, n.inner[0]); /* and as ever after it */
    CHECK(n.inner[0]->done[TASKS - 1] == 21);
    for (size_t i = 0; i < 3; i++) free(n.inner[i]);
    pool_destroy(n.workers);
}

/* Regression: child_that_waited_for_the_workers_of_its_parent. */
static void a_forked_process_does_all_tasks_itself(void)
{
    account in = {.threads = 3, .tiny = 0x1p-126f};
    pool *workers;
    CHECK(pool_create(&workers, 3) == SIGREP_OK);
    pool_run(workers, TASKS, count, &in);
    const pid_t child = fork();
    if (child == 0) {
        pool_run(workers, TASKS, count, &in);
        pool_start(workers, TASKS, count, &in);
        pool_wait(workers);
        pool_destroy(workers);
        _exit(in.done[0] == 3 && in.done[TASKS - 1] == 3 ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    pool_run(workers, TASKS, count, &in);
    CHECK(in.done[TASKS - 1] == 2);
    pool_destroy(workers);
}

static void idle_pools_end(void)
{
    for (int i = 0; i < 50; i++) {
        pool *workers;
        CHECK(pool_create(&workers, 3) == SIGREP_OK);
        pool_destroy(workers);
    }
}

int main(void)
{
    RUN(every_task_is_done_once_in_every_round);
    RUN(a_pool_of_one_is_no_pool);
    RUN(what_was_started_is_done_after_the_wait);
    RUN(a_task_that_runs_tasks_does_them_by_itself);
    RUN(a_forked_process_does_all_tasks_itself);
    RUN(idle_pools_end);
    return check_done();
}
