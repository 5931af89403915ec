/*
 * engine.h - the inside of a searcher (sigrep.h): front end, sweep, classes or best-of,
 * and the events that come out of them in order. engine.c makes and ends it, engine_device.c
 * chooses its kernel, engine_stream.c runs samples through it, engine_fill.c long runs of them by
 * several threads; these three call nothing of engine.c.
 *
 *     samples -> front end -> frames -> sweep -> found -> classes -> events -> on_match
 */
#ifndef FILTER_ENGINE_H
#define FILTER_ENGINE_H

#include "filter/best.h"
#include "filter/classes.h"
#include "filter/features/timing.h"
#include "filter/template.h"

struct sigrep {
    /* What was asked for. */
    size_t n_templates;
    template *templates;
    sweep_template *sweep_templates; /* the same for sweep and best */
    size_t channels;
    size_t best_wanted;
    sigrep_store store;
    sigrep_match_fn *on_match;
    sigrep_scores_fn *on_scores;
    void *user;

    /* The machine. */
    const kernel_ops *ops; /* as chosen; on several devices what each runs */
    const char *remark;    /* of creation */
    pool *workers;         /* NULL: one thread */
    pool *fillers;         /* of engine_fill: theirs alone. NULL: it is not worth it */
    front_end *chain;
    feature_timing timing;
    size_t dim;      /* floats a frame */
    size_t max_push; /* samples given to the front end at once */
    sweep *sw;
    classes *classes;
    best *best; /* NULL unless best_wanted */
    size_t chunk;
    bool behind; /* whole chunks are evaluated while the next ones are appended */

    /* Where the stream is. */
    uint64_t samples;       /* of this input, gaps included */
    uint64_t frames;        /* of this input, appended to the sweep */
    uint64_t frames_before; /* of the inputs before, for the statistics */
    uint64_t gap_samples;   /* lost since the last sample */
    sigrep_status over;     /* why no more of this input is taken; SIGREP_OK: it is */
    stretch *stretches;     /* of the step: the one it began in, and one after each gap */
    size_t n_stretches;
    uint64_t *gap_frames; /* of each gap of the step: frames of NaN in the scores */
    size_t n_gaps;

    /* Results on their way. */
    found_list found, events;
    uint64_t *pending_since; /* of each template */
    float *zero_frame;       /* dim values, stands for a gap in the store */
    float *scores;           /* SCORES_BATCH x n_templates */
};

enum { SCORES_BATCH = 512 };

/* engine_device.c: the kernel, once the templates are there where "auto" is to choose; the sweep,
 * and the best-of search. Where nobody asked for the GPU and it cannot take the search, the CPU
 * does, and *error says so although all is well. */
sigrep_status engine_choose_kernel(sigrep *engine, const sigrep_config *config,
                                   sigrep_error *error);
sigrep_status engine_create_sweep(sigrep *engine, const sigrep_config *config, sigrep_error *error);

/* Did somebody ask for a device or a kernel? */
bool engine_is_device_asked(const sigrep_config *config);

/* Why the CPU took over, in words; NULL: it did not. */
const char *engine_remark(const sigrep *engine);

/* Forget the stream: the next sample is number 0. */
void engine_reset(sigrep *engine);

/* engine_stream.c, for engine_fill.c: where the sweep has no room for a frame, evaluate what was
 * appended. Then n more samples that follow, finite or not; they may lie in sweep_space. */
sigrep_status engine_make_room(sigrep *engine);
sigrep_status engine_take(sigrep *engine, const float *samples, size_t n);

#endif
