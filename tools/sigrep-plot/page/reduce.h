/*
 * reduce.h - what a page shows of a recording, within a number of bytes.
 *
 *     recording --> all of it, coarse -----------------------+
 *               --> around the best matches, every sample ---+--> segments, in one run of bytes
 *               --> paths of these matches ------------------+
 *
 * A short recording is kept whole. What is left out is put into words.
 */
#ifndef TOOLS_SIGREP_PLOT_PAGE_REDUCE_H
#define TOOLS_SIGREP_PLOT_PAGE_REDUCE_H

#include "tools/sigrep-plot/levels.h"
#include "tools/sigrep-plot/recording.h"
#include "tools/sigrep-plot/timeline.h"

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
    const plot_match *match;
    bool has_path;
    size_t path_at; /* the offset of its path */
} shown_match;

typedef struct {
    const recording *r;      /* borrowed */
    spectrogram spectrogram; /* no bands: none is shown */
    segment_list lists[SEGMENT_KINDS];
    text_buffer bytes; /* of segments and paths */
    timeline times;
    shown_match *matches; /* in the recording's order */
    size_t n_matches;
    text_buffer remarks; /* JSON strings, with commas between them: what is left out */
} reduction;

/* Reduce to `most` bytes of segments and paths. false after a failure, which is reported; the
 * caller frees it in any case. */
bool reduce(reduction *d, const recording *r, double most);
void reduction_free(reduction *d);

#endif
