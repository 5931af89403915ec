/* main.c - sigrep: grep for signals. See run.c for the order of work. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "filter/cli/run.h"

/*
 * If a standard descriptor is closed, the next open() takes its number, and matches would be
 * written into that file. So open /dev/null there in a mode that fails on use, as gnulib's stdopen
 * does: standard input write-only, the others read-only.
 */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened > STDERR_FILENO) close(opened);
    }
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    options o;
    occupy_standard_descriptors();
    const arguments_status parsed = options_parse(&o, argc, argv, error);
    int status;
    if (parsed)
        status = arguments_answer(&option_table, parsed, error);
    else if (o.list_devices)
        status = run_list_devices();
    else
        status = run(&o);
    options_free(&o);
    return status;
}
