/*
 * segments.h - parts of a recording as bytes of a page.
 *
 *     level of samples, columns or scores --> values --> whole numbers --> bytes
 */
#ifndef TOOLS_SIGREP_PLOT_PAGE_SEGMENTS_H
#define TOOLS_SIGREP_PLOT_PAGE_SEGMENTS_H

#include "io/text_buffer.h"
#include "tools/sigrep-plot/levels.h"

/* What the values of a segment are, least byte first. */
typedef enum {
    SEGMENT_RANGES,  /* samples: for each channel least and highest, 1 byte each: 1 to 255 of the
                        channel's range, 0: none */
    SEGMENT_SAMPLES, /* of bucket 1: for each channel 2 bytes: 1 to 65535 of its range, 0: none */
    SEGMENT_COLUMNS, /* of a spectrogram: a byte for each band */
    SEGMENT_SCORES,  /* frames: for each curve 2 bytes: 1 to 65535 of 0 to its top, 0: none */
    SEGMENT_KINDS
} segment_kind;

typedef struct {
    level level;
    size_t offset; /* of its first byte */
} segment;

typedef struct {
    segment *items;
    size_t n;
} segment_list;

typedef struct {
    const recording *r;      /* borrowed */
    spectrogram spectrogram; /* no bands: none is shown */
    segment_list lists[SEGMENT_KINDS];
    text_buffer bytes;
} segment_set;

/* How many samples, columns or frames the whole recording has, and the bytes of a bucket of them.
 */
uint64_t segments_positions(const segment_set *set, segment_kind kind);
size_t segments_width(const segment_set *set, segment_kind kind);

/* false after a failure, which is reported. */
bool segments_add(segment_set *set, segment_kind kind, level l);
void segments_free(segment_set *set);

#endif
