/*
 * searches.h - the searches of all templates, over one window and one kernel: frames in, matches
 * (in frames) out.
 *
 *     searches_append --> window --searches_run--> kernel --> a search each --> matches
 *
 * A session has one for all templates. A best-of search has one for each template, which searches
 * parts of a stream again.
 */
#ifndef FILTER_SEARCH_SEARCHES_H
#define FILTER_SEARCH_SEARCHES_H

#include "filter/search/detector.h"
#include "filter/search/stopping.h"
#include "sigrep.h"

typedef struct kernel_ops kernel_ops; /* kernels/kernel.h */
typedef struct match_list match_list; /* filter/search/match_list.h */
typedef struct pool pool;             /* kernels/pool.h */

/* A template after the front end. */
typedef struct search_template {
    const float *frames; /* length x dim; borrowed, must outlive the searches */
    size_t length;
    detector_gate gate;
    double level; /* as in sigrep_template; only a best-of search uses it */
} search_template;

typedef struct searches_plan {
    const search_template *templates; /* borrowed during create */
    size_t n_templates;
    size_t dim;
    size_t chunk;  /* most frames of one */
    pool *workers; /* borrowed, must outlive the searches; may be NULL */
    const kernel_ops *ops;
    const kernel_ops *fallback; /* takes over if `ops` fails; NULL: none */
    bool background;            /* searches_begin returns before the sweep is done */
    int device;                 /* as in kernel.h, like the next two */
    const kernel_ops *each;
    int devices;
    bool lowest_only; /* as in search.h */
    bool want_scores; /* searches_scores is used */
    size_t keep;      /* frames before a chunk that searches_frames may be asked for */
    stopping stop;    /* its `work` is set here */
} searches_plan;

typedef struct searches searches;

/* The caller destroys them; NULL is allowed there. */
sigrep_status searches_create(searches **out, const searches_plan *plan);
void searches_destroy(searches *all);

/* Frames that may still be appended to the next chunk. */
size_t searches_room(const searches *all);

/* Append n <= searches_room frames, finite ones. */
void searches_append(searches *all, const float *frames, size_t n);

/* The place of the next searches_room frames, for a caller who writes finite frames there and then
 * appends n of them with searches_filled. Nobody reads it before that. */
float *searches_space(searches *all);
void searches_filled(searches *all, size_t n);

/* Append a gap; it takes the room of one frame. */
void searches_append_gap(searches *all);

/* Search the chunk that was appended: add the matches that became final to *out. */
sigrep_status searches_run(searches *all, match_list *out);

/* searches_run in two calls: between them the caller may append. The functions that describe the
 * last chunk are valid again after searches_end.
 *
 *     background    begin | kernel sweeps ...        | end: search what was swept
 *     else          begin: sweep | searches_do_task  | end: search what was not
 */
sigrep_status searches_begin(searches *all);

/* Tasks 0..n-1 of which searches_end does those that are left, n = searches_tasks. Any threads may
 * do them between begin and end, each once. A pool_task. */
size_t searches_tasks(const searches *all);
void searches_do_task(void *all, size_t task, size_t thread);

sigrep_status searches_end(searches *all, match_list *out);
bool searches_are_running(const searches *all);

/* The stream has ended (after a searches_run): add the pending matches to *out. */
sigrep_status searches_finish(searches *all, match_list *out);

/* Begin a new stream at position 0. */
void searches_reset(searches *all);

/* The frames [from, to) of the last chunk, and its gaps. */
uint64_t searches_from(const searches *all);
uint64_t searches_to(const searches *all);
const uint64_t *searches_gaps(const searches *all, size_t *n);

/* Frame `at` of the stream and the frames after it, up to the end of the last chunk. It is one of
 * that chunk or of the plan's `keep` frames before it. Valid until the next append. */
const float *searches_frames(const searches *all, uint64_t at);

/* D(m,t) of a template for the frames of the last chunk; undefined at gaps. */
const float *searches_scores(const searches *all, size_t index);

/* search_pending_since of a template. */
uint64_t searches_pending_since(const searches *all, size_t index);

/* Why the fallback kernel took over; SIGREP_OK: it did not. */
sigrep_status searches_failure(const searches *all);

/* The kernel in use. */
const kernel_ops *searches_kernel(const searches *all);

/* Cells that the kernel swept, and cells that the searches traced. */
uint64_t searches_cells(const searches *all);
uint64_t searches_cells_traced(const searches *all);

#endif
