/* signals.h - SIGINT, SIGTERM and SIGHUP end the stream in good order, by way of a pipe. */
#ifndef TOOLS_COMMON_MESSAGES_SIGNALS_H
#define TOOLS_COMMON_MESSAGES_SIGNALS_H

#include <pthread.h>
#include <stdbool.h>

enum {
    SIGNALS_DEADLINE_S = 20,
    SIGNALS_GRACE_MS = 100,
    SIGNALS_STATUS = 128 /* plus the signal: the exit status, as shells have it */
};

/* Catch them. The next of the same kind kills as usual, unless it comes within SIGNALS_GRACE_MS of
 * the first: timeout(1) sends two. A signal that is ignored stays so. If the program has not ended
 * SIGNALS_DEADLINE_S after the first, it reports that and exits. Returns a descriptor that becomes
 * readable with the first, or -1 after a failure, which is reported. */
int signals_catch(void);

/* From now on SIGHUP does not end the stream, even if it was ignored: the descriptor returned, a
 * signalfd of signalfd(2), becomes readable with it. Call it before signals_catch, while there is
 * one thread. -1 after a failure, which is reported. */
int signals_hangup_fd(void);

/* The number of the first one. 0: there has been none. */
int signals_which(void);

/* Is the stream to end: has there been one, or signals_end_stream, since no more is needed? Only
 * signals_which says that a signal came. */
bool signals_caught(void);

/* Was it SIGNALS_GRACE_MS ago? Then work that is not done yet is given up. Any thread may ask. */
bool signals_overdue(void);

/* Was it so long ago? */
bool signals_overdue_by(int ms);

/* As pthread_create; signals are for the other threads. false: the system gives no thread. */
bool signals_start_thread(pthread_t *thread, void *(*work)(void *), void *user);

/* End the stream as a signal does, but without one. */
void signals_end_stream(void);

#endif
