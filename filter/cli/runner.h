/*
 * runner.h - what a run carries from file to file: run.c the whole, run_search.c the
 * searcher, run_input.c one input. Nobody else includes it.
 */
#ifndef FILTER_CLI_RUNNER_H
#define FILTER_CLI_RUNNER_H

#include "filter/cli/column_times.h"
#include "filter/cli/common/templates.h"
#include "filter/cli/options.h"
#include "filter/cli/progress.h"
#include "io/spool.h"
#include "sigrep.h"

typedef struct {
    uint64_t samples, matches;
    double seconds; /* of input */
    uint64_t cells, cells_traced;
    char kernel[32];
} run_totals;

typedef struct {
    const options *o;
    template_set set;
    int wake_fd;

    sigrep *search; /* NULL until the first is needed */
    double search_rate_hz;
    spool *store; /* of a best-of search */

    writer out;
    bool with_names;
    bool out_is_terminal;
    bool out_lost; /* a write failed, and it was said */
    int scores_fd; /* -1: not wanted */
    int scores_failure;

    float *frames; /* read buffer of max_frames samples ... */
    double *times; /* ... and their times, NULL without a time column */
    size_t max_frames;
    size_t slice; /* samples pushed between two looks at signals and the clock */

    bool failed;  /* exit status 2 */
    bool matched; /* some input has a match */
    bool over;    /* nothing more is to be done */
    bool noted;   /* what sigrep_create remarked has been said */
    run_totals totals;

    /* Of the current input. */
    const char *name; /* NULL before the first */
    time_scale scale;
    bool microphone;
    bool feeds;           /* more is always at hand, and the searcher works beside us */
    bool rate_known;      /* else 1 was taken */
    uint64_t last_sample; /* where --duration ends it; UINT64_MAX: nowhere */
    run_times *column;    /* NULL without a time column */
    uint64_t samples, matches;
    bool mute; /* the searcher failed: what it still finds is not to be trusted */
    progress bar;
} runner;

#endif
