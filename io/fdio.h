/*
 * fdio.h - read(2), write(2) and poll(2) as this program wants them: no EINTR, no lost
 * short writes, and a signal that ends a blocked read without a race. stdio is not used
 * for input: glibc's fread gives up on EINTR.
 */
#ifndef IO_FDIO_H
#define IO_FDIO_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { FD_READY = 1, FD_END = 0, FD_FAILED = -1, FD_WOKEN = -2, FD_ALONE = -3, FD_LATER = -4 };

/* Wait until `fd` can be read (or is at its end): FD_READY. FD_WOKEN as soon as `wake_fd`
 * is readable, FD_ALONE as soon as nobody reads the pipe `peer_fd` any more; each may be
 * -1. Waking comes first where several are true. FD_FAILED: errno says why. */
int fd_wait(int fd, int wake_fd, int peer_fd);

/* Can `fd` be read, or is it at its end, right now? false for -1. */
bool fd_is_ready(int fd);

/* Read what there is, at most `size` bytes, waiting for the first: their number, FD_END,
 * FD_WOKEN, or FD_FAILED with errno. A signal handler that writes to a pipe whose other
 * end is `wake_fd` ends the stream however the signal falls, because poll sees both. */
ssize_t fd_read(int fd, int wake_fd, void *bytes, size_t size);

/* As fd_read, but FD_LATER where nothing comes within ms. */
ssize_t fd_read_within(int fd, int wake_fd, void *bytes, size_t size, int ms);

/* Read `size` bytes at `offset` of a file, or as many as there are before its end or an error:
 * their number. The descriptor does not move, so that threads may do it at the same time. */
size_t fd_read_at(int fd, void *bytes, size_t size, uint64_t offset);

/* A clock that only goes forward, in nanoseconds. */
int64_t fd_now_ns(void);

/* Let a pipe hold a MiB, or as much of that as the system allows, so that its writer may
 * go on while the reader works. Where that cannot be done, all stays as it is. */
void fd_widen_pipe(int fd);

/* Write everything: 0, or the errno of the call that failed. */
int fd_write_all(int fd, const void *bytes, size_t size);

/* For tests: the system calls used above, so that EINTR, short reads, errors and time can
 * be injected; a clock or a pread of NULL is the real one. NULL restores the real ones. Set while
 * no other thread reads or writes. */
typedef struct {
    ssize_t (*read)(int fd, void *bytes, size_t size);
    ssize_t (*write)(int fd, const void *bytes, size_t size);
    int (*poll)(struct pollfd *fds, nfds_t n, int timeout_ms);
    int64_t (*now_ns)(void);
    ssize_t (*pread)(int fd, void *bytes, size_t size, off_t offset);
} fd_calls;

void fd_set_calls(const fd_calls *calls);

#endif
