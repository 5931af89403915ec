/*
 * stream_mark.h - is this the stream that was read before? Known by its first samples, and by the
 * last ones before a place.
 *
 *     stream   |=head=|-------- ... --------|=tail=|
 *              0      head_n                       the place
 *
 * Samples, not bytes: recorders rewrite the headers of their files. A frame is as source.h gives
 * it, as float32.
 */
#ifndef TOOLS_SIGREP_STATE_STREAM_MARK_H
#define TOOLS_SIGREP_STATE_STREAM_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STREAM_HEAD = 1 << 14, /* values: 64 KiB */
    STREAM_TAIL = 1 << 10, /* likewise; each push copies as many */
    STREAM_PREFIXES = 15   /* 2^0 to 2^14 frames */
};

/* Checksums are CRC-32. */
typedef struct {
    uint64_t head_n; /* frames */
    uint64_t head;   /* their checksum */
    uint64_t
        prefixes[STREAM_PREFIXES]; /* the checksum of the first 2^i frames, if they are there */
    uint64_t constant_n;           /* so many first frames are equal */
    uint64_t tail_n, tail;
} stream_mark;

typedef struct {
    size_t channels;
    size_t most_head, most_tail; /* frames */
    stream_mark mark;            /* the tail's checksum is made by stream_get_mark */
    float *first;                /* frame */
    float *last;                 /* up to 2 * most_tail frames, the last of which end the tail */
    size_t n_last;
    uint64_t next; /* the frame after them */
} stream;

/* For frames of so many values. false: out of memory. stream_end is due in any case. */
bool stream_begin(stream *s, size_t channels);
void stream_end(stream *s); /* zeros are allowed */

/* Another stream begins. */
void stream_restart(stream *s);

/* n frames came, `at` frames after the stream's beginning. If frames passed by unseen, the head
 * ends there, and the tail begins anew. */
void stream_add(stream *s, uint64_t at, const float *frames, size_t n);

stream_mark stream_get_mark(const stream *s);

/* Are the last frames those of the tail of a mark? */
bool stream_ends_as(const stream *s, const stream_mark *before);

typedef enum { STREAM_SAME, STREAM_OTHER, STREAM_OPEN } stream_verdict;

/* Do the first frames, at most before->head_n of which were added, agree with those of a mark?
 * STREAM_OPEN: as far as they came. */
stream_verdict stream_compare(const stream *s, const stream_mark *before);

/* So many first frames surely agree with those of a mark. */
uint64_t stream_agrees(const stream *s, const stream_mark *before);

/* Do n first frames, as the mark knows them, tell this stream from others? Not if they are few, or
 * all equal. */
bool stream_is_clear(const stream_mark *m, uint64_t n);

#endif
