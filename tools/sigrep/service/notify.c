#include "tools/sigrep/service/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A path, or, with @ for its NUL, an abstract name. Returns a descriptor or -1. */
static int connect_to(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t n = strlen(name);
    if (n < 2 || n >= sizeof address.sun_path || !strchr("/@", name[0])) return -1;
    memcpy(address.sun_path, name, n);
    if (name[0] == '@') address.sun_path[0] = '\0';
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, size) == 0) return fd;
    close(fd);
    return -1;
}

/* systemd ends a service that says nothing for WATCHDOG_USEC; it advises to speak twice in that
 * time. */
static int64_t watchdog_ns(void)
{
    const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!usec || (pid && strtoll(pid, NULL, 10) != getpid())) return 0;
    const long long us = strtoll(usec, NULL, 10);
    return us > 0 && us < INT64_MAX / 1000 ? us * 1000 / 2 : 0;
}

notifier notifier_begin(void)
{
    static const char *const variables[] = {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"};
    const char *name = getenv(variables[0]);
    notifier n = {.fd = name ? connect_to(name) : -1};
    if (n.fd >= 0) n.watchdog_ns = watchdog_ns();
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) unsetenv(variables[i]);
    return n;
}

void notifier_end(notifier *n)
{
    if (n->fd >= 0) close(n->fd);
    n->fd = -1;
}

void notifier_send(const notifier *n, const char *words)
{
    if (n->fd < 0) return;
    const ssize_t sent = send(n->fd, words, strlen(words), MSG_NOSIGNAL);
    (void)sent;
}
