/* The deadline after a signal; tests/cli/signals_end_well.sh has the good order. */
#include "tools/common/messages/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/fdio.h"
#include "tools/common/messages/messages.h"

static const char words[] =
    "sigrep-x: did not end within 20 s of the signal; pending results are lost\n";

static int64_t ns;

static int64_t now_ns(void)
{
    return ns;
}

/* A program that hangs after a signal, with standard error closed meanwhile. SIGALRM comes at once
 * instead of after 20 s; 3 if it was not due then. */
static void hang(int error_fd)
{
    dup2(error_fd, STDERR_FILENO);
    report_as("sigrep-x");
    if (signals_catch() < 0 || signals_caught()) _exit(4);
    close(STDERR_FILENO);
    raise(SIGTERM);
    if (!signals_caught() || alarm(0) != SIGNALS_DEADLINE_S) _exit(3);
    raise(SIGALRM);
    _exit(5);
}

static void a_program_that_hangs_ends_by_the_deadline(void)
{
    int ends[2], status = 0;
    char got[256] = "";
    if (pipe(ends) != 0) abort();
    const pid_t child = fork();
    if (child == 0) hang(ends[1]);
    close(ends[1]);
    const ssize_t n = fd_read(ends[0], -1, got, sizeof got - 1);
    waitpid(child, &status, 0);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d", status);
    CHECK_MSG(n == (ssize_t)strlen(words) && strcmp(got, words) == 0, "%s", got);
    close(ends[0]);
}

static void fill(int pipe_fd)
{
    static const char bytes[4096];
    fcntl(pipe_fd, F_SETFL, O_NONBLOCK);
    while (write(pipe_fd, bytes, sizeof bytes) > 0) continue;
    fcntl(pipe_fd, F_SETFL, 0);
}

/* Regression: it waited for room for its words, for ever. The alarm only ends what hangs. */
static void a_full_standard_error_does_not_hold_up_the_deadline(void)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0) abort();
    fill(ends[1]);
    alarm(60);
    const pid_t child = fork();
    if (child == 0) hang(ends[1]);
    waitpid(child, &status, 0);
    alarm(0);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d", status);
    close(ends[0]);
    close(ends[1]);
}

/* A second signal of another kind does not move the deadline: 20 s from the first. */
static void a_second_signal_leaves_the_deadline(void)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        if (signals_catch() < 0) _exit(4);
        raise(SIGTERM);
        alarm(1000);
        raise(SIGINT);
        _exit(alarm(0) > SIGNALS_DEADLINE_S ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
}

/* How a child ends to which the same signal comes again so much later. */
static int status_after_twice(int later_ms)
{
    static const fd_calls calls = {.read = read, .write = write, .poll = poll, .now_ns = now_ns};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        fd_set_calls(&calls);
        if (signals_catch() < 0) _exit(4);
        raise(SIGTERM);
        ns += (int64_t)later_ms * 1000000;
        raise(SIGTERM);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

/* Regression: timeout(1) sends its signal to the program, then to its group. If that was not one
 * for the program, it ended at once, and pending matches were lost. */
static void a_signal_that_comes_twice_at_once_counts_once(void)
{
    CHECK(status_after_twice(0) == 0 && status_after_twice(SIGNALS_GRACE_MS - 1) == 0);
}

static void a_second_signal_ends_the_program(void)
{
    const int status = status_after_twice(SIGNALS_GRACE_MS);
    CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "%d", status);
}

int main(void)
{
    RUN(a_program_that_hangs_ends_by_the_deadline);
    RUN(a_full_standard_error_does_not_hold_up_the_deadline);
    RUN(a_second_signal_leaves_the_deadline);
    RUN(a_signal_that_comes_twice_at_once_counts_once);
    RUN(a_second_signal_ends_the_program);
    return check_done();
}
