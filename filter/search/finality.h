/*
 * finality.h - the frame that makes a match final (rule 2 of docs/SEMANTICS.md).
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
#ifndef FILTER_SEARCH_FINALITY_H
#define FILTER_SEARCH_FINALITY_H

#include "filter/search/trace.h"

typedef struct detector detector;           /* filter/search/detector.h */
typedef struct detector_gate detector_gate; /* the same */
typedef struct window window;               /* filter/search/window.h */

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
