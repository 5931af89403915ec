/*
 * reduce.h - what a page shows of a recording, within a number of bytes.
 *
 *     recording --> all of it, coarse -----------------------+
 *               --> around the best matches, every sample ---+--> segments, in one blob
 *               --> paths of these matches, their templates -+
 *
 * A short recording is kept whole. What is left out is put into words.
 */
#ifndef TOOLS_SIGREP_PLOT_REDUCE_H
#define TOOLS_SIGREP_PLOT_REDUCE_H

#include "tools/sigrep-plot/blob.h"
#include "tools/sigrep-plot/levels.h"
#include "tools/sigrep-plot/timeline.h"

typedef struct score_curve score_curve; /* recording.h */

/* What the values of a segment are, least byte first. */
typedef enum {
    SEGMENT_RANGES,  /* samples: for each channel least and highest, 1 byte each: 1 to 255 of the
                        channel's range, 0: none */
    SEGMENT_SAMPLES, /* for each channel 2 bytes: 1 to 65535 of its range, 0: none */
    SEGMENT_COLUMNS, /* of a spectrogram: a byte for each band */
    SEGMENT_SCORES,  /* frames: for each curve 2 bytes: 1 to 65535 of 0 to its top, 0: none */
    SEGMENT_KINDS
} segment_kind;

typedef struct {
    level level;
    size_t offset; /* of its first byte in the blob */
} segment;

typedef struct {
    segment *items;
    size_t n;
} segment_list;

typedef struct reduction {
    const recording *r; /* borrowed */
    timeline times;
    spectrogram spectrogram; /* no bands: none is shown */
    blob bytes;
    segment_list segments[SEGMENT_KINDS];
    size_t *matches; /* that are shown, in order of time */
    size_t n_matches;
    bool *is_detailed;   /* by the index of a match: every sample around it is there */
    bool *has_path;      /* likewise */
    size_t *path_at;     /* likewise: the offset of its path */
    text_buffer remarks; /* sentences, each with a newline: what is left out */
} reduction;

/* The value at the top of a curve's axis. */
double reduce_top(const score_curve *curve);

/* Reduce to `most` bytes of blob. false after a failure, which is reported; the caller frees it in
 * any case. */
bool reduce(reduction *d, const recording *r, double most);
void reduction_free(reduction *d);

#endif
