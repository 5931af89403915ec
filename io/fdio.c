#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "io/fdio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const fd_calls system_calls = {.read = read, .write = write, .poll = poll};
static const fd_calls *calls = &system_calls;

void fd_set_calls(const fd_calls *replacement)
{
    calls = replacement ? replacement : &system_calls;
}

static bool is_transient(int error)
{
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

/* fd_wait with a time limit; ms = -1: none. */
static int wait_within(int fd, int wake_fd, int peer_fd, int ms)
{
    for (;;) {
        /* poll ignores negative descriptors. A pipe without readers reports POLLERR unasked. */
        struct pollfd fds[3] = {{fd, POLLIN, 0}, {wake_fd, POLLIN, 0}, {peer_fd, 0, 0}};
        int n = calls->poll(fds, 3, ms);
        if (n < 0 && !is_transient(errno)) return FD_FAILED;
        if (n == 0 && ms >= 0) return FD_TIMEOUT;
        if (n <= 0) continue;
        if (fds[1].revents) return FD_WOKEN;
        if (fds[2].revents) return FD_PEER_GONE;
        if (fds[0].revents) return FD_READY;
    }
}

int fd_wait(int fd, int wake_fd, int peer_fd)
{
    return wait_within(fd, wake_fd, peer_fd, -1);
}

bool fd_is_ready(int fd)
{
    struct pollfd p = {fd, POLLIN, 0};
    int n;
    do n = calls->poll(&p, 1, 0);
    while (n < 0 && is_transient(errno));
    return n > 0;
}

ssize_t fd_read_within(int fd, int wake_fd, void *bytes, size_t size, int ms)
{
    for (;;) {
        /* poll first: a FIFO that has no writer yet would read as ended. */
        int ready = wait_within(fd, wake_fd, -1, ms);
        if (ready != FD_READY) return ready;
        ssize_t n = calls->read(fd, bytes, size);
        if (n >= 0) return n;
        if (!is_transient(errno)) return FD_FAILED;
    }
}

ssize_t fd_read(int fd, int wake_fd, void *bytes, size_t size)
{
    return fd_read_within(fd, wake_fd, bytes, size, -1);
}

size_t fd_read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    ssize_t (*const read_at)(int, void *, size_t, off_t) = calls->pread ? calls->pread : pread;
    size_t done = 0;
    while (done < size) {
        const ssize_t n = read_at(fd, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += (size_t)n;
    }
    return done;
}

int64_t fd_now_ns(void)
{
    if (calls->now_ns) return calls->now_ns();
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void fd_widen_pipe(int fd)
{
    const int before = fcntl(fd, F_GETPIPE_SZ);
    for (int size = 1 << 20; before > 0 && size > before; size /= 2)
        if (fcntl(fd, F_SETPIPE_SZ, size) >= 0) return;
}

/* Wait until a non-blocking descriptor accepts bytes. Returns 0 or an errno. */
static int wait_writable(int fd)
{
    struct pollfd p = {fd, POLLOUT, 0};
    if (calls->poll(&p, 1, -1) < 0 && !is_transient(errno)) return errno;
    return 0;
}

int fd_write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = calls->write(fd, at, size);
        if (n >= 0) {
            at += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            int error = wait_writable(fd);
            if (error) return error;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int fd_append(int fd, const void *bytes, size_t size)
{
    struct stat before;
    if (fstat(fd, &before) != 0) return errno;
    int failure = fd_write_all(fd, bytes, size);
    if (failure && ftruncate(fd, before.st_size) != 0) failure = errno;
    return failure;
}
