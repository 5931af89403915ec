/*
 * session.h - the inside of a search, struct sigrep. README.md lists the files that share it.
 *
 *     samples -> front end -> frames -> searches -> matches -> label_groups or best -> on_match
 *
 * session.c calls the other files, and none of them calls session.c.
 */
#ifndef FILTER_SESSION_SESSION_H
#define FILTER_SESSION_SESSION_H

#include "filter/features/front_end.h"
#include "filter/search/best.h"
#include "filter/search/match_list.h"
#include "filter/state/state.h"
#include "filter/status.h"

typedef struct front_end_parts front_end_parts; /* filter/session/front_end_parts.h */
typedef struct kernel_ops kernel_ops;           /* kernels/kernel.h */
typedef struct label_groups label_groups;       /* filter/search/label_groups.h */
typedef struct pool pool;                       /* kernels/pool.h */
typedef struct searches searches;               /* filter/search/searches.h */
typedef struct template template;               /* filter/search/detector.h */

/* The warping path of the match that is called back:
 *
 *     deliver --> on_match --> sigrep_get_path --> frames of the window, or of the store --> path.h
 */
typedef struct match_path {
    bool is_wanted; /* by the configuration */
    stopping stop;
    const frame_match *match; /* the one that is called back; NULL: none is */
    const span *where;        /* its span */
    uint64_t start;           /* its first sample */
    sigrep_pair *pairs;       /* owned; of the last path */
    float *frames;            /* owned; of a match in a store */
} match_path;

struct sigrep {
    /* From the configuration. */
    size_t n_templates;
    template *templates;
    size_t channels;
    size_t best_wanted;
    sigrep_store store;
    sigrep_match_fn *on_match;
    sigrep_scores_fn *on_scores;
    void *user;

    /* What computes. */
    const kernel_ops *ops; /* as chosen */
    const char *remark;    /* why sigrep_create took the CPU instead of the GPU; NULL: it did not */
    pool *workers;         /* NULL: one thread */
    pool *helpers;         /* read or compute frames while a GPU searches; NULL: one thread does */
    float *read_buffer;    /* for sigrep_read; NULL until needed */
    double rate_hz;        /* of the input */
    char *spec;            /* of the chain */
    front_end *chain;
    front_end_parts *parts; /* NULL: one thread computes the frames */
    frame_timing timing;
    size_t dim;         /* floats a frame */
    size_t max_push;    /* samples given to the front end at once ... */
    size_t max_doubles; /* ... and doubles */
    double *origin;     /* of the frames (front_end_set_origin); NULL: none */
    bool normalises;    /* each candidate, and the templates (front_end_normalises) */
    double band;
    size_t part; /* samples of a push between two questions whether to stop */
    searches *searches;
    label_groups *label_groups;
    best *best;      /* NULL unless best_wanted */
    size_t chunk;    /* most frames of one */
    bool background; /* a chunk is swept while the next one is appended */

    /* The place in the stream. */
    uint64_t samples;       /* of this input, gaps included */
    uint64_t frames;        /* of this input, appended to the searches */
    uint64_t frames_before; /* of earlier inputs, for the statistics */
    uint64_t gap_samples;   /* missing since the last sample */
    uint64_t cold_at;       /* it began there: frames of samples before are warm-up; cold_start.c */
    uint64_t resumed_at;    /* samples that a state had taken; those before are pushed again */
    uint64_t passed_frames; /* so many next frames of the chain are warm-up or known already */
    sigrep_status over;     /* why no more of this input is taken; SIGREP_OK: more is taken */
    bool in_callback;       /* on_match or on_scores runs: no call may change the search */
    span *spans;            /* of the chunk: the one it begins in, and one after each gap */
    size_t n_spans;
    uint64_t *gap_frames; /* for each gap of the chunk: its frames of NaN in the scores */
    size_t n_gaps;

    /* Results that are not delivered yet. */
    match_list matches;      /* from the searches */
    match_list decided;      /* by the label groups */
    taken taken;             /* by the matches of a best-of search that were delivered */
    size_t *best_left;       /* matches of a label that a best-of search still delivers */
    uint64_t *pending_since; /* of each template */
    float *zero_frame;       /* dim values, stands for a gap in the store */
    float *scores;           /* SCORES_BATCH x n_templates */
    match_path path;         /* of the match that is called back */

