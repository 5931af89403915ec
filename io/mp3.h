/*
 * mp3.h - the bytes of an MP3 as libsndfile and mpg123 can take them, from files and pipes
 * alike. Left to themselves they
 *   - read in front of a buffer of theirs where the input is a pipe (libsndfile 1.2.0),
 *   - guess the length of a file that does not tell it, and stop there,
 *   - print notes about tags and lengths.
 * So they get a virtual file without tags: what was read lately may be read again, nothing
 * else can be sought, and its length is what the first frame says, or as good as endless.
 */
#ifndef IO_MP3_H
#define IO_MP3_H

#include <stdbool.h>
#include <stdint.h>

#include "io/input.h"

typedef struct {
    input *in;
    uint64_t base;   /* bytes of tags before the first frame */
    uint64_t length; /* of the virtual file */
    bool counted;    /* the first frame tells the number of frames */
} mp3_stream;

/* Pass over ID3v2 tags and read ahead to the first frame. false: the input ends before, or
 * something else is there. */
bool mp3_begin(mp3_stream *m, input *in);

/* Up to n bytes at `offset` of the virtual file; short at its end, and where `offset` was
 * read too long ago. An ID3v1 tag at the end is left out. */
size_t mp3_read_at(mp3_stream *m, uint64_t offset, void *bytes, size_t n);

#endif
