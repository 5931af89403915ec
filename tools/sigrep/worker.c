#include "tools/sigrep/worker.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/live/mic.h"
#include "tools/common/input/column_times.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/output/actions.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/retry.h"

enum { SILENT_MS = 2000, GROUP_SPOOL = 1 << 20 /* bytes of --best in memory */ };

void run_tally_add(run_tally *sum, const run_tally *t)
{
    sum->failed |= t->failed;
    sum->matched |= t->matched;
    sum->was_interrupted |= t->was_interrupted;
    sum->n_left += t->n_left;
    sum->n_no_signal += t->n_no_signal;
    sum->n_no_column += t->n_no_column;
    sum->n_no_rate += t->n_no_rate;
    sum->n_searched += t->n_searched;
    sum->n_matched += t->n_matched;
    sum->samples += t->samples;
    sum->matches += t->matches;
    sum->held += t->held;
    sum->seconds += t->seconds;
    sum->cells += t->cells;
    sum->cells_traced += t->cells_traced;
    if (t->kernel[0]) memcpy(sum->kernel, t->kernel, sizeof sum->kernel);
}

bool worker_begin(worker *w, search_run *run, size_t threads, const worker *like)
{
    const options *o = run->o;
    *w = (worker){.run = run, .threads = threads, .device = o->shared.device};
    const size_t memory = like ? GROUP_SPOOL : SPOOL_MEMORY;
    const bool can_print = print_begin(&w->out, &run->out);
    w->out.label_matches = calloc(run->set.n, sizeof *w->out.label_matches);
    w->thresholds = calloc(run->set.n, sizeof *w->thresholds);
    if (o->best) w->out.store = spool_create(memory);
    const bool good = w->out.label_matches && w->thresholds && (w->out.store || !o->best);
    if (!good) report("out of memory");
    if (like) w->out.exec = like->out.exec;
    if (o->exec_command && !like) w->out.exec = exec_create(o->exec_command, run->set.n);
    const bool can_run = w->out.exec || !o->exec_command;
    if (!can_run) report("--exec: out of memory or threads");
    return can_print && good && can_run;
}

void worker_free(worker *w)
{
    feed_free(&w->feed);
    spool_destroy(w->out.store);
    free(w->out.label_matches);
    free(w->thresholds);
    print_end(&w->out);
}

/* Short notes for a person at a terminal: what is listened to, and what is waited for. */
static bool wants_notes(const worker *w)
{
    return !w->run->o->quiet && isatty(STDERR_FILENO);
}

/* Before the input is opened. Standard input: is it the terminal? Does a pipe stay silent? Waits a
 * while for its first bytes to know that; a signal ends the wait. */
static void note_waiting(const worker *w, const char *path)
{
    struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = w->run->wake_fd, .events = POLLIN}};
    if (strcmp(path, "-") != 0 || !wants_notes(w)) return;
    if (isatty(STDIN_FILENO))
        report_of(w->out.input.name,
                  "reads samples from the terminal; ^D ends; or name a file or mic: as INPUT");
    else if (poll(ready, 2, SILENT_MS) == 0)
        report_of(w->out.input.name, "nothing has come yet; waiting (^C ends)");
}

/* A microphone runs: its rate, and the thresholds. */
static void note_listening(const worker *w, const source_info *info)
{
    const size_t n = w->run->set.n;
    char thresholds[96], low[SCORE_TEXT], high[SCORE_TEXT];
    double least = INFINITY, most = 0;
    if (!info->microphone || !wants_notes(w)) return;
    for (size_t i = 0; i < n; i++) {
        const double threshold = sigrep_get_threshold(w->out.search, i);
        least = fmin(least, threshold);
        most = fmax(most, threshold);
    }
    if (w->run->o->best)
        snprintf(thresholds, sizeof thresholds, "no threshold");
    else if (least == most)
        snprintf(thresholds, sizeof thresholds, "threshold %s", score_short_text(high, most));
    else
        snprintf(thresholds, sizeof thresholds, "thresholds %s to %s", score_short_text(low, least),
                 score_short_text(high, most));
    report_of(w->out.input.name, "listening at %.9g Hz, %zu template%s, %s; ^C ends", info->rate_hz,
              n, n == 1 ? "" : "s", thresholds);
}

/* A best-of search that was not given up finds nothing only if no path has an allowed length. */
static void report_empty_gate(const worker *w)
{
    const input_tally *input = &w->out.input;
    const options *o = w->run->o;
    if (!o->best || o->quiet || input->matches || input->is_mute || input->is_given_up ||
        !w->feed.samples)
        return;
    report_of(input->name, "no match has a length that the gate allows (--length)");
}

