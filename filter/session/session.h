/*
 * session.h - the inside of a search, struct sigrep. README.md lists the files that share it.
 *
 *     samples -> front end -> frames -> sweep -> matches -> label_groups or best -> on_match
 *
 * session.c calls the other files, and none of them calls session.c.
 */
#ifndef FILTER_SESSION_SESSION_H
#define FILTER_SESSION_SESSION_H

#include <stdbool.h>

#include "filter/features/front_end.h"
#include "filter/search/match_list.h"

typedef struct best best;                     /* filter/search/best.h */
typedef struct kernel_ops kernel_ops;         /* kernels/kernel.h */
typedef struct label_groups label_groups;     /* filter/search/label_groups.h */
typedef struct pool pool;                     /* kernels/pool.h */
typedef struct span span;                     /* filter/search/span.h */
typedef struct sweep sweep;                   /* filter/search/sweep.h */
typedef struct sweep_template sweep_template; /* the same */
typedef struct template template;             /* filter/session/template.h */

struct sigrep {
    /* From the configuration. */
    size_t n_templates;
    template *templates;
    sweep_template *sweep_templates; /* the same for sweep and best */
    size_t channels;
    size_t best_wanted;
    sigrep_store store;
    sigrep_match_fn *on_match;
    sigrep_scores_fn *on_scores;
    void *user;

    /* What computes. */
    const kernel_ops *ops; /* as chosen; of several devices, the kernel of each */
    const char *remark;    /* of creation */
    pool *workers;         /* NULL: one thread */
    pool *readers;         /* of sigrep_read, theirs alone; NULL: the calling thread */
    float *read_buffer;    /* of sigrep_read; NULL until it is needed */
    front_end *chain;
    frame_timing timing;
    size_t dim;      /* floats a frame */
    size_t max_push; /* samples given to the front end at once */
    sweep *sw;
    label_groups *label_groups;
    best *best; /* NULL unless best_wanted */
    size_t chunk;
    bool behind; /* whole chunks are evaluated while the next ones are appended */

    /* Where the stream is. */
    uint64_t samples;       /* of this input, gaps included */
    uint64_t frames;        /* of this input, appended to the sweep */
    uint64_t frames_before; /* of the inputs before, for the statistics */
    uint64_t gap_samples;   /* lost since the last sample */
    sigrep_status over;     /* why no more of this input is taken; SIGREP_OK: it is */
    span *spans;            /* of the step: the one it began in, and one after each gap */
    size_t n_spans;
    uint64_t *gap_frames; /* of each gap of the step: frames of NaN in the scores */
    size_t n_gaps;

    /* Results on their way. */
    match_list matches, events;
    uint64_t *pending_since; /* of each template */
    float *zero_frame;       /* dim values, stands for a gap in the store */
    float *scores;           /* SCORES_BATCH x n_templates */
};

enum { SCORES_BATCH = 512 };

/* session_device.c: the kernel, once the templates are there where "auto" is to choose; the sweep,
 * and the best-of search. Where nobody asked for the GPU and it cannot take the search, the CPU
 * does, and *error says so although all is well. */
sigrep_status session_choose_kernel(sigrep *session, const sigrep_config *config,
                                    sigrep_error *error);
sigrep_status session_create_sweep(sigrep *session, const sigrep_config *config,
                                   sigrep_error *error);

/* Did somebody ask for a device or a kernel? */
bool session_is_device_asked(const sigrep_config *config);

/* Why the CPU took over, in words; NULL: it did not. */
const char *session_remark(const sigrep *session);

/* Forget the stream: the next sample is number 0. */
void session_reset(sigrep *session);

/* stream.c, for read_samples.c. If the sweep has no room for a frame, evaluate the frames that were
 * appended. */
sigrep_status session_make_room(sigrep *session);

/* Take the next n samples, finite or not. They may lie in sweep_space. */
sigrep_status session_take(sigrep *session, const float *samples, size_t n);

/* Evaluate all frames that were appended. */
sigrep_status session_step(sigrep *session);

#endif
