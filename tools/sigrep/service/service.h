/*
 * service.h - a thread beside the search, for what must be done even while no samples come: open
 * the log anew after SIGHUP, and tell systemd that all is well.
 *
 *     worker    | search, print | works: do it | search ... | wait for samples             |
 *     thread        ^ SIGHUP: it is due                              ^ SIGHUP: do it at once
 *
 * So nothing that is done meets a search or a line at work.
 *
 *     READY=1      the search reads; or waits for a pipe that may be silent for long
 *     WATCHDOG=1   a worker waits for samples, or has done some work since the last one
 *     STOPPING=1   a signal has come, or all was read
 */
#ifndef TOOLS_SIGREP_SERVICE_SERVICE_H
#define TOOLS_SIGREP_SERVICE_SERVICE_H

#include <stdbool.h>

#include "tools/sigrep/service/notify.h"

/* What can be due: bits. */
enum { SERVICE_LOG = 1, SERVICE_STATS = 2 };

typedef struct {
    notifier notifier; /* borrowed */
    int hangup_fd;     /* of SIGHUP (signals.h); -1: none */
    int wake_fd;       /* readable once a signal has come */
    int64_t stats_ns;  /* so often figures are due; 0: never */
    unsigned at_once;  /* what may be done at any time */
    /* Do these. Returns those that cannot be done yet. */
    unsigned (*attend)(void *user, unsigned due);
    void *user;
} service_job;

typedef struct service service;

/* Start the thread. NULL after a failure, which is reported. */
service *service_start(const service_job *job);

/* End it; NULL is allowed, also below. */
void service_stop(service *s);

/* The search reads. */
void service_is_ready(service *s);

/* A worker begins to wait for samples, or has them. There is one worker, unless all that can be due
 * may be done at once. */
void service_waits(service *s, bool begins);

/* A worker has done a piece of work: it does what is due. */
void service_works(service *s);

#endif
