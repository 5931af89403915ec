/* segments.h - parts of a recording as bytes of a page (reduce.h). */
#ifndef TOOLS_SIGREP_PLOT_SEGMENTS_H
#define TOOLS_SIGREP_PLOT_SEGMENTS_H

#include "tools/sigrep-plot/reduce.h"

/* Each adds a segment, and returns false after a failure, which is reported. */
bool segment_add_ranges(reduction *d, level l);
bool segment_add_samples(reduction *d, level l); /* of bucket 1 */
bool segment_add_scores(reduction *d, level l);
bool segment_add_columns(reduction *d, level l);

#endif
