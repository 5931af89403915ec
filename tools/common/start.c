#include "tools/common/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* In a mode that fails on use, as gnulib's stdopen does: standard input write-only, the others
 * read-only. */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        const int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened > STDERR_FILENO) close(opened);
    }
}

/* In place, without unsetenv: that needs a copy of each name. */
static void remove_variables_of_soxr(void)
{
    static const char prefix[] = "SOXR_";
    char **kept = environ;
    for (char **variable = environ; variable && *variable; variable++)
        if (strncmp(*variable, prefix, sizeof prefix - 1) != 0) *kept++ = *variable;
    if (kept) *kept = NULL;
}

/* Other C libraries do not let the variable change. */
static void send_words_of_libraries_to_stderr(void)
{
#ifdef __GLIBC__
    stdout = stderr;
#endif
}

void start_program(void)
{
    occupy_standard_descriptors();
    remove_variables_of_soxr();
    send_words_of_libraries_to_stderr();
    signal(SIGXFSZ, SIG_IGN);
}
