/*
 * mp3.h - an MP3 as a virtual file without tags, for libsndfile and mpg123.
 *
 *     input:         | ID3v2 tags | frame | frame | ... | frame | ID3v1 tag |
 *     virtual file:               |========================================|
 *                                 base          (a few KiB back can be read again)
 *
 * Why not the plain input? From a pipe, libsndfile 1.2.0 reads memory before its buffer. Both
 * libraries guess the length of a file that does not declare it, and stop there. And they print
 * notes about tags and lengths.
 *
 * A reader cannot seek in the virtual file, except back to bytes that were read recently. Its
 * length is the one that the first frame declares, or practically endless.
 */
#ifndef IO_AUDIO_MP3_H
#define IO_AUDIO_MP3_H

#include <stdbool.h>
#include <stdint.h>

#include "io/input.h"

typedef struct {
    input *in;       /* borrowed */
    uint64_t base;   /* bytes of tags before the first frame */
    uint64_t length; /* bytes of the virtual file */
    bool counted;    /* the first frame declares the number of frames */
} mp3_stream;

/* Skip ID3v2 tags and buffer the first frame's header. false: the input ends first, or holds
 * something else. */
bool mp3_begin(mp3_stream *m, input *in);

/* Copy up to n bytes from `offset` of the virtual file. Returns fewer at its end, and 0 if `offset`
 * is no longer buffered. */
size_t mp3_read_at(mp3_stream *m, uint64_t offset, void *bytes, size_t n);

/* Does another MP3 follow the frames that the first one declares? Waits for its beginning. */
bool mp3_has_more(mp3_stream *m);

#endif
