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

#include "tools/sigrep-plot/matches.h"
#include "tools/sigrep-plot/page/segments.h"
#include "tools/sigrep-plot/timeline.h"

typedef struct {
    const plot_match *match;
    bool has_path;
    size_t path_at; /* the offset of its path */
} shown_match;

typedef struct {
    segment_set segments; /* and paths */
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
