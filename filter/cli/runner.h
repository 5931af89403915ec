/*
 * runner.h - what a run carries from file to file.
 *
 *     run.c: all inputs ──> search_input.c: the current one ──> make_search.c, print.c
 */
#ifndef FILTER_CLI_RUNNER_H
#define FILTER_CLI_RUNNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "filter/cli/actions.h"
#include "filter/cli/column_times.h"
#include "filter/cli/common/templates.h"
#include "filter/cli/exec.h"
#include "filter/cli/options.h"
#include "filter/cli/progress.h"
#include "io/spool.h"
#include "sigrep.h"

/* For --stats. */
typedef struct {
    uint64_t samples, matches, held;
    double seconds; /* of input */
    uint64_t cells, cells_traced;
    char kernel[32];
} run_totals;

/* Standard output and the file of --scores. */
typedef struct {
    writer writer;
    pthread_mutex_t lock; /* of `writer`: print_last may run in any thread */
    bool with_names;
    bool is_terminal;
    bool is_lost;  /* a write failed, and that was reported */
    int scores_fd; /* -1: not wanted */
    int scores_failure;
} run_output;

/* The samples of one read. */
typedef struct {
    float *frames;
    exact_time *times; /* NULL without a time column */
    size_t room;       /* samples */
    size_t push;       /* samples pushed between two looks at signals and the clock */
} read_buffer;

/* The input that is searched. */
typedef struct {
    const char *name; /* NULL before the first */
    bool rate_known;  /* else 1 Hz is taken */
    bool is_microphone;
    bool is_fed; /* more samples are always at hand, and the search works beside us */
    time_scale scale;
    uint64_t limit;      /* the samples to read; UINT64_MAX: all */
    column_times *times; /* NULL without a time column */
    uint64_t samples, matches;
    atomic_bool is_given_up; /* a signal was caught, and its search took too long */
    bool is_mute;            /* the search or a read failed: further matches are not printed */
    progress progress;
    actions *actions; /* NULL: nothing but printing */
} current_input;

typedef struct runner {
    const options *o;
    template_set set;
    int wake_fd;
    sigrep *search; /* NULL until the first is needed */
    double search_rate_hz;
    bool is_remark_reported;
    spool *store; /* of a best-of search */
    run_output out;
    read_buffer buffer;
    current_input input;
    exec *exec;   /* NULL: no --exec */
    bool failed;  /* exit status 2 */
    bool matched; /* some input has a match */
    bool over;    /* nothing more is to be done */
    run_totals totals;
} runner;

#endif
