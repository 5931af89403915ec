/*
 * pool.h - threads that are made once and share out numbered tasks. Which thread does
 * which task is chance; tasks must not depend on each other, so no result depends on it.
 */
#ifndef KERNELS_POOL_H
#define KERNELS_POOL_H

#include <stddef.h>

#include "sigrep.h"

typedef struct pool pool;

/* One of the tasks 0..n-1; `worker`, below pool_threads, is the thread's own number. */
typedef void pool_task(void *user, size_t task, size_t worker);

/* `threads` >= 1 in all, the caller of pool_run being one of them; of one, *out is NULL, which is
 * a pool of the calling thread alone for all that follows. The workers run in the library's
 * floating-point mode with all signals blocked. SIGREP_NO_MEMORY, and *out NULL: no memory, or the
 * system gives no more threads. The caller destroys it; NULL is allowed there. */
sigrep_status pool_create(pool **out, size_t threads);
void pool_destroy(pool *workers);

size_t pool_threads(const pool *workers);

/* Do n tasks and return when all are done. From one thread at a time, or from a task: all of the
 * pool's threads are at work then, so the calling one does them alone. */
void pool_run(pool *workers, size_t n, pool_task *task, void *user);

/* The same in two: the caller goes on between them, and takes no task. Of a pool of two threads
 * or more; the rules are pool_run's. */
void pool_start(pool *workers, size_t n, pool_task *task, void *user);
void pool_wait(pool *workers);

#endif
