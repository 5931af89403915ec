/*
 * score_seam.h - the scores of a search that goes on from a state.
 *
 * The kernel begins cold at the seam, so its D is too high at first. A trace goes on from the exact
 * column, and gives the scores until the kernel's checkpoint agrees with it bit for bit. From there
 * on both are the same.
 *
 *     kernel   |~~~~~~~~~~~~~~~~~~~o==========>     o: a checkpoint that agrees, or a gap
 *     trace    |===================o
 *              ^ seam
 */
#ifndef FILTER_SEARCH_SCORE_SEAM_H
#define FILTER_SEARCH_SCORE_SEAM_H

#include "filter/search/trace.h"
#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */
typedef struct swept_chunk swept_chunk; /* filter/search/cursor.h */

typedef struct {
    trace trace;
    float *column; /* m: a checkpoint to compare with */
    bool is_open;  /* the kernel has not agreed yet */
} score_seam;

/* x: length x dim, copied. The caller frees it with score_seam_free, also after an error. */
sigrep_status score_seam_create(score_seam *seam, const float *x, size_t length, size_t dim);
void score_seam_free(score_seam *seam);

/* Close it: the kernel's scores count. */
void score_seam_reset(score_seam *seam);

/* Set the scores of the chunk: D(m,t) of its frames. */
sigrep_status score_seam_mend(score_seam *seam, const swept_chunk *in, size_t index, size_t spacing,
                              float *scores);

/* Get ready for score_seam_pass_state: find the column at the chunk's end. */
sigrep_status score_seam_settle(score_seam *seam, const swept_chunk *in, size_t index,
                                size_t spacing);

/* Pass over the column before frame `at`. One that is read is open. */
void score_seam_pass_state(score_seam *seam, state_bytes *st, uint64_t at);

#endif
