#include "tools/sigrep/output/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"
#include "tools/common/messages/messages.h"
#include "tools/sigrep/options/options.h"

/* A descriptor, or -1 after a failure, which is reported. O_NONBLOCK: a FIFO that nobody reads must
 * not hold us up; a file does not know it. */
static int open_file(const char *path)
{
    struct stat st;
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    const int fd = open(path, flags, 0666);
    const bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (is_file) return fd;
    report_of(path, "%s", fd < 0 && errno != ENXIO ? strerror(errno) : "--log needs a file");
    if (fd >= 0) close(fd);
    return -1;
}

/* Let it be standard output. */
static bool take(const char *path, int fd)
{
    const bool good = dup2(fd, STDOUT_FILENO) >= 0;
    if (!good) report_of(path, "%s", strerror(errno));
    close(fd);
    return good;
}

bool log_file_open(const char *path)
{
    const int fd = open_file(path);
    return fd >= 0 && take(path, fd);
}

bool log_file_is_empty(void)
{
    struct stat st;
    return fstat(STDOUT_FILENO, &st) == 0 && st.st_size == 0;
}

/* The lines before all matches. */
static void write_header(const run_outputs *run)
{
    text_buffer header = {0};
    const writer_style style = print_style(run);
    const writer_ops *ops = run->o->output;
    if (!ops->header || !print_has_header(run->o) || !log_file_is_empty()) return;
    ops->header(&header, &style);
    const int failure =
        header.failed ? ENOMEM : fd_append(STDOUT_FILENO, header.data, header.length);
    if (failure) report_of(run->o->log_path, "%s", strerror(failure));
    free(header.data);
}

void log_file_reopen(run_outputs *run)
{
    pthread_mutex_lock(&run->writing); /* two threads may be here: the last to open is the last */
    if (log_file_open(run->o->log_path)) write_header(run);
    pthread_mutex_unlock(&run->writing);
}