/* How many samples before the last one that was read a match may begin: it waits in the search. */
static uint64_t match_horizon(const worker *w, double rate_hz)
{
    const uint64_t reach = match_reach(w, rate_hz), waiting = feed_waiting(&w->feed);
    return reach < UINT64_MAX - waiting ? reach + waiting : UINT64_MAX;
}

static bool begin_monitor(worker *w, const source_info *info)
{
    const options *o = w->run->o;
    const bool by_itself = report_can_wipe() && !info->live && !w->out.input.group && !o->quiet &&
                           !o->monitor && !o->has_range;
    if (o->monitor || o->has_page) {
        w->out.monitor =
            monitor_create(w->out.input.name, info, &w->run->set, w->out.search, w->run->page);
        if (!w->out.monitor) return print_fail(&w->out, "out of memory");
    }
    progress_begin(&w->progress, o->progress || by_itself, info->frames,
                   info->rate_known ? info->rate_hz : 0, w->out.turn.number + 1, w->run->inputs.n);
    return true;
}

/* Go on where an earlier run was. */
static bool begin_state(worker *w, uint64_t horizon)
{
    run_state *s = w->run->state;
    if (!s || run_state_begin(s, &w->feed, &w->out, horizon - feed_waiting(&w->feed))) return true;
    w->tally.n_left += !w->out.failed && signals_which();
    return false;
}

/* Prepare the search, the feed and the output for an open input. */
static bool begin(worker *w, source *src, const listed_input *listed, struct timespec opened)
{
    const source_info info = source_get_info(src);
    output *out = &w->out;
    input_tally *input = &out->input;
    if (w->run->o->shared.verbose)
        report_of(input->name, "%s, %.9g Hz, %zu channel%s", info.format, info.rate_hz,
                  info.channels, info.channels == 1 ? "" : "s");
    if (!make_search(w, &info)) {
        input->failed = true;
        out->failed |= !input->is_given_up;
        return false;
    }
    if (!worker_begin_feed(w, src, &info)) return print_fail(out, "out of memory");
    const char *wrong = print_begin_times(out, &info, opened);
    if (wrong) return print_fail(out, wrong);
    const uint64_t horizon = match_horizon(w, info.rate_hz);
    if (input->scale.from_column) w->feed.times = input->times = column_times_create(horizon);
    if (input->scale.from_column && !input->times) return print_fail(out, "out of memory");
    if (!print_open_file(out, listed)) return print_fail(out, NULL);
    if (!begin_monitor(w, &info)) return false;
    note_listening(w, &info);
    if (!actions_begin(out, src, horizon)) return false;
    w->feed.sees_all = out->save || out->monitor;
    return w->run->o->has_range ? part_begin(w, listed) : begin_state(w, horizon);
}

/* Open the input. NULL if it cannot be searched, which is reported. */
static source *open_listed(worker *w, const listed_input *listed)
{
    const options *o = w->run->o;
    const template_set *set = &w->run->set;
    source_failure failure = SOURCE_BAD;
    source_options how = worker_source_options(w);
    how.deals_rows = source_wants_groups(&how) && !listed->group;
    const input_needs needs = {.name = listed->shown,
                               .whose = "the templates",
                               .channels = set->channels,
                               .names = set->names,
                               .rate_hz = set->rate_known && !how.deals_rows ? set->rate_hz : 0,
                               .is_verbose = o->shared.verbose,
                               .no_messages = o->no_messages};
    if (listed->is_directory) {
        if (!o->no_messages)
            report_of(listed->path, "is a directory; --recursive searches the files below it");
        w->out.failed = true;
        return NULL;
    }
    how.is_found = listed->is_found;
    how.group = listed->group;
    how.lines = listed->lines;
    how.failure = &failure;
    source *src = open_input(listed->path, how, &needs);
    const bool is_passed_over = !src && listed->is_found && input_is_passed_over(failure);
    w->tally.n_no_signal += is_passed_over && failure == SOURCE_NO_SIGNAL;
    w->tally.n_no_column += is_passed_over && failure == SOURCE_NO_COLUMN;
    w->tally.n_no_rate += is_passed_over && failure == SOURCE_NO_RATE;
    if (!src && !is_passed_over) w->out.failed |= !signals_caught();
    w->tally.n_left += !src && !is_passed_over && signals_which();
    return src;
}

/* Is it there, but may not write for long? Then opening it may take as long. */
static bool is_silent_pipe(const char *path)
{
    struct stat st;
    const bool is_there = strcmp(path, "-") == 0 || (!mic_is_named(path) && stat(path, &st) == 0);
    return is_there && !input_is_file(path, &st);
}

