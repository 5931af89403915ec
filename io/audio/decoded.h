/*
 * decoded.h - frames of compressed audio on their way to the reader: a block, or a gap before it.
 *
 *     | block | ??????? | block ...        a gap is NaN for each sample that is missing
 *
 * Gaps are parts that could not be decoded. The first is reported at once, all at the end.
 */
#ifndef IO_AUDIO_DECODED_H
#define IO_AUDIO_DECODED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"

/* Zeros at first. */
typedef struct {
    size_t channels;
    float *block;        /* interleaved */
    size_t room;         /* values of it */
    size_t n, at;        /* frames of the block, those given */
    uint64_t missing;    /* frames of a gap before the block */
    uint64_t given;      /* frames so far, gaps included */
    uint64_t gaps, lost; /* gaps so far, the frames of all of them */
    bool is_ended;       /* and that was reported */
} decoded;

/* The place for n more frames behind those of the block, which does not count them yet. NULL: out
 * of memory. */
float *decoded_room(decoded *d, size_t n);

/* Give up to max frames of the gap, else of the block. Returns their number. */
size_t decoded_read(decoded *d, float *frames, size_t max);

/* Report the gap before the block. Its length may be an estimate. */
void decoded_report_gap(decoded *d, source *src, bool is_estimate);

/* The input has ended: report how much is missing in all, once. */
void decoded_report_end(decoded *d, source *src);

#endif
