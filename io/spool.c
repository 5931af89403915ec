/*
 * spool.c - the bytes of the stream lie in three places, in this order:
 *
 *     memory             file                       buffer
 *     [0, in_memory)     [.., + in_file)            [.., size)
 *
 * The buffer collects small appends into writes of BUFFER_SIZE. It stays empty until memory is
 * full.
 */
#include "io/spool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 << 10) /* bytes */

struct spool {
    char *memory;
    size_t in_memory, capacity, limit;
    int fd; /* the file, -1 until it is needed */
    uint64_t in_file;
    char *buffer;
    size_t buffered;
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
    free(s->buffer);
    free(s);
}

uint64_t spool_size(const spool *s)
{
    return s->in_memory + s->in_file + s->buffered;
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

static int fail_file(spool *s, const char *reason)
{
    return fail(s, "temporary file in %s: %s; TMPDIR sets another folder", directory(), reason);
}

/* Unlinked at once, so that no file is left however the program ends. */
static int open_file(spool *s)
{
    char name[4096];
    if (!s->buffer) s->buffer = malloc(BUFFER_SIZE);
    if (!s->buffer) return fail(s, "out of memory");
    int n = snprintf(name, sizeof name, "%s/sigrep-XXXXXX", directory());
    if (n < 0 || (size_t)n >= sizeof name)
        return fail(s, "TMPDIR: the name of the folder is too long");
    s->fd = mkstemp(name);
    if (s->fd < 0) return fail_file(s, strerror(errno));
    if (unlink(name) != 0) return fail(s, "%s cannot be removed: %s", name, strerror(errno));
    return 0;
}

static int write_buffer(spool *s)
{
    size_t done = 0;
    while (done < s->buffered) {
        ssize_t n = pwrite(s->fd, s->buffer + done, s->buffered - done, (off_t)(s->in_file + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail_file(s, strerror(errno));
        done += (size_t)n;
    }
    s->in_file += done;
    s->buffered = 0;
    return 0;
}

/* Copy as many of n bytes into memory as the limit allows. Returns their number, -1 on failure. */
static int64_t append_to_memory(spool *s, const char *data, size_t n)
{
    size_t part = s->limit - s->in_memory < n ? s->limit - s->in_memory : n;
    if (s->in_memory + part > s->capacity) {
        size_t capacity = s->capacity ? s->capacity : (size_t)64 << 10;
        while (capacity < s->in_memory + part) capacity *= 2;
        if (capacity > s->limit) capacity = s->limit;
        char *memory = realloc(s->memory, capacity);
        if (!memory) return fail(s, "out of memory");
        s->memory = memory;
        s->capacity = capacity;
    }
    if (part > 0) memcpy(s->memory + s->in_memory, data, part);
    s->in_memory += part;
    return (int64_t)part;
}

int spool_append(spool *s, const void *data, size_t n)
{
    const char *from = data;
    int64_t stored = append_to_memory(s, from, n);
    if (stored < 0) return -1;
    from += stored;
    n -= (size_t)stored;
    if (n > 0 && s->fd < 0 && open_file(s) != 0) return -1;
    while (n > 0) {
        size_t part = BUFFER_SIZE - s->buffered < n ? BUFFER_SIZE - s->buffered : n;
        memcpy(s->buffer + s->buffered, from, part);
        s->buffered += part;
        from += part;
        n -= part;
        if (s->buffered == BUFFER_SIZE && write_buffer(s) != 0) return -1;
    }
    return 0;
}

static int read_file(spool *s, uint64_t offset, char *data, size_t n)
{
    while (n > 0) {
        ssize_t got = pread(s->fd, data, n, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_file(s, strerror(errno));
        if (got == 0) return fail_file(s, "cut short");
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
        return fail(s, "read beyond the end of the stored samples");
    if (n > 0 && offset < s->in_memory) {
        size_t part = least(s->in_memory - offset, n);
        memcpy(to, s->memory + offset, part);
        to += part;
        offset += part;
        n -= part;
    }
    if (n > 0 && offset - s->in_memory < s->in_file) {
        size_t part = least(s->in_file - (offset - s->in_memory), n);
        if (read_file(s, offset - s->in_memory, to, part) != 0) return -1;
        to += part;
        offset += part;
        n -= part;
    }
    if (n > 0) memcpy(to, s->buffer + (offset - s->in_memory - s->in_file), n);
    return 0;
}

int spool_clear(spool *s)
{
    s->in_memory = 0;
    s->in_file = 0;
    s->buffered = 0;
    s->error[0] = '\0';
    if (s->fd >= 0 && ftruncate(s->fd, 0) != 0) return fail_file(s, strerror(errno));
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
