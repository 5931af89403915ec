/*
 * The stream's bytes lie, in this order, in
 *
 *     memory            file                 tail
 *     [0, kept)         [kept, kept+filed)   [kept+filed, size)
 *
 * The tail gathers small appends into writes of TAIL_SIZE; it is empty until memory is full.
 */
#include "io/spool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAIL_SIZE ((size_t)256 << 10)

struct spool {
    char *memory;
    size_t kept, capacity, limit;
    int fd; /* -1 until the file is needed */
    uint64_t filed;
    char *tail;
    size_t tail_length;
    char error[512];
};

spool *spool_create(size_t memory)
{
    spool *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->limit = memory;
    s->fd = -1;
    return s;
}

void spool_destroy(spool *s)
{
    if (!s) return;
    if (s->fd >= 0) close(s->fd);
    free(s->memory);
    free(s->tail);
    free(s);
}

uint64_t spool_size(const spool *s)
{
    return s->kept + s->filed + s->tail_length;
}

const char *spool_error(const spool *s)
{
    return s->error;
}

static int fail(spool *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(spool *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->error, sizeof s->error, format, args);
    va_end(args);
    return -1;
}

static const char *directory(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : P_tmpdir;
}

/* The file has no name from the start, so nothing is left behind however we end. */
static int open_file(spool *s)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/sigrep-XXXXXX", directory());
    if (n < 0 || (size_t)n >= sizeof name) return fail(s, "the name in TMPDIR is too long");
    s->fd = mkstemp(name);
    if (s->fd < 0) return fail(s, "temporary file in %s: %s", directory(), strerror(errno));
    unlink(name);
    s->tail = malloc(TAIL_SIZE);
    return s->tail ? 0 : fail(s, "out of memory");
}

static int write_tail(spool *s)
{
    size_t done = 0;
    while (done < s->tail_length) {
        ssize_t n = pwrite(s->fd, s->tail + done, s->tail_length - done, (off_t)(s->filed + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(s, "temporary file in %s: %s", directory(), strerror(errno));
        done += (size_t)n;
    }
    s->filed += done;
    s->tail_length = 0;
    return 0;
}

/* Keep as much of n bytes in memory as the limit allows; returns how many, -1 on failure. */
static int64_t keep(spool *s, const char *data, size_t n)
{
    size_t part = s->limit - s->kept < n ? s->limit - s->kept : n;
    if (s->kept + part > s->capacity) {
        size_t capacity = s->capacity ? s->capacity : (size_t)64 << 10;
        while (capacity < s->kept + part) capacity *= 2;
        if (capacity > s->limit) capacity = s->limit;
        char *memory = realloc(s->memory, capacity);
        if (!memory) return fail(s, "out of memory");
        s->memory = memory;
        s->capacity = capacity;
    }
    if (part > 0) memcpy(s->memory + s->kept, data, part);
    s->kept += part;
    return (int64_t)part;
}

int spool_append(spool *s, const void *data, size_t n)
{
    const char *from = data;
    int64_t kept = keep(s, from, n);
    if (kept < 0) return -1;
    from += kept;
    n -= (size_t)kept;
    if (n > 0 && !s->tail && open_file(s) != 0) return -1;
    while (n > 0) {
        size_t part = TAIL_SIZE - s->tail_length < n ? TAIL_SIZE - s->tail_length : n;
        memcpy(s->tail + s->tail_length, from, part);
        s->tail_length += part;
        from += part;
        n -= part;
        if (s->tail_length == TAIL_SIZE && write_tail(s) != 0) return -1;
    }
    return 0;
}

static int read_file(spool *s, uint64_t offset, char *data, size_t n)
{
    while (n > 0) {
        ssize_t got = pread(s->fd, data, n, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(s, "temporary file in %s: %s", directory(), strerror(errno));
        if (got == 0) return fail(s, "temporary file in %s: cut short", directory());
        data += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

static size_t least(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

int spool_read(spool *s, uint64_t offset, void *data, size_t n)
{
    char *to = data;
    if (n > spool_size(s) || offset > spool_size(s) - n)
        return fail(s, "read beyond the end of what was kept");
    if (n > 0 && offset < s->kept) {
        size_t part = least(s->kept - offset, n);
        memcpy(to, s->memory + offset, part);
        to += part;
        offset += part;
        n -= part;
    }
    if (n > 0 && offset - s->kept < s->filed) {
        size_t part = least(s->filed - (offset - s->kept), n);
        if (read_file(s, offset - s->kept, to, part) != 0) return -1;
        to += part;
        offset += part;
        n -= part;
    }
    if (n > 0) memcpy(to, s->tail + (offset - s->kept - s->filed), n);
    return 0;
}

int spool_clear(spool *s)
{
    s->kept = 0;
    s->filed = 0;
    s->tail_length = 0;
    s->error[0] = '\0';
    if (s->fd >= 0 && ftruncate(s->fd, 0) != 0)
        return fail(s, "temporary file in %s: %s", directory(), strerror(errno));
    return 0;
}

static int store_append(void *user, const float *frames, size_t n, size_t dim)
{
    return spool_append(user, frames, n * dim * sizeof *frames);
}

static int store_read(void *user, uint64_t first, float *frames, size_t n, size_t dim)
{
    size_t bytes = dim * sizeof *frames;
    return spool_read(user, first * bytes, frames, n * bytes);
}

static int store_clear(void *user)
{
    return spool_clear(user);
}

sigrep_store spool_as_store(spool *s)
{
    return (sigrep_store){
        .append = store_append, .read = store_read, .clear = store_clear, .user = s};
}
