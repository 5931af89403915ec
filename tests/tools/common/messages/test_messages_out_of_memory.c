/* The last output of a program that gets no memory; tests/memory_limit has whole programs. */
#include "tools/common/messages/messages.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "io/fdio.h"

static void write_match(void *user)
{
    const int *fd = user;
    ssize_t written = write(*fd, "match\n", 6);
    (void)written;
}

/* A program with a match that waits. If wanted, a child of it gets no memory first. */
static void run_out_of_memory(int output, bool forks)
{
    int status = 0;
    dup2(output, STDERR_FILENO);
    report_as("sigrep-x");
    out_of_memory_set_output(write_match, &output);
    const pid_t child = forks ? fork() : 0;
    if (child == 0) out_of_memory_exit();
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 2) _exit(3);
    out_of_memory_exit();
}

static void check_output(bool forks, const char *wanted)
{
    int ends[2], status = 0;
    char got[256] = "";
    if (pipe(ends) != 0) abort();
    const pid_t child = fork();
    if (child == 0) run_out_of_memory(ends[1], forks);
    close(ends[1]);
    for (size_t n = 0; n < sizeof got - 1;) {
        const ssize_t part = fd_read(ends[0], -1, got + n, sizeof got - 1 - n);
        if (part <= 0) break;
        n += (size_t)part;
    }
    waitpid(child, &status, 0);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d", status);
    CHECK_MSG(strcmp(got, wanted) == 0, "%s", got);
    close(ends[0]);
}

static void output_that_waits_is_written_first(void)
{
    check_output(false, "match\nsigrep-x: out of memory\n");
}

/* Regression: the child that tries the sound system printed the matches of its parent, too. */
static void a_child_leaves_the_output_to_its_parent(void)
{
    check_output(true, "sigrep-x: out of memory\nmatch\nsigrep-x: out of memory\n");
}

int main(void)
{
    RUN(output_that_waits_is_written_first);
    RUN(a_child_leaves_the_output_to_its_parent);
    return check_done();
}
