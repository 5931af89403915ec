/*
 * pool.h - threads that are created once and share numbered tasks:
 *
 *     pool_run(0..n-1) --> | 0 | 1 | 2 | 3 | ... | n-1 |   each thread takes the next free task
 *
 * A process that was forked has no workers: the caller does all tasks itself.
 *
 * Chance decides which thread does which task. Tasks must not depend on each other, so no result
 * depends on chance.
 */
#ifndef KERNELS_POOL_H
#define KERNELS_POOL_H

#include <stddef.h>

#include "sigrep.h"

typedef struct pool pool;

/* Do task 0..n-1. `worker` is the number of the thread, below pool_threads. */
typedef void pool_task(void *user, size_t task, size_t worker);

/* `threads` >= 1 counts the caller of pool_run. A pool of one is NULL, which all functions accept.
 * The workers run in the library's floating-point mode, with all signals blocked. SIGREP_NO_MEMORY,
 * with *out NULL: no memory, or the system gives no more threads. The caller destroys the pool. */
sigrep_status pool_create(pool **out, size_t threads);
void pool_destroy(pool *workers);

size_t pool_threads(const pool *workers);

/* Do n tasks and return when all are done. One thread at a time may call it, or a task: all threads
 * of the pool are busy then, so the calling thread does the tasks alone. */
void pool_run(pool *workers, size_t n, pool_task *task, void *user);

/* pool_run in two calls: the caller goes on between them and takes no task. Needs two threads or
 * more; otherwise pool_run's rules hold. */
void pool_start(pool *workers, size_t n, pool_task *task, void *user);
void pool_wait(pool *workers);

#endif
