/* main.c - sigrep: grep for signals. See run.c for the order of work. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/run.h"
#include "io/fdio.h"

/*
 * Where a standard descriptor is closed, the next open() would take its number, and
 * matches would land in somebody's file. So occupy it with what fails on use, like
 * gnulib's stdopen: standard input write-only, the others read-only.
 */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened > STDERR_FILENO) close(opened);
    }
}

/* Print what --help or --version ask for. */
static int answer(void (*add)(text_buffer *out))
{
    text_buffer out = {0};
    add(&out);
    int failure = out.failed ? ENOMEM : fd_write_all(STDOUT_FILENO, out.data, out.length);
    free(out.data);
    if (failure) report("standard output: %s", strerror(failure));
    return failure ? EXIT_ERROR : 0;
}

static int usage_error(options_status status, const char *error)
{
    static const char hint[] = "Try 'sigrep --help'.\n";
    text_buffer out = {0};
    if (status == OPTIONS_NONE)
        options_add_usage(&out);
    else
        report("%s", error);
    text_add_string(&out, hint);
    if (!out.failed) (void)fd_write_all(STDERR_FILENO, out.data, out.length);
    free(out.data);
    return EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[OPTIONS_ERROR_SIZE];
    options o;
    occupy_standard_descriptors();
    options_status parsed = options_parse(&o, argc, argv, error);
    int status;
    if (parsed)
        status = usage_error(parsed, error);
    else if (o.help)
        status = answer(options_add_help);
    else if (o.version)
        status = answer(options_add_version);
    else if (o.list_devices)
        status = run_list_devices();
    else
        status = run(&o);
    options_free(&o);
    return status;
}