source *worker_open(worker *w, const listed_input *listed)
{
    service *told = worker_service(w);
    if (!listed->group) note_waiting(w, listed->path);
    if (is_silent_pipe(listed->path)) service_is_ready(told);
    service_waits(told, true);
    source *src = open_listed(w, listed);
    service_waits(told, false);
    return src;
}

/* Did a signal end the input? Then what was printed is of a part of it; but a microphone, and what
 * comes back, have no other end. */
static void report_interruption(worker *w, double rate_hz)
{
    char time[TIME_TEXT_SIZE];
    input_tally *input = &w->out.input;
    if (!w->feed.was_interrupted && !input->is_given_up) return;
    const bool has_end = !input->is_microphone && w->run->o->retry_s == 0;
    input->is_partial = input->is_given_up || has_end;
    w->tally.was_interrupted = true;
    if (input->group) return; /* reported once for all */
    const time_scale scale = {.rate_hz = rate_hz};
    time_format(time, TIME_SECONDS, &scale, (time_point){.sample = w->feed.samples});
    report_of(input->name, "ended by a signal after %s s", time);
}

/* Can the input be cut into shards? Then it is planned. */
static void add_to_plan(worker *w, source *src, const listed_input *listed)
{
    const source_info info = source_get_info(src);
    uint64_t from;
    sigrep_error error;
    const char *reason;
    if (!make_search(w, &info)) {
        w->out.failed = true;
        return;
    }
    if (sigrep_begin_at(w->out.search, 0, &from, &error))
        print_fail(&w->out, error.text);
    else if (!plan_add(&w->run->plan, w->run->o, src, listed->path, &reason))
        print_fail(&w->out, reason);
    w->tally.was_interrupted |= signals_which();
}

static void search_source(worker *w, const listed_input *listed, source *src,
                          struct timespec opened)
{
    const source_info info = source_get_info(src);
    output *out = &w->out;
    /* Looking for the device took a while; now it runs. */
    if (info.microphone) clock_gettime(CLOCK_REALTIME, &opened);
    if (w->run->o->shard_size_s > 0) {
        add_to_plan(w, src, listed);
        return;
    }
    if (begin(w, src, listed, opened)) {
        service_is_ready(worker_service(w));
        if (w->run->o->stats_path) metrics_begin_input(&w->run->metrics, w);
        const uint64_t samples = w->feed.samples, matches = out->input.matches; /* of runs before */
        if (w->run->o->has_range)
            part_search(w, listed);
        else
            worker_feed(w);
        if (atomic_load(&out->turn.has_come)) report_progress_end();
        report_interruption(w, info.rate_hz);
        report_empty_gate(w);
        if (!w->run->o->quiet && !print_is_over(out)) print_summary(out);
        if (w->run->state) run_state_end(w->run->state);
        metrics_end_input(&w->run->metrics);
        w->tally.samples += w->feed.samples - samples;
        w->tally.seconds += (double)(w->feed.samples - samples) / info.rate_hz;
        w->tally.matches += out->input.matches - matches;
        w->tally.n_searched++;
        w->tally.n_matched += out->input.matches > 0;
    }
    w->tally.held += out->input.held;
    w->tally.was_interrupted |= out->input.is_given_up;
    if (out->input.is_given_up)
        report_of(out->input.name,
                  "warning: interrupted: matches before the signal may be missing");
    monitor_finish(out->monitor, w->feed.samples, out->input.matches);
    out->monitor = NULL;
    actions_end(out);
    print_close_file(out);
    column_times_destroy(out->input.times);
    out->input.times = NULL;
}

void worker_search(worker *w, const listed_input *listed)
{
    struct timespec opened;
    clock_gettime(CLOCK_REALTIME, &opened);
    w->out.input = (input_tally){.name = listed->shown ? listed->shown : input_name(listed->path),
                                 .file = input_name(listed->path),
                                 .group = listed->group,
                                 .lines = listed->lines,
                                 .last_final = UINT64_MAX,
                                 .last_end = UINT64_MAX};
    memset(w->out.label_matches, 0, w->run->set.n * sizeof *w->out.label_matches);
    if (w->run->state && run_state_is_over(w->run->state, &w->out)) {
        /* Else its end is a failure, and systemd tries again. */
        service_is_ready(worker_service(w));
        if (!w->out.input.failed) print_summary(&w->out);
        return;
    }
    if (w->run->o->retry_s > 0 && !retry_can(w, listed)) return;
    w->src = worker_open(w, listed);
    if (w->src) search_source(w, listed, w->src, opened);
    worker_close_source(w);
}
