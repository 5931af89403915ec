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

#include <pthread.h>

#include "filter/search/detector.h"
#include "filter/search/fallback.h"
#include "filter/search/match_list.h"
#include "filter/search/score_seam.h"
#include "filter/search/window.h"
#include "filter/status.h"
#include "sigrep.h"

typedef struct pool pool; /* kernels/pool.h */

typedef struct searches_plan {
    const template *templates; /* borrowed during create */
    size_t n_templates;
    size_t dim;
    size_t chunk;  /* most frames of one */
    pool *workers; /* borrowed, must outlive the searches; may be NULL */
    const kernel_ops *ops;
    const kernel_ops *fallback; /* takes over if `ops` fails; NULL: none */
    bool background;            /* searches_begin returns before the sweep is done */
    int device;                 /* as in kernel.h */
    bool lowest_only;           /* as in search.h */
    bool want_scores;           /* searches_scores is used */
    bool normalises;            /* each candidate is: zmatch_search.h; `ops` sweeps nothing */
    double band;                /* of zmatch_search.h */
    size_t keep;                /* frames before a chunk that searches_frames may be asked for */
    stopping stop;              /* its `work` is set here */
} searches_plan;

typedef struct search search; /* filter/search/search.h */

/* A template's search. Each has its own list, so the order of matches does not depend on threads.
 */
typedef struct {
    search *search;
    score_seam *seam; /* NULL: scores are not wanted */
    match_list matches;
    sigrep_status status;
    bool is_done; /* with the last chunk */
} template_search;

typedef struct searches {
    /* Callers may read these. */
    const kernel_ops *ops; /* the kernel in use */
    sigrep_status failure; /* why the fallback kernel took over; SIGREP_OK: it did not */
    uint64_t cells;        /* that the kernel swept */
    bool is_running;       /* a chunk was begun; `background` has it, `at_work` */
    uint64_t from, to;     /* frames of the last chunk */
    uint64_t *gaps;        /* of the last chunk */
    size_t n_gaps;

    void *kernel;
    uint64_t base; /* the frame at which the kernel begins to count: 0, or as a state wants it */
    window frames;
    size_t chunk;        /* most frames of one */
    size_t overlap;      /* frames before a chunk that the window keeps */
    uint64_t *next_gaps; /* of the next chunk; room for `chunk`, as in `gaps` */
    size_t n_next_gaps;
    float *gap_frame; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    pool *background; /* a thread that sweeps while the caller appends; NULL: not wanted */
    const float *at_work;
    sigrep_status swept; /* the kernel's status for the last chunk */
    size_t prefetched;   /* frames of the next chunk that the kernel copies ahead */
    fallback fallback;
    bool guarded; /* there is a fallback kernel, or was */
    pthread_mutex_t checkpoint_lock;
    stopping stop;
    size_t cells_a_frame;
    size_t n_templates;
    template_search searches[];
} searches;

/* The chunk at which the plan's kernel is fastest. 0 without memory. */
size_t searches_best_chunk(const searches_plan *plan);

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

/* The stream has ended (after a searches_run): add the pending matches to *out. */
sigrep_status searches_finish(searches *all, match_list *out);

/* Begin a new stream at position 0. */
void searches_reset(searches *all);

/* Frame `at` of the stream and the frames after it, up to the end of the last chunk. It is one of
 * that chunk or of the plan's `keep` frames before it. Valid until the next append. */
const float *searches_frames(const searches *all, uint64_t at);

/* D(m,t) of a template for the frames of the last chunk; undefined at gaps. */
const float *searches_scores(const searches *all, size_t index);

/* search_pending_since of a template. */
uint64_t searches_pending_since(const searches *all, size_t index);

/* Cells that the searches traced. */
uint64_t searches_cells_traced(const searches *all);

/* All frames were searched: get ready for searches_pass_state
 * and searches_agree. Errors as for searches_run. */
sigrep_status searches_settle(searches *all);

/* search_agrees of all templates, after searches_settle of both. */
bool searches_agree(const searches *all, const searches *other);

/* The first frame that a state must hold, or `at` if that is earlier. with_paths: with the
 * frames of all matches that may come. */
uint64_t searches_needed(const searches *all, uint64_t at, bool with_paths);

/* Pass over all searches, at the end of the last chunk, and the frames from *needed on. What is
 * read takes the place of the stream so far: the window holds the frames, and the kernel has swept
 * them. Errors as for searches_run. */
sigrep_status searches_pass_state(searches *all, state_bytes *st, uint64_t *needed);

#endif
