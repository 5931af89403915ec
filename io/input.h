/*
 * input.h - the bytes of one file, pipe or terminal, through one buffer. Format detection looks at
 * the first bytes. The back end then reads on, and loses none.
 *
 *     consumed            buffered: bytes[begin, end)         still in the descriptor
 *     |------------------|====================================|..........
 *                         input_bytes, input_have              input_more reads these
 *
 * Packed bytes are unpacked below the buffer: unpack.h. Nothing here knows formats. Reading fails
 * in one of four ways, which stay set: `ended`, `woken` (by wake_fd, see fdio.h), `failure` (an
 * errno), or `fault` (of packed bytes, in words).
 */
#ifndef IO_INPUT_H
#define IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/unpack.h"

enum { INPUT_CAPACITY = 1 << 17 }; /* bytes of the buffer: more than any line or frame */

typedef struct {
    int fd;
    bool owns_fd; /* false for standard input, which we must not close */
    int wake_fd;
    bool is_file;      /* a regular file */
    bool regular;      /* one with a known size, in which we can seek: not packed */
    uint64_t start;    /* offset at opening; not 0 if standard input was read before */
    uint64_t size;     /* bytes of a regular file, from its very beginning */
    uint64_t consumed; /* bytes since opening */
    bool ended;
    bool woken;
    int failure;       /* errno, 0: none */
    const char *fault; /* NULL: none; valid until input_close */
    unpack *unpack;    /* NULL: the bytes are not packed */
    unsigned char *bytes;
    size_t begin, end; /* buffered: bytes[begin, end) */
} input;

/* Open `path`; "-" is standard input. On failure: false, with a reason in error[size]. Call
 * input_close only after success. */
bool input_open(input *in, const char *path, int wake_fd, char *error, size_t size);
void input_close(input *in);

/* Unpack the bytes, which were judged by unpack_detect. None was consumed. false: out of memory. */
bool input_unpack(input *in, unpack_kind kind);

/* Has reading stopped: is one of the four set? */
static inline bool input_has_stopped(const input *in)
{
    return in->ended || in->woken || in->failure || in->fault;
}

/* Wait for bytes and append them to the buffer, by one read. The buffer must have room. false if
 * nothing came: see input_has_stopped. */
bool input_more(input *in);

/* As input_more, but also false if nothing comes within ms. */
bool input_more_within(input *in, int ms);

/* Buffer at least n bytes, n <= INPUT_CAPACITY. false if the input ends first. */
bool input_need(input *in, size_t n);

/* The number of buffered bytes, and the first of them. */
static inline size_t input_have(const input *in)
{
    return in->end - in->begin;
}

static inline const unsigned char *input_bytes(const input *in)
{
    return in->bytes + in->begin;
}

/* Consume n buffered bytes. */
static inline void input_consume(input *in, size_t n)
{
    in->begin += n;
    in->consumed += n;
}

/* Consume n bytes, buffered or not. false if the input ends first. */
bool input_skip(input *in, uint64_t n);

/* Read and consume up to n bytes past the buffer, which must be empty. 0 if nothing came: see
 * input_has_stopped; or, without `wait`, nothing is there yet. */
size_t input_read_direct(input *in, void *to, size_t n, bool wait);

/* Buffer again the last n bytes of an input_read_direct, n <= INPUT_CAPACITY. */
void input_unread(input *in, const void *bytes, size_t n);

/* Regular files only, from here on. */

/* Bytes that are not consumed yet. */
uint64_t input_left(const input *in);

/* Copy up to n bytes, from `offset` bytes after the consumed ones. Consumes nothing and changes
 * nothing, so threads may do it at the same time. Returns the number copied. */
size_t input_peek(const input *in, uint64_t offset, void *bytes, size_t n);

/* Read up to n bytes at `offset` from the start of the input. The buffer stays; the descriptor
 * moves, so call input_resume afterwards. Returns fewer at the end, or with woken or failure set.
 */
size_t input_read_at(input *in, uint64_t offset, void *bytes, size_t n);

/* Move the descriptor back to the end of the buffer. false if that fails: see failure. */
bool input_resume(input *in);

#endif
