/*
 * run_state.h - what a run carries from file to file: run.c the whole, run_search.c the
 * searcher, run_input.c one input. Nobody else includes it.
 */
#ifndef FILTER_CLI_RUNNER_H
#define FILTER_CLI_RUNNER_H

#include "filter/cli/column_times.h"
#include "filter/cli/common/templates.h"
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

/* A searcher for samples of this rate in r->search, the present one where it fits.
 * A failure is said; SIGREP_OK or what sigrep_create gave. */
sigrep_status searcher_ensure(runner *r, double rate_hz);
/* Make one as early as possible, so that bad templates and front ends are known before
 * any input is read. false: there is no way to go on. */
bool searcher_try(runner *r);
void searcher_free(runner *r);

/* Does an input of this kind go with the templates? false after it said why not. On
 * success *rate_hz is the rate to search at. */
bool searcher_accepts(const runner *r, const source_info *info, double *rate_hz);

/* Say what the searcher remarks, once. */
void searcher_note(runner *r, const char *remark);

/* Search one input; sets failed, matched and over. */
void search_input(runner *r, const char *path);
/* Free what was read into. */
void search_input_free(runner *r);

/* The library's callbacks; user is the runner. */
sigrep_match_fn run_on_match;
sigrep_scores_fn run_on_scores;

/* Write what was printed so far. */
void run_flush(runner *r);

#endif
