/*
 * fallback.h - a kernel that takes over if another one fails, with the same bits.
 *
 *     window   |<-- reach -->|<------ overlap ------>|<-- chunk that failed -->|
 *                    ^ checkpoints stored here
 *
 * A failed device loses its state. So a checkpoint of each template is stored here from time to
 * time. The fallback kernel sweeps the window from there, and then has all checkpoints that a
 * search may ask for.
 */
#ifndef FILTER_SEARCH_FALLBACK_H
#define FILTER_SEARCH_FALLBACK_H

#include "kernels/kernel.h"

typedef struct window window; /* filter/search/window.h */

/* The columns of all templates, one behind the other, at a position. */
typedef struct {
    uint64_t position; /* 0: the start, where there are none */
    float *d;
} fallback_checkpoints;

typedef struct {
    const kernel_ops *ops; /* NULL: there is no fallback kernel */
    kernel_plan plan;
    kernel_template *templates;
    size_t *spacings; /* of the kernel it stands by for */
    size_t widest;    /* of these */
    size_t all_rows;
    size_t overlap;
    fallback_checkpoints usable, next; /* next: not yet far enough back; position 0: none */
} fallback;

/* To stand by for `kernel`, made by the ops and the plan given; what the plan points to is
 * borrowed, but its list of templates. `overlap` are the frames before a step that searches look
 * back to. The caller frees it. */
sigrep_status fallback_create(fallback *sp, const kernel_ops *ops, const kernel_ops *of,
                              const void *kernel, const kernel_plan *plan, size_t overlap);
void fallback_free(fallback *sp);
void fallback_reset(fallback *sp);

/* Frames that a window has to hold beyond overlap and chunk. */
size_t fallback_reach(const fallback *sp);

/* A step [from, to) went well, and nobody will ask for its columns any more but for those in reach
 * of the next one: keep some, if it is time to. */
sigrep_status fallback_store(fallback *sp, const kernel_ops *of, void *kernel, uint64_t from,
                             uint64_t to);

/* Make the fallback kernel and bring it to frame `to`. *out is written over. */
sigrep_status fallback_take_over(const fallback *sp, void **kernel, const window *frames,
                                 uint64_t to, const kernel_output *out);

#endif
