/*
 * notify.h - what systemd wants to hear of a service: sd_notify(3), one datagram for each word.
 *
 * The protocol is fixed, and its manual page shows how to speak it without libsystemd, which would
 * bring libraries for packing and ciphers into each process.
 */
#ifndef TOOLS_SIGREP_SERVICE_NOTIFY_H
#define TOOLS_SIGREP_SERVICE_NOTIFY_H

#include <stdint.h>

typedef struct {
    int fd;              /* connected; -1: nobody listens */
    int64_t watchdog_ns; /* "WATCHDOG=1" is due as often; 0: never */
} notifier;

/* Read NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, and remove them, so that commands do not
 * speak for us. Call it while there is one thread. */
notifier notifier_begin(void);
void notifier_end(notifier *n);

/* Send words such as "READY=1". A failure has no effect: there is nobody else to report it to. */
void notifier_send(const notifier *n, const char *words);

#endif
