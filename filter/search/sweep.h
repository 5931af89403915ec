/*
 * sweep.h - one kernel, one window, and a search for each template: frames in, matches
 * (in frames) out. The session runs one for all templates; the best-of search runs one for
 * each part of a stream that it looks at again.
 */
#ifndef FILTER_SEARCH_SWEEP_H
#define FILTER_SEARCH_SWEEP_H

#include "filter/search/detector.h"
#include "sigrep.h"

typedef struct kernel_ops kernel_ops; /* kernels/kernel.h */
typedef struct match_list match_list; /* filter/search/match_list.h */
typedef struct pool pool;             /* kernels/pool.h */

/* A template after the front end. */
typedef struct sweep_template {
    const float *frames; /* length x dim; borrowed, must outlive the sweep */
    size_t length;
    detector_gate gate;
} sweep_template;

typedef struct sweep_plan {
    const sweep_template *templates; /* borrowed during create */
    size_t n_templates;
    size_t dim;
    size_t chunk;  /* most frames of one step */
    pool *workers; /* borrowed, must outlive the sweep; may be NULL */
    const kernel_ops *ops;
    const kernel_ops *fallback; /* takes over where `ops` fails; NULL: none */
    bool behind;                /* sweep_begin is used */
    int device;                 /* as in kernel.h ... */
    const kernel_ops *each;     /* ... these too */
    int devices;
    bool lowest_only; /* as in search.h */
    bool want_scores; /* sweep_scores is used */
} sweep_plan;

typedef struct sweep sweep;

/* The caller destroys it; NULL is allowed there. */
sigrep_status sweep_create(sweep **out, const sweep_plan *plan);
void sweep_destroy(sweep *sw);

/* Frames that may still be appended before sweep_run. */
size_t sweep_room(const sweep *sw);

/* Append n <= sweep_room frames, finite ones. */
void sweep_append(sweep *sw, const float *frames, size_t n);

/* Where the next sweep_room frames will lie: to append n of them, finite ones, that were written
 * there. They are nobody else's until then. */
float *sweep_space(sweep *sw);
void sweep_filled(sweep *sw, size_t n);

/* Append a gap; takes the room of one frame. */
void sweep_append_gap(sweep *sw);

/* Evaluate what was appended: matches that became final are added to *out. */
sigrep_status sweep_run(sweep *sw, match_list *out);

/* The same in two: between them the kernel is at work behind the caller, who may append. What is
 * told of the last run is told after sweep_end. */
sigrep_status sweep_begin(sweep *sw);
sigrep_status sweep_end(sweep *sw, match_list *out);
bool sweep_is_running(const sweep *sw);

/* The stream has ended (after a sweep_run): what is pending is added to *out. */
sigrep_status sweep_finish(sweep *sw, match_list *out);

/* A new stream from position 0. */
void sweep_reset(sweep *sw);

/* Of the last run: the frames [from, to), and the gaps among them. */
uint64_t sweep_from(const sweep *sw);
uint64_t sweep_to(const sweep *sw);
const uint64_t *sweep_gaps(const sweep *sw, size_t *n);

/* D(m,t) of the last run's frames, for one template; undefined at gaps. */
const float *sweep_scores(const sweep *sw, size_t index);

/* search_pending_since of a template. */
uint64_t sweep_pending_since(const sweep *sw, size_t index);

/* Why the fallback kernel took over; SIGREP_OK: it did not. And the one at work. */
sigrep_status sweep_failure(const sweep *sw);
const kernel_ops *sweep_kernel(const sweep *sw);

/* Columns evaluated by kernel and by search, times their lengths. */
uint64_t sweep_cells(const sweep *sw);
uint64_t sweep_cells_traced(const sweep *sw);

#endif
