/*
 * timeline.h - when samples are, as a few straight lines:
 *
 *     time |            ,--'          a piece for each span without a gap; more if times are
 *          |      _,--'  gap          uneven, so that each sample is right to half a step, or
 *          |   ,-'                    as well as MOST pieces can
 *          +------------------ sample
 */
#ifndef TOOLS_SIGREP_PLOT_TIMELINE_H
#define TOOLS_SIGREP_PLOT_TIMELINE_H

#include "io/time/exact_time.h"

typedef struct recording recording; /* recording.h */

enum { TIMELINE_MOST = 4000 };

/* Sample `first` is at time_s, the samples after it in steps of the timeline. */
typedef struct {
    uint64_t first;
    double time_s; /* since the origin */
} time_piece;

typedef struct {
    time_piece pieces[TIMELINE_MOST];
    size_t n;
    double step_s;
    exact_time origin; /* the first time of the column; unknown: times count from sample 0 */
    bool has_dates;    /* the column has dates, so that times are those of a day */
    bool counts;       /* samples are counted: no rate is known, or times go back somewhere */
} timeline;

void timeline_make(timeline *t, const recording *r);

double timeline_at(const timeline *t, uint64_t sample);

#endif
