#include "dev/bench/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in its own process: writes all bytes, however slow the reader is. */
static void feed(int to, const float *values, size_t n)
{
    const char *bytes = (const char *)values;
    signal(SIGPIPE, SIG_DFL);
    for (size_t left = n * sizeof *values; left > 0;) {
        ssize_t written = write(to, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) _exit(1);
        bytes += written;
        left -= (size_t)written;
    }
    _exit(0);
}

/* The reading end of a pipe into which a new process writes. */
static int start_feeder(const child *c, pid_t *feeder)
{
    int ends[2];
    if (pipe(ends) != 0) return -1;
    *feeder = fork();
    if (*feeder == 0) {
        close(ends[0]);
        feed(ends[1], c->piped, c->n_piped);
    }
    close(ends[1]);
    if (*feeder > 0) return ends[0];
    close(ends[0]);
    return -1;
}

static void become(const child *c, int input)
{
    dup2(input, STDIN_FILENO);
    close(input);
    execvp(c->program, c->argv);
    _exit(127);
}

static int wait_for(pid_t pid, struct rusage *used)
{
    int status;
    while (wait4(pid, &status, 0, used) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

bool child_run(const child *c, lap *spent)
{
    pid_t feeder = -1;
    struct rusage used = {0};
    stopwatch begin = stopwatch_start();
    int input = c->piped ? start_feeder(c, &feeder) : open("/dev/null", O_RDONLY);
    if (input < 0) return false;
    pid_t pid = fork();
    if (pid == 0) become(c, input);
    close(input);
    int status = pid > 0 ? wait_for(pid, &used) : -1;
    *spent = stopwatch_read(&begin);
    spent->cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (feeder > 0) wait_for(feeder, &used);
    return status == 0 || status == 1;
}
