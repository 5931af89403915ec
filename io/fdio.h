/*
 * fdio.h - read, write and poll without their traps: EINTR, short writes, and the race between
 * a signal and a blocking read. stdio is not used for input, because fread gives up on EINTR.
 *
 *     signal handler --writes--> pipe --wake_fd--+
 *                                                +--> poll --> FD_WOKEN, or read
 *     the input -------------------------fd------+
 *
 * poll watches both, so a signal ends a blocked read whenever it comes.
 */
#ifndef IO_FDIO_H
#define IO_FDIO_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    FD_READY = 1,      /* a read would not block */
    FD_END = 0,        /* end of input */
    FD_FAILED = -1,    /* see errno */
    FD_WOKEN = -2,     /* wake_fd is readable */
    FD_PEER_GONE = -3, /* nobody reads the pipe peer_fd any more */
    FD_TIMEOUT = -4
};

/* Wait until `fd` is readable or at its end: FD_READY. Other results: FD_WOKEN, FD_PEER_GONE,
 * FD_FAILED. wake_fd and peer_fd may be -1. FD_WOKEN wins if several are true. */
int fd_wait(int fd, int wake_fd, int peer_fd);

/* Would a read of `fd` return at once, with bytes or the end? false for -1. */
bool fd_is_ready(int fd);

/* Wait for the first byte, then read up to `size` bytes. Returns their number, FD_END,
 * FD_WOKEN or FD_FAILED. */
ssize_t fd_read(int fd, int wake_fd, void *bytes, size_t size);

/* As fd_read, but FD_TIMEOUT if nothing comes within ms; -1: no limit. */
ssize_t fd_read_within(int fd, int wake_fd, void *bytes, size_t size, int ms);

/* Read `size` bytes of a file at `offset`. Returns the number read: fewer at the end or after an
 * error. The descriptor's position stays, so threads may read at the same time. */
size_t fd_read_at(int fd, void *bytes, size_t size, uint64_t offset);

/* A monotonic clock, in nanoseconds. */
int64_t fd_now_ns(void);

/* Enlarge a pipe to 1 MiB, or as far as the system allows, so that its writer runs ahead while
 * we compute. Failure changes nothing. */
void fd_widen_pipe(int fd);

/* Write all bytes, waiting if the descriptor does not block. Returns 0 or an errno. */
int fd_write_all(int fd, const void *bytes, size_t size);

/* Append to a file that nobody else writes: all bytes, or none. Returns 0 or an errno. */
int fd_append(int fd, const void *bytes, size_t size);

/* For tests: replace the system calls above, to inject EINTR, short reads, errors and time. NULL
 * in now_ns or pread means the real one. fd_set_calls(NULL) restores all. Call it only while no
 * other thread reads or writes. */
typedef struct {
    ssize_t (*read)(int fd, void *bytes, size_t size);
    ssize_t (*write)(int fd, const void *bytes, size_t size);
    int (*poll)(struct pollfd *fds, nfds_t n, int timeout_ms);
    int64_t (*now_ns)(void);
    ssize_t (*pread)(int fd, void *bytes, size_t size, off_t offset);
} fd_calls;

void fd_set_calls(const fd_calls *calls);

#endif
