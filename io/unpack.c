/*
 * unpack.c - the packed bytes are members (of gzip) or frames (of zstd):
 *
 *     | member | member | member |  end of file      good
 *     | member | 0 0 0 0 ...     |                   good for gzip: the padding of a tape
 *     | member | garbage         |                   a fault, after all bytes of the member
 *     | member | mem             |                   a fault: cut short
 *
 * Between members our own look at the first bytes decides whether another one follows. So a fault
 * does not depend on how the reads cut the bytes.
 */
#include "io/unpack.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "io/fdio.h"

enum {
    GZIP_HEADER = 10,
    GZIP_FLAGS = 3, /* positions in it */
    GZIP_EXTRA = 8,
    GZIP_SYSTEM = 9,
    ZSTD_MAGIC = 4,
    GZIP_ONLY = 16 /* added to zlib's window bits */
};

struct unpack {
    unpack_kind kind;
    int fd, wake_fd;
    z_stream zlib;
    ZSTD_DStream *zstd;
    size_t hint;    /* bytes that it wants next */
    bool inside;    /* a member: else before one, or at the end */
    bool is_padded; /* zeros came after a member */
    bool is_full;   /* the last call filled its buffer, so more may be ready */
    bool is_dry;    /* packed bytes are needed to go on */
    char fault[128];
    size_t begin, end; /* packed: bytes[begin, end) */
    unsigned char bytes[UNPACK_BUFFER];
};

/* Can these be the first n bytes of a gzip file? Reserved flags are 0. The extra flags tell of the
 * compression's level, the system is one of 14, or unknown. */
static bool may_be_gzip(const unsigned char *b, size_t n)
{
    if ((n > 0 && b[0] != 0x1f) || (n > 1 && b[1] != 0x8b) || (n > 2 && b[2] != 8)) return false;
    if (n > GZIP_FLAGS && b[GZIP_FLAGS] & 0xe0) return false;
    if (n > GZIP_EXTRA && b[GZIP_EXTRA] != 0 && b[GZIP_EXTRA] != 2 && b[GZIP_EXTRA] != 4)
        return false;
    return n <= GZIP_SYSTEM || b[GZIP_SYSTEM] <= 13 || b[GZIP_SYSTEM] == 255;
}

/* Of a frame to skip, as pzstd puts it before each of its frames, the size is compared as well. */
static bool may_be_zstd(const unsigned char *b, size_t n)
{
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd},
                               skipped[] = {0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0};
    return memcmp(b, frame, n < sizeof frame ? n : sizeof frame) == 0 ||
           memcmp(b, skipped, n < sizeof skipped ? n : sizeof skipped) == 0;
}

unpack_kind unpack_detect(const unsigned char *bytes, size_t n, bool end)
{
    const bool gzip = may_be_gzip(bytes, n), zstd = may_be_zstd(bytes, n);
    const size_t least = gzip ? GZIP_HEADER : 2 * ZSTD_MAGIC;
    if (!gzip && !zstd) return UNPACK_NONE;
    if (n < least && !end) return UNPACK_WAITING;
    if (n < ZSTD_MAGIC) return UNPACK_NONE;
    return gzip ? UNPACK_GZIP : UNPACK_ZSTD;
}

const char *unpack_name(unpack_kind kind)
{
    return kind == UNPACK_GZIP ? "gzip" : "zstd";
}

unpack *unpack_create(unpack_kind kind, const unsigned char *bytes, size_t n, int fd, int wake_fd)
{
    unpack *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->kind = kind;
    u->fd = fd;
    u->wake_fd = wake_fd;
    u->end = n;
    u->hint = ZSTD_MAGIC;
    memcpy(u->bytes, bytes, n);
    const bool good = kind == UNPACK_GZIP ? inflateInit2(&u->zlib, MAX_WBITS + GZIP_ONLY) == Z_OK
                                          : (u->zstd = ZSTD_createDStream()) != NULL;
    if (good) return u;
    free(u);
    return NULL;
}

void unpack_destroy(unpack *u)
{
    if (!u) return;
    if (u->kind == UNPACK_GZIP) inflateEnd(&u->zlib);
    ZSTD_freeDStream(u->zstd);
    free(u);
}

const char *unpack_fault(const unpack *u)
{
    return u->fault;
}

unpack_kind unpack_kind_of(const unpack *u)
{
    return u->kind;
}

bool unpack_holds_more(const unpack *u)
{
    return !u->is_dry || u->fault[0];
}

/* Record why no more bytes can come. `why`: NULL, or the library's words. */
static void fail(unpack *u, const char *what, const char *why)
{
    snprintf(u->fault, sizeof u->fault, "%s %s%s%s", unpack_name(u->kind), what, why ? ": " : "",
             why ? why : "");
}

