/*
 * worker.h - a worker takes inputs of the run, one after the other, each from its opening to its
 * last match.
 *
 *     search_run: what all inputs share        worker: its search, feed, output and tally
 *
 *     run.c --> worker 1 --> make_search.c
 *         |              --> feed --> output/
 *         +---> worker 2 ...
 *
 * Workers work side by side. They only read what is shared, but for `over`, the next input, and
 * what belongs to the input whose turn it is (turn.h).
 */
#ifndef TOOLS_SIGREP_WORKER_H
#define TOOLS_SIGREP_WORKER_H

#include "tools/common/input/feed.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep/metrics.h"
#include "tools/sigrep/monitor/monitor.h"
#include "tools/sigrep/options/inputs.h"
#include "tools/sigrep/options/options.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/part.h"
#include "tools/sigrep/plan.h"
#include "tools/sigrep/service/service.h"
#include "tools/sigrep/state/state.h"

/* What came of inputs: for the exit status, for messages and for --stats. */
typedef struct run_tally {
    bool failed, matched;
    bool was_interrupted; /* a signal ended one early */
    uint64_t n_left;      /* inputs that were not read because of a signal */
    /* Files below directories that are none; that lack a column of a name; that lack a rate. */
    uint64_t n_no_signal, n_no_column, n_no_rate;
    uint64_t n_searched, n_matched; /* inputs; groups are inputs of their own */
    uint64_t samples, matches, held;
    double seconds; /* of input */
    uint64_t cells, cells_traced;
    char kernel[32];
} run_tally;

/* Add all of them. */
void run_tally_add(run_tally *sum, const run_tally *t);

typedef struct search_run {
    const options *o;
    template_set set;
    input_list inputs;
    atomic_size_t next_input;
    int wake_fd, hangup_fd; /* see signals.h; the second one with --log */
    notifier notifier;
    service *service; /* NULL: none is needed */
    run_outputs out;
    run_state *state; /* NULL: no --state; then there is one worker */
    struct worker *workers;
    size_t n_workers;
    monitor_page *page; /* NULL: no --monitor-page */
    metrics metrics;    /* of --stats-every; then there is one worker */
    plan plan;          /* of --shard-size; then there is one worker */
    /* These belong to the input whose turn it is; so do thresholds that were reported. */
    bool is_remark_reported;
    double described_rate_hz; /* of the last search that was reported; 0: none was */
} search_run;

typedef struct worker {
    search_run *run;
    size_t threads; /* of its search */
    const char *device;
    double rate_hz;     /* that the search fits */
    double *thresholds; /* of its templates, for messages */
    source *src;        /* the open input; NULL: none is */
    bool is_away;       /* it has ended, but may come back: retry.h */
    feed feed;
    progress progress;
    part part; /* of the input, with --range */
    output out;
    run_tally tally;
} worker;

/* Prepare a worker whose search may use so many threads. That of a group shares --exec with `like`,
 * which is NULL for others. false after a failure, which is reported. worker_free is due in any
 * case. */
bool worker_begin(worker *w, search_run *run, size_t threads, const worker *like);
void worker_free(worker *w);

/* Open the input: with --group-by, unless it is a group, to deal out its rows. NULL if it cannot be
 * searched, which is reported. */
source *worker_open(worker *w, const listed_input *listed);

/* Search this input. */
void worker_search(worker *w, const listed_input *listed);

/* ---- worker_source.c ---- */

/* The service that hears of its work. NULL: none; of groups, which is their dealer's business. */
service *worker_service(const worker *w);

/* How the input is opened. */
source_options worker_source_options(const worker *w);

/* Close it, if it is open. */
void worker_close_source(worker *w);

/* ---- worker_feed.c ---- */

/* Begin the feed of an open input, whose search is there. false: out of memory. */
bool worker_begin_feed(worker *w, source *src, const source_info *info);

/* How many samples after its begin a match is final at the latest: 14 times the longest, with what
 * waits in front ends. UINT64_MAX: at the end of the input. */
uint64_t match_reach(const worker *w, double rate_hz);

/* Read and search to the end of w->feed. What fails is reported after the matches before it. */
void worker_feed(worker *w);

/* The search took n more samples, with this status: print its matches. true to go on. */
bool worker_takes(worker *w, size_t n, sigrep_status status);

/* ---- make_search.c: the search that fits templates, options and the current input. One serves
 * all inputs of one rate. */

/* Make the search before any input is opened, so that bad templates and front ends are reported
 * early. false after a failure, which is reported: no input can be searched. */
bool make_first_search(worker *w);

/* Make the search fit the input, or keep it if it does. false after a failure, which is reported.
 */
bool make_search(worker *w, const source_info *info);

void free_search(worker *w);

/* Another search of the current input, which calls nobody back: the one that the next shard runs.
 * The caller destroys it. NULL after a failure, which is reported. */
sigrep *make_next_search(worker *w);

/* Does the search run on this device, "cpu" or "cuda"? false if there is none yet. */
bool search_is_on(const worker *w, const char *device);

/* Report a remark of the library on the search, once a run. */
void report_remark(worker *w);

#endif