    state_bytes state;     /* of the last sigrep_save, or what sigrep_resume reads */
    uint64_t templates_id; /* hash of all that decides matches; 0: not computed yet */
};

enum { SCORES_BATCH = 512 }; /* most frames of scores in one callback */

/* ---- device.c ---- */

/* Choose the kernel. "auto" chooses by the templates, so they must be there. */
sigrep_status session_choose_kernel(sigrep *session, const sigrep_config *config,
                                    sigrep_error *error);

/* The same for a search that normalises each candidate. */
sigrep_status session_choose_no_kernel(sigrep *session, const sigrep_config *config,
                                       sigrep_error *error);

/* Make the searches, and the best-of search. If the GPU cannot take them and nobody asked for it,
 * the CPU takes over: the status is SIGREP_OK, and *error gives the reason. */
sigrep_status session_create_searches(sigrep *session, const sigrep_config *config,
                                      sigrep_error *error);

/* Did somebody ask for a device or a kernel? */
bool session_is_device_asked(const sigrep_config *config);

/* Why the CPU took over from the GPU, which failed so. */
const char *session_remark_on(sigrep_status failure);

/* ---- auto_threshold.c ---- */

/* Measure the levels, and estimate the thresholds, that are wanted and not given. rate_hz: at which
 * templates and stream are compared. Errors: SIGREP_NO_THRESHOLD, SIGREP_BAD_FRONT_END,
 * SIGREP_NO_KERNEL, SIGREP_NO_MEMORY and SIGREP_STOPPED. */
sigrep_status session_estimate(sigrep *session, const sigrep_config *config, double rate_hz,
                               sigrep_error *error);

/* *level: the level of chance. It is the mean, over 16 orders of the template's blocks, of the
 * median score that the template has in them. 0 if these cost nothing, infinite beyond float32. It
 * takes at most about 10^6 cells. */
sigrep_status auto_level(double *level, const template *x, const kernel_ops *ops);

/* *threshold > 0: mean cost per frame, with three significant digits, the same for every kernel.
 * SIGREP_NO_THRESHOLD if a match by chance costs nothing, or more than float32 holds. */
sigrep_status auto_threshold(double *threshold, const template *x, const kernel_ops *ops);

/* The threshold of a template of sounds, with three significant digits. `score`, its level or low
 * score, is above 0; `factor` is that of its front end. n >= 1 templates have its label: more have
 * more false alarms. */
double auto_threshold_of_sound(double score, double factor, size_t n);

/* ---- stream.c ---- */

/* Why no call may take samples now; SIGREP_OK: it may. */
sigrep_status session_refuses(const sigrep *session);

/* A span begins with this sample: its record, and how many of its frames are warm-up
 * (cold_start.c). */
span session_begin_span(sigrep *session, uint64_t begin);

/* Forget the stream: the next sample is number 0. */
void session_reset(sigrep *session);

/* If the searches have no room for a frame, search the chunk that was appended. */
sigrep_status session_make_room(sigrep *session);

/* Take the next n samples, finite or not. They may lie in searches_space. */
sigrep_status session_take(sigrep *session, const float *samples, size_t n);

/* The same of finite samples: at most front_end_parts_most, or any number if that is 0. */
sigrep_status session_take_finite(sigrep *session, const float *samples, size_t n);

/* Search all frames that were appended, and call back. */
sigrep_status session_search_all(sigrep *session);

/* Search the frames that were appended. More follow at once: the last ones may be searched with
 * those. */
sigrep_status session_go_on(sigrep *session);

/* ---- read_samples.c ---- */

/* For sigrep_create: make session->helpers, at most `threads` of them. They pay only if a GPU
 * searches raw samples meanwhile. In any other case, or without memory, there are none. */
void session_create_readers(sigrep *session, size_t threads);

/* ---- match_path.c ---- */

void match_path_free(match_path *path);

/* The frames before a chunk that the window must keep for the paths of the matches that it
 * delivers: label_groups.h has the proof for several templates. 0: no path needs them. */
size_t match_path_keeps(const sigrep *session);

#endif
