/*
 * pcm.h - plain samples of a fixed width: decoding, and whole frames out of an input
 * however its reads were cut. Used by raw.c and wav.c.
 */
#ifndef IO_PCM_H
#define IO_PCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/input.h"
#include "io/source.h"

typedef struct {
    source_format format; /* SOURCE_F32 to SOURCE_U8 */
    bool big_endian;
    size_t channels;
    uint64_t left; /* frames still to give; UINT64_MAX: until the end */
} pcm;

/* Bytes of one sample; 0 for text and auto. */
size_t pcm_width(source_format format);

/* Up to max whole frames; waits for the first, then gives what is there. 0: all `left`
 * were given, or the input ended (input says how, less than a frame is in its buffer).
 * Without `wait`, only what is buffered, and 0 may mean that there is none. */
size_t pcm_read(pcm *p, input *in, float *frames, size_t max, bool wait);

/* Of a regular file: the frames to come, as far as is known; n of them from the at-th on, or as
 * many as there are (threads may read at the same time); and to go on behind the first n of them: a
 * failure of that is told by the next pcm_read. */
uint64_t pcm_to_come(const pcm *p, const input *in);
size_t pcm_read_at(const pcm *p, const input *in, uint64_t at, float *frames, size_t n);
void pcm_pass(pcm *p, input *in, uint64_t n);

#endif
