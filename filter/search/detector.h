/*
 * detector.h - which scores become matches: rules 1 and 2 of docs/SEMANTICS.md, over D(m,t) and
 * S(m,t) of one template. SPRING's disjoint query with exact starts.
 */
#ifndef FILTER_SEARCH_DETECTOR_H
#define FILTER_SEARCH_DETECTOR_H

#include <stdbool.h>

#include "filter/search/trace.h"

typedef struct window window; /* filter/search/window.h */

/* The ends of paths that are candidates. */
typedef struct detector_gate {
    float eps;                       /* highest D(m,t) */
    uint64_t length_min, length_max; /* frames, both within the gate */
} detector_gate;

/* A template as the search uses it, after the front end. */
typedef struct template
{
    const float *frames; /* length x dim, finite */
    size_t length;       /* m >= 2 */
    detector_gate gate;
    double level; /* as in sigrep_template */
    double low;   /* its low score in foreign speech, if `auto` rests on that; 0: not measured */
    const char *label;
    double threshold; /* infinite in a best-of search, and until it is estimated */
    size_t dim;       /* values a frame */
}
template;

/* The best candidate so far, while it is pending. */
typedef struct detector {
    bool pending;
    float d;             /* D(m, last) */
    int64_t start, last; /* its first and last frame */
} detector;

/* The largest float32 that is not above the threshold if divided by the length, as scores are. So a
 * match's score is a threshold that finds it. */
float detector_eps(double threshold, size_t length);

/* The gate of a template of `length` frames; length_min > length_max is an empty range. */
detector_gate detector_gate_of(double threshold, double min, double max, size_t length);

/* Is this the end of a candidate? */
bool detector_is_candidate(const detector_gate *gate, const trace_end *end);

/* Rule 1: take a column's end into account. */
void detector_update(detector *det, const detector_gate *gate, const trace_end *end);

/* Rule 2: is the pending best final, since no cell of the trace's last column is live? All starts
 * that matter are known there if the best's own start is: paths do not cross, so no path in a later
 * column began before the best. */
bool detector_is_final(const detector *det, const detector_gate *gate, const trace *tr);

/* What a batch that begins with frame `begin` watches for, to learn when the best became final. */
trace_watch detector_watch(const detector *det, const detector_gate *gate, uint64_t begin);

/*
 * Finality: the frame that makes a match final (rule 2 of docs/SEMANTICS.md).
 *
 * The search learns at the end of a batch that the pending match is final. The frame at which it
 * became final lies within that batch. So the batch is traced once more, from the column before
 * it, and this time the kernel watches for the last rival:
 *
 *     trace      |<------------- batch ------------->|
 *                ^ mark     ^ end of the match    ^ the search sees that no rival is left
 *     again           |<-- 128 columns -->|        until one ends without a rival
 *                                  ^ the first column without a rival: the match is final
 *
 * Only cells below the match's D can be rivals. All others are pruned, so this second trace is
 * cheap.
 */
typedef struct {
    trace again;       /* the second trace */
    float *d;          /* m: D of the column before `position` */
    int32_t *s;        /* m: its starts */
    uint64_t position; /* frames before the batch */
} finality;

/* x: length x dim floats, copied. The caller frees it with finality_free, also after an error.
 * SIGREP_NO_MEMORY. */
sigrep_status finality_create(finality *fin, const float *x, size_t length, size_t dim);
void finality_free(finality *fin);

/* Store the last column of the trace. A batch begins after it. */
void finality_mark(finality *fin, const trace *tr);

/* The frames consumed when the detector's pending match became final. It is final at frame `end`,
 * and its last frame is not before the mark. The window holds the frames from the mark on. Adds the
 * traced columns to *columns. Moves the mark towards the match's end. */
uint64_t finality_of(finality *fin, const detector *det, const detector_gate *gate,
                     const window *frames, uint64_t end, uint64_t *columns);

#endif