static size_t run_zlib(unpack *u, void *bytes, size_t size)
{
    z_stream *z = &u->zlib;
    z->next_in = u->bytes + u->begin;
    z->avail_in = (uInt)(u->end - u->begin);
    z->next_out = bytes;
    z->avail_out = size < UINT32_MAX ? (uInt)size : UINT32_MAX;
    const uInt room = z->avail_out;
    const int result = inflate(z, Z_NO_FLUSH);
    u->begin = u->end - z->avail_in;
    u->is_full = z->avail_out == 0;
    if (result == Z_STREAM_END) {
        u->inside = false;
        inflateReset(z);
    } else if (result == Z_MEM_ERROR) {
        fail(u, "cannot be unpacked", "out of memory");
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        fail(u, "data is damaged", z->msg);
    }
    return room - z->avail_out;
}

static void fail_zstd(unpack *u, size_t result)
{
    const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    if (code == ZSTD_error_frameParameter_windowTooLarge)
        fail(u, "needs too much memory; unpack it into a pipe by zstd -dc --long=31 FILE", NULL);
    else if (code == ZSTD_error_memory_allocation)
        fail(u, "cannot be unpacked", "out of memory");
    else
        fail(u, "data is damaged", ZSTD_getErrorName(result));
}

/* How many bytes to pass on. An error would lose the output of the same call, so each call gets one
 * block, or one header. The library's hint is that and the 3 bytes of the next header. */
static size_t zstd_step(const unpack *u)
{
    enum { BLOCK_HEADER = 3 };
    if (u->is_full) return 0;
    const size_t step = u->hint > BLOCK_HEADER ? u->hint - BLOCK_HEADER : u->hint;
    return step < sizeof u->bytes ? step : sizeof u->bytes;
}

static size_t run_zstd(unpack *u, void *bytes, size_t size)
{
    const size_t step = zstd_step(u), have = u->end - u->begin;
    ZSTD_inBuffer in = {u->bytes, u->begin + (step < have ? step : have), u->begin};
    ZSTD_outBuffer out = {bytes, size, 0};
    const size_t result = ZSTD_decompressStream(u->zstd, &out, &in);
    u->begin = in.pos;
    u->is_full = out.pos == out.size;
    u->hint = result;
    if (ZSTD_isError(result)) fail_zstd(u, result);
    if (result == 0) {
        u->inside = false;
        u->hint = ZSTD_MAGIC;
    }
    return out.pos;
}

/* Before a member: skip padding, and look whether another one begins. false: more packed bytes are
 * needed to tell, or none follows. */
static bool begin_member(unpack *u, bool end)
{
    const size_t magic = u->kind == UNPACK_GZIP ? 2 : ZSTD_MAGIC;
    u->is_full = false;
    while (u->kind == UNPACK_GZIP && u->begin < u->end && u->bytes[u->begin] == 0) {
        u->is_padded = true;
        u->begin++;
    }
    const size_t have = u->end - u->begin;
    const unsigned char *b = u->bytes + u->begin;
    if (have == 0 || (have < magic && !end)) return false;
    const bool is_skipped = u->kind == UNPACK_ZSTD && have >= magic && (b[0] & 0xf0) == 0x50 &&
                            memcmp(b + 1, "\x2a\x4d\x18", 3) == 0;
    const bool is_member = u->kind == UNPACK_GZIP ? may_be_gzip(b, magic) : may_be_zstd(b, magic);
    u->inside = have >= magic && !u->is_padded && (is_member || is_skipped);
    if (!u->inside) fail(u, "data is followed by garbage, which was ignored", NULL);
    return u->inside;
}

/* Can the buffered bytes be passed on? Part of a step goes to zstd only at the end: else what comes
 * before a fault would depend on how the reads cut the bytes. */
static bool has_step(const unpack *u, bool end)
{
    const size_t have = u->end - u->begin;
    if (u->kind == UNPACK_ZSTD && !end) return have >= zstd_step(u);
    return have > 0 || u->is_full;
}

/* Unpack what is buffered, up to `size` bytes. 0: more packed bytes are needed, or a fault. */
static size_t unpack_some(unpack *u, void *bytes, size_t size, bool end)
{
    while (!u->fault[0] && (u->inside || begin_member(u, end))) {
        if (!has_step(u, end)) break;
        const size_t n =
            u->kind == UNPACK_GZIP ? run_zlib(u, bytes, size) : run_zstd(u, bytes, size);
        if (n > 0) return n;
    }
    return 0;
}

ssize_t unpack_read(unpack *u, void *bytes, size_t size, int ms)
{
    for (bool end = false;;) {
        const size_t n = unpack_some(u, bytes, size, end);
        if (n > 0) return (ssize_t)n;
        if (u->fault[0]) return UNPACK_FAULT;
        if (end && !u->inside) return FD_END;
        if (end) {
            fail(u, "data is cut short", NULL);
            return UNPACK_FAULT;
        }
        u->is_dry = true;
        memmove(u->bytes, u->bytes + u->begin, u->end - u->begin);
        u->end -= u->begin;
        u->begin = 0;
        const ssize_t got =
            fd_read_within(u->fd, u->wake_fd, u->bytes + u->end, sizeof u->bytes - u->end, ms);
        if (got < 0) return got;
        u->end += (size_t)got;
        u->is_dry = false;
        end = got == 0;
    }
}
