/* cut_input.h - bytes that a fuzz target reads in pieces: what fd_set_calls needs. */
#ifndef TESTS_FUZZ_CUT_INPUT_H
#define TESTS_FUZZ_CUT_INPUT_H

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

static const uint8_t *fuzz_bytes;
static size_t fuzz_left, fuzz_piece;
static unsigned fuzz_calls;

/* Every fourth call is interrupted. */
static ssize_t fuzz_read(int fd, void *bytes, size_t size)
{
    (void)fd;
    if (++fuzz_calls % 4 == 0) {
        errno = EINTR;
        return -1;
    }
    if (size > fuzz_piece) size = fuzz_piece;
    if (size > fuzz_left) size = fuzz_left;
    memcpy(bytes, fuzz_bytes, size);
    fuzz_bytes += size;
    fuzz_left -= size;
    return (ssize_t)size;
}

static int fuzz_poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    (void)n, (void)timeout_ms;
    fds[0].revents = POLLIN;
    return 1;
}

#endif
