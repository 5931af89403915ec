#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/fdio.h"

/* O_NONBLOCK: without it, opening a FIFO waits for a writer, and no wake_fd could end that. fd_read
 * waits by poll instead. */
static int open_path(const char *path)
{
    for (;;) {
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0 || errno != EINTR) return fd;
    }
}

/* Find out what was opened. Returns NULL, or why it cannot be an input. */
static const char *examine(input *in)
{
    struct stat st;
    if (fstat(in->fd, &st) != 0) return strerror(errno);
    if (S_ISDIR(st.st_mode)) return "is a directory";
    if (S_ISFIFO(st.st_mode)) fd_widen_pipe(in->fd);
    if (!S_ISREG(st.st_mode)) return NULL;
    off_t at = lseek(in->fd, 0, SEEK_CUR);
    /* Files in /proc report no size: read them as pipes. */
    in->is_file = in->regular = at >= 0 && st.st_size > 0;
    if (!in->regular) return NULL;
    in->start = (uint64_t)at;
    in->size = (uint64_t)st.st_size;
    return NULL;
}

bool input_open(input *in, const char *path, int wake_fd, char *error, size_t size)
{
    bool standard = strcmp(path, "-") == 0;
    *in = (input){.wake_fd = wake_fd, .owns_fd = !standard};
    in->fd = standard ? STDIN_FILENO : open_path(path);
    const char *reason = in->fd < 0 ? strerror(errno) : examine(in);
    if (!reason) {
        in->bytes = malloc(INPUT_CAPACITY);
        if (!in->bytes) reason = "out of memory";
    }
    if (!reason) return true;
    snprintf(error, size, "%s", reason);
    input_close(in);
    return false;
}

void input_close(input *in)
{
    if (in->owns_fd && in->fd >= 0) close(in->fd);
    free(in->bytes);
    unpack_destroy(in->unpack);
    in->bytes = NULL;
    in->unpack = NULL;
    in->fd = -1;
}

/* Record why a read gave nothing. Always false. */
static bool note_end(input *in, ssize_t result)
{
    if (result == FD_END) in->ended = true;
    if (result == FD_WOKEN) in->woken = true;
    if (result == FD_FAILED) in->failure = errno;
    if (result == UNPACK_FAULT) in->fault = unpack_fault(in->unpack);
    return false;
}

_Static_assert((int)INPUT_CAPACITY <= (int)UNPACK_BUFFER, "unpack takes over the buffered bytes");

bool input_unpack(input *in, unpack_kind kind)
{
    in->unpack = unpack_create(kind, input_bytes(in), input_have(in), in->fd, in->wake_fd);
    if (!in->unpack) return false;
    in->begin = in->end = 0;
    in->ended = in->regular = false;
    return true;
}

/* As fd_read_within, of unpacked bytes. */
static ssize_t read_some(input *in, void *bytes, size_t size, int ms)
{
    if (in->unpack) return unpack_read(in->unpack, bytes, size, ms);
    return fd_read_within(in->fd, in->wake_fd, bytes, size, ms);
}

bool input_more_within(input *in, int ms)
{
    if (input_has_stopped(in)) return false;
    if (in->begin == in->end || in->end > INPUT_CAPACITY / 2) {
        memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    unsigned char *end = in->bytes + in->end;
    ssize_t n = read_some(in, end, INPUT_CAPACITY - in->end, ms);
    if (n <= 0) return note_end(in, n);
    in->end += (size_t)n;
    return true;
}

bool input_more(input *in)
{
    return input_more_within(in, -1);
}

bool input_need(input *in, size_t n)
{
    while (input_have(in) < n)
        if (!input_more(in)) return false;
    return true;
}

size_t input_read_direct(input *in, void *to, size_t n, bool wait)
{
    if (input_has_stopped(in)) return 0;
    const ssize_t got = read_some(in, to, n, wait ? -1 : 0);
    if (got <= 0) {
        note_end(in, got);
        return 0;
    }
    in->consumed += (size_t)got;
    return (size_t)got;
}

void input_unread(input *in, const void *bytes, size_t n)
{
    memcpy(in->bytes, bytes, n);
    in->begin = 0;
    in->end = n;
    in->consumed -= n;
}

bool input_skip(input *in, uint64_t n)
{
    if (in->regular && n > input_have(in) && n <= input_left(in)) {
        in->consumed += n;
        in->begin = in->end = 0;
        return input_resume(in);
    }
    while (n > 0) {
        if (!input_need(in, 1)) return false;
        size_t step = n < input_have(in) ? (size_t)n : input_have(in);
        input_consume(in, step);
        n -= step;
    }
    return true;
}

uint64_t input_left(const input *in)
{
    uint64_t at = in->start + in->consumed;
    return in->size > at ? in->size - at : 0;
}

size_t input_peek(const input *in, uint64_t offset, void *bytes, size_t n)
{
    return fd_read_at(in->fd, bytes, n, in->start + in->consumed + offset);
}

size_t input_read_at(input *in, uint64_t offset, void *bytes, size_t n)
{
    size_t done = 0;
    if (lseek(in->fd, (off_t)(in->start + offset), SEEK_SET) < 0) {
        in->failure = errno;
        return 0;
    }
    while (done < n) {
        ssize_t got = fd_read(in->fd, in->wake_fd, (char *)bytes + done, n - done);
        if (got <= 0) {
            if (got != FD_END) note_end(in, got);
            break;
        }
        done += (size_t)got;
    }
    return done;
}

bool input_resume(input *in)
{
    uint64_t at = in->start + in->consumed + input_have(in);
    if (lseek(in->fd, (off_t)at, SEEK_SET) < 0) in->failure = errno;
    return in->failure == 0;
}
