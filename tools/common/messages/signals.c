#include "tools/common/messages/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"

/* Any thread may run the handler, and any may ask. */
static atomic_int caught; /* bits of the kinds, and ENDED */
static atomic_int first;  /* the number of the first signal */
static atomic_llong came_at_ns = INT64_MAX;
static atomic_int write_fd = -1;

enum { ENDED = 8 /* without a signal */ };

/* Prepared for a handler, which may not format. Standard error is silenced while a microphone is
 * opened, so the words have a descriptor of their own. */
static char last_words[128];
static int last_words_fd = STDERR_FILENO;

static void give_up(int signal_number)
{
    struct pollfd words = {.fd = last_words_fd, .events = POLLOUT};
    (void)signal_number;
    if (poll(&words, 1, 0) == 1) { /* there is room: no write blocks */
        report_progress_end();
        ssize_t written = write(last_words_fd, last_words, strlen(last_words));
        (void)written;
    }
    _exit(EXIT_ERROR);
}

static void prepare_last_words(void)
{
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd >= 0) last_words_fd = fd;
    snprintf(last_words, sizeof last_words,
             "%s: did not end within %d s of the signal; pending results are lost\n",
             report_program(), SIGNALS_DEADLINE_S);
}

/* The last resort against a call that blocks for ever. */
static void set_deadline(void)
{
    struct sigaction action = {.sa_handler = give_up};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(SIGNALS_DEADLINE_S);
}

/* One byte of an empty pipe: never blocks. */
static void wake(void)
{
    const ssize_t written = write(write_fd, "", 1);
    (void)written;
}

void signals_end_stream(void)
{
    atomic_fetch_or(&caught, ENDED);
    wake();
}

static void handle(int signal_number)
{
    const int saved = errno;
    const int kind = signal_number == SIGINT ? 1 : signal_number == SIGTERM ? 2 : 4;
    int none = 0;
    /* Before other threads can see that one came: they ask which. */
    atomic_compare_exchange_strong(&first, &none, signal_number);
    const int before = atomic_fetch_or(&caught, kind);
    if (before & kind && signals_overdue()) {
        signal(signal_number, SIG_DFL);
        raise(signal_number); /* ends the program once this function has returned */
        return;
    }
    if (!(before & ~ENDED)) {
        set_deadline();
        came_at_ns = fd_now_ns();
    }
    wake();
    errno = saved;
}

static void catch_one(int signal_number)
{
    struct sigaction old, action = {.sa_handler = handle};
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
    atomic_fetch_and(&caught, ~ENDED);
    prepare_last_words();
    catch_one(SIGINT);
    catch_one(SIGTERM);
    catch_one(SIGHUP);
    return ends[0];
}

int signals_hangup_fd(void)
{
    sigset_t hangup;
    sigemptyset(&hangup);
    sigaddset(&hangup, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &hangup, NULL); /* Linux keeps it then, even if it is ignored */
    const int fd = signalfd(-1, &hangup, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0) report("no descriptor for SIGHUP: %s", strerror(errno));
    return fd;
}

bool signals_caught(void)
{
    return caught;
}

int signals_which(void)
{
    return first;
}

bool signals_overdue(void)
{
    return signals_overdue_by(SIGNALS_GRACE_MS);
}

bool signals_overdue_by(int ms)
{
    const int64_t at_ns = came_at_ns;
    return at_ns < INT64_MAX && fd_now_ns() - at_ns >= (int64_t)ms * 1000000;
}

bool signals_start_thread(pthread_t *thread, void *(*work)(void *), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(thread, NULL, work, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
