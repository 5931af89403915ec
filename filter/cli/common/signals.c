#include "filter/cli/common/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"

static volatile sig_atomic_t caught;
static volatile sig_atomic_t write_fd = -1;

static void handle(int signal_number)
{
    int saved = errno;
    (void)signal_number;
    caught = 1;
    ssize_t written = write((int)write_fd, "", 1); /* one byte of an empty pipe: never blocks */
    (void)written;
    errno = saved;
}

static void catch_one(int signal_number)
{
    struct sigaction old, action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
    sigaction(signal_number, &action, NULL);
}

int signals_catch(void)
{
    int ends[2];
    if (pipe(ends) != 0) {
        report("no pipe for signals: %s", strerror(errno));
        return -1;
    }
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    write_fd = ends[1];
    catch_one(SIGINT);
    catch_one(SIGTERM);
    return ends[0];
}

bool signals_caught(void)
{
    return caught;
}
