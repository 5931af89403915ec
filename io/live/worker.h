/*
 * worker.h - calls that may block for ever, on a thread of their own.
 *
 *     caller                                worker's thread
 *     worker_start   --semaphore-->         job(user)
 *     worker_wait    <--semaphore, flag--   has ended
 *
 * A caller that waits no longer goes on without the worker, whose thread stays in the job.
 */
#ifndef IO_LIVE_WORKER_H
#define IO_LIVE_WORKER_H

#include <stdbool.h>

typedef struct worker worker;
typedef void worker_job(void *user);

/* A thread that handles no signals, nor do threads that its jobs start. NULL: out of memory or
 * threads. */
worker *worker_create(void);

/* Begin a job; the one before it must have ended. */
void worker_start(worker *w, worker_job *job, void *user);

/* Has the job ended? Waits for that until wake_fd is readable (-1: none), timeout_s at most. Time
 * during which the process is stopped does not count. */
bool worker_wait(worker *w, int wake_fd, double timeout_s);

/* End the thread and free all. false: its job has not ended. Then nothing is freed, and what the
 * job uses must stay. */
bool worker_destroy(worker *w);

#endif
