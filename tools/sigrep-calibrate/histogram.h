/* histogram.h - scores as lines of bars. */
#ifndef TOOLS_SIGREP_CALIBRATE_HISTOGRAM_H
#define TOOLS_SIGREP_CALIBRATE_HISTOGRAM_H

#include "io/text_buffer.h"
#include "tools/sigrep-calibrate/gap.h"

/* Append about 20 lines, each with the places whose scores lie in (from, to]. With a gap, which may
 * be NULL, the threshold lies between two of them. n >= 1 ascending scores, >= 0. */
void histogram_print(text_buffer *out, const double *scores, size_t n, const score_gap *gap);

#endif
