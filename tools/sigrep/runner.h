/*
 * runner.h - what a run carries from input to input.
 *
 *     search_run: what all inputs share          runner: a worker, with a search of its own
 *
 *     run.c --> workers.c --> runner 1 --> search_input.c: its current input --> make_search.c
 *               |                                                            --> print.c
 *               +-----------> runner 2 ...
 *
 * Runners work side by side. They only read what is shared, but for `over`, the next input, and
 * what belongs to the input whose turn it is (turn.h).
 */
#ifndef TOOLS_SIGREP_RUNNER_H
#define TOOLS_SIGREP_RUNNER_H

#include "io/spool.h"
#include "sigrep.h"
#include "tools/common/input/column_times.h"
#include "tools/common/templates/templates.h"
#include "tools/sigrep/inputs.h"
#include "tools/sigrep/monitor/monitor.h"
#include "tools/sigrep/monitor/progress.h"
#include "tools/sigrep/options.h"
#include "tools/sigrep/output/actions.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/turn.h"

/* For --stats. */
typedef struct {
    uint64_t samples, matches, held;
    double seconds; /* of input */
    uint64_t cells, cells_traced;
    char kernel[32];
} run_totals;

/* Where the lines of a runner go: standard output, or the file of its input. */
typedef struct {
    writer writer;
    pthread_mutex_t lock; /* of `writer`: print_last may run in any thread */
    char *path;           /* owned; of the file; NULL: standard output */
    bool is_lost;         /* the file could not be written, and that was reported */
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
    bool is_fed;    /* more samples are always at hand, and the search works beside the reading */
    bool is_on_gpu; /* its search */
    time_scale scale;
    bool has_dates;      /* in its time column */
    uint64_t limit;      /* the samples to read; UINT64_MAX: all */
    column_times *times; /* NULL without a time column */
    uint64_t samples, matches;
    atomic_bool is_given_up; /* a signal was caught, and its search took too long */
    bool failed;
    bool is_mute; /* the search or a read failed: further matches are not printed */
    progress progress;
    actions *actions; /* NULL: nothing but printing */
    monitor *monitor; /* NULL: no --monitor */
} current_input;

typedef struct search_run {
    const options *o;
    template_set set;
    input_list inputs;
    atomic_size_t next_input;
    int wake_fd;
    atomic_bool over; /* nothing more is to be done */
    bool with_names;  /* in lines */
    bool is_terminal; /* standard output */
    int scores_fd;    /* -1: not wanted */
    turnstile turns;
    bool is_shared;          /* several runners work side by side */
    pthread_mutex_t writing; /* to standard output */
    /* These belong to the input whose turn it is; so do thresholds that were reported. What waits
     * for its turn may use all of this struct, but no runner: that may have gone on. */
    bool is_output_lost; /* standard output could not be written, and that was reported */
    bool is_remark_reported;
    double described_rate_hz; /* of the last search that was reported; 0: none was */
} search_run;

typedef struct runner {
    search_run *run;
    const options *o;
    const template_set *set;
    size_t threads;     /* of its search */
    const char *device; /* likewise */
    sigrep *search;     /* NULL until the first is needed */
    double search_rate_hz;
    spool *store; /* of a best-of search */
    run_output out;
    int scores_failure;
    turn turn;
    read_buffer buffer;
    current_input input;
    exec *exec;                /* NULL: no --exec */
    uint64_t *label_matches;   /* in the current input, by the first template of the label */
    double *thresholds;        /* of the search's templates, for messages */
    bool failed;               /* exit status 2 */
    bool matched;              /* some input has a match */
    uint64_t n_searched;       /* inputs that were signals */
    uint64_t n_without_column; /* inputs below directories that lack a column of a name */
    run_totals totals;
} runner;

#endif
