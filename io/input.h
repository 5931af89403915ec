/*
 * input.h - the bytes of one input, buffered: opened once, looked at by the detection of
 * formats, then handed to a back end with nothing lost.
 */
#ifndef IO_INPUT_H
#define IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { INPUT_CAPACITY = 1 << 17 }; /* bytes looked at together: more than a line or a frame */

typedef struct {
    int fd;
    bool owns_fd; /* standard input is not ours to close */
    int wake_fd;
    bool regular;   /* a file: it can be sought, and its size is known */
    uint64_t start; /* offset at opening, not 0 where standard input was read before */
    uint64_t size;  /* of a regular file, from its very beginning */
    uint64_t taken; /* bytes consumed since opening */
    bool ended;     /* the end was read */
    bool woken;     /* wake_fd ended it */
    int failure;    /* errno that ended it */
    unsigned char *bytes;
    size_t begin, end; /* what is buffered: bytes[begin, end) */
} input;

/* Open `path`, "-" is standard input. false with a reason in error[size]; input_close
 * is due after success only. */
bool input_open(input *in, const char *path, int wake_fd, char *error, size_t size);
void input_close(input *in);

/* Read once more behind what is buffered; fewer than INPUT_CAPACITY bytes may be waiting.
 * false when nothing came: ended, woken or failure says why. Waits for the first byte. */
bool input_more(input *in);

/* As input_more, but only what comes within ms: false also where nothing does. */
bool input_more_within(input *in, int ms);

/* Buffer at least n bytes (n <= INPUT_CAPACITY): false where the input ends before. */
bool input_need(input *in, size_t n);

static inline size_t input_have(const input *in)
{
    return in->end - in->begin;
}

static inline const unsigned char *input_bytes(const input *in)
{
    return in->bytes + in->begin;
}

static inline void input_take(input *in, size_t n)
{
    in->begin += n;
    in->taken += n;
}

/* With nothing buffered: read and consume up to n bytes into `to`, by one read. 0 where nothing
 * came: ended, woken or failure says why, or nothing is there yet and `wait` is false. Up to
 * INPUT_CAPACITY of them, the last ones, may be given back, to be buffered. */
size_t input_fetch(input *in, void *to, size_t n, bool wait);
void input_give_back(input *in, const void *bytes, size_t n);

/* Consume n bytes, buffered or not: false where the input ends before. */
bool input_skip(input *in, uint64_t n);

/* The bytes of a regular file between what is consumed and its end. */
uint64_t input_left(const input *in);

/* The next bytes of a regular file, from `offset` behind what is consumed on: n of them, or as many
 * as there are. Nothing changes, so threads may do it at the same time. */
size_t input_peek(const input *in, uint64_t offset, void *bytes, size_t n);

/* Consume n bytes that were read so: false with failure set if that fails. */
bool input_pass(input *in, uint64_t n);

/* Read up to n bytes of a regular file at `offset` from the start of the input; the
 * buffer stays, the descriptor moves. Returns the bytes read, short at the end and where
 * woken or failure is set. */
size_t input_read_at(input *in, uint64_t offset, void *bytes, size_t n);

/* After that, go on behind what is buffered: false with failure set if that fails. */
bool input_resume(input *in);

#endif
