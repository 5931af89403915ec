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

/* The checkpoints of all templates at one position, one after the other. */
typedef struct {
    uint64_t position; /* 0: the start of the stream, which needs no checkpoints */
    float *d;
} fallback_checkpoints;

typedef struct {
    const kernel_ops *ops; /* NULL: there is no fallback kernel */
    kernel_plan plan;
    kernel_template *templates;
    size_t *spacings; /* of the kernel that may fail, for each template */
    size_t widest;    /* the largest of these */
    size_t all_rows;  /* of all templates */
    size_t overlap;
    uint64_t base; /* the window's frame at which the kernels begin to count */
    fallback_checkpoints usable;
    fallback_checkpoints next; /* not yet far enough back; position 0: none */
} fallback;

/* Stand by for `kernel`, which `of` made from `plan`. The plan's list of templates is copied, all
 * else that it points to is borrowed. overlap: frames before a chunk that searches may read again.
 * The caller frees it. */
sigrep_status fallback_create(fallback *fb, const kernel_ops *ops, const kernel_ops *of,
                              const void *kernel, const kernel_plan *plan, size_t overlap);
void fallback_free(fallback *fb);

/* A new stream, whose first frame is `base` of the window. All other positions count from there. */
void fallback_reset(fallback *fb, uint64_t base);

/* Frames that a window must hold before overlap and chunk. */
size_t fallback_reach(const fallback *fb);

/* The chunk [from, to) is done. The next chunk asks for no checkpoint before its overlap. Store
 * checkpoints, if it is time to. */
sigrep_status fallback_store(fallback *fb, const kernel_ops *of, void *kernel, uint64_t from,
                             uint64_t to);

/* Make the fallback kernel and sweep up to frame `to`. *out is overwritten. */
sigrep_status fallback_take_over(const fallback *fb, void **kernel, const window *frames,
                                 uint64_t to, const kernel_output *out);

#endif
