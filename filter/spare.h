/*
 * spare.h - a kernel that takes over where another one fails, with the same bits. The state of the
 * one that failed is lost with its device, so now and then a column of each template is kept
 * here, far enough back that the spare one, sweeping the window's frames from there on, has all
 * columns that a search may still ask for:
 *
 *     window   |<-- reach -->|<------ overlap ------>|<-- step that failed -->|
 *                    ^ columns kept here
 */
#ifndef FILTER_SPARE_H
#define FILTER_SPARE_H

#include "filter/window.h"
#include "kernels/kernel.h"

/* The columns of all templates, one behind the other, at a position. */
typedef struct {
    uint64_t position; /* 0: the start, where there are none */
    float *d;
} spare_columns;

typedef struct {
    const kernel_ops *ops; /* NULL: there is no spare kernel */
    kernel_plan plan;
    kernel_template *templates;
    size_t *spacings; /* of the kernel it stands by for */
    size_t widest;    /* of these */
    size_t all_rows;
    size_t overlap;
    spare_columns usable, next; /* next: not yet far enough back; position 0: none */
} spare;

/* To stand by for `kernel`, made by the ops and the plan given; what the plan points to is
 * borrowed, but its list of templates. `overlap` are the frames before a step that searches look
 * back to. The caller frees it. */
sigrep_status spare_create(spare *sp, const kernel_ops *ops, const kernel_ops *of,
                           const void *kernel, const kernel_plan *plan, size_t overlap);
void spare_free(spare *sp);
void spare_reset(spare *sp);

/* Frames that a window has to hold beyond overlap and chunk. */
size_t spare_reach(const spare *sp);

/* A step [from, to) went well, and nobody will ask for its columns any more but for those in reach
 * of the next one: keep some, if it is time to. */
sigrep_status spare_look(spare *sp, const kernel_ops *of, void *kernel, uint64_t from, uint64_t to);

/* Make the spare kernel and bring it to frame `to`. *out is written over. */
sigrep_status spare_take_over(const spare *sp, void **kernel, const window *frames, uint64_t to,
                              const kernel_output *out);

#endif
