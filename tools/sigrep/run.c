/*
 * run.c - the order of work, and several inputs at once: each worker takes the next one, and prints
 * in its turn.
 *
 *     worker 1   input 1 ------- input 3 --- input 4 ...
 *     worker 2   input 2 ----------------------- input 5 ...
 *
 * An input that is no file waits for its turn before it is opened, so standard input, pipes and
 * microphones are read one at a time, and printed at once.
 */
#include "tools/sigrep/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/time/time_zone.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/groups.h"
#include "tools/sigrep/monitor/monitor_page.h"
#include "tools/sigrep/output/exec.h"
#include "tools/sigrep/output/log_file.h"
#include "tools/sigrep/output/output_files.h"
#include "tools/sigrep/output/save.h"
#include "tools/sigrep/worker.h"

/* Is --kernel one that this machine can run? If not, reports so, or the names of all kernels. */
static bool check_kernel(const char *wanted)
{
    text_buffer names = {0};
    size_t i = 0;
    int usable = 0;
    const char *name;
    while ((name = sigrep_kernel_name(i, NULL)) && strcmp(name, wanted) != 0)
        text_add_format(&names, "%s%s", i++ > 0 ? ", " : "", name);
    if (name) sigrep_kernel_name(i, &usable); /* only now: to ask for a GPU takes a while */
    if (name && !usable) report("--kernel '%s': this machine cannot run it", wanted);
    if (!name)
        report("--kernel '%s': unknown kernel (%.*s)", wanted, (int)names.length,
               names.data ? names.data : "");
    free(names.data);
    return usable;
}

static void describe_template(const search_run *run, const loaded_template *t)
{
    const options *o = run->o;
    const bool own = t->take && o->own_thresholds && !t->own.auto_threshold;
    char threshold[64] = "", value[SCORE_TEXT];
    if (o->shared.has_threshold || own)
        snprintf(
            threshold, sizeof threshold, ", threshold %s",
            score_text(value, o->shared.has_threshold ? o->shared.threshold : t->own.threshold));
    if (t->take)
        report_of(t->path, "template '%s', take '%s', %" PRIu64 " frames of %s%s", t->label,
                  t->take, t->length, run->set.bundle_front_end, threshold);
    else
        report_of(t->path, "template '%s', %s, %" PRIu64 " samples%s", t->label, t->info.format,
                  template_kept(t), threshold);
}

/* Would writing the scores destroy what is to be read, or was? */
static bool is_read_too(const search_run *run, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0) return false;
    for (size_t i = 0; i < run->inputs.n; i++)
        if (input_is_same_file(run->inputs.items[i].path, &file)) return true;
    for (size_t i = 0; i < run->set.n; i++)
        if (input_is_same_file(run->set.items[i].path, &file)) return true;
    return false;
}

typedef struct {
    const char *option, *path; /* NULL: not wanted */
} output_option;

/* May the files of options be written? None is read (--state sees to that itself), and no two are
 * the same. */
static bool check_files(const search_run *run)
{
    const options *o = run->o;
    const output_option all[] = {{"--log", o->log_path},
                                 {"--scores", o->scores_path},
                                 {"--stats-every", o->stats_path},
                                 {"--state", o->state_path}};
    const size_t n = sizeof all / sizeof *all;
    struct stat st;
    for (size_t i = 0; i < n; i++) {
        const char *path = all[i].path, *option = all[i].option;
        if (!path) continue;
        if (path != o->state_path && is_read_too(run, path)) {
            report_of(path, "is a template or an input; give %s another file", option);
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            const char *other = all[k].path;
            const bool is_same =
                other && (strcmp(other, path) == 0 ||
                          (stat(other, &st) == 0 && input_is_same_file(path, &st)));
            if (!is_same) continue;
            report_of(path, "is the file of %s, too; give %s another one", all[k].option, option);
            return false;
        }
    }
    return true;
}

static bool open_scores(search_run *run)
{
    const char *path = run->o->scores_path;
    if (!path) return true;
    run->out.scores_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (run->out.scores_fd >= 0) return true;
    report_of(path, "%s", strerror(errno));
    return false;
}

/* List the inputs, and decide how their names are printed. */
static bool list_inputs(search_run *run)
{
    const options *o = run->o;
    if (!inputs_list(&run->inputs, o, &run->set)) return false;
    const bool has_groups = source_wants_groups(&o->shared.source);
    const bool several = o->shared.n_inputs > 1 || run->inputs.has_directories;
    run->out.with_names =
        o->names == FILE_NAMES_ALWAYS || (o->names == FILE_NAMES_BY_COUNT && several);
    if (o->output_dir) {
        run->out.with_names = o->names == FILE_NAMES_ALWAYS;
        return output_files_check(o, &run->inputs);
    }
    const bool is_mixed = o->output->has_one_input && (run->inputs.n > 1 || has_groups);
    if (!is_mixed || o->count || o->list_files || o->quiet) return true;
    report("--output %s holds one input: give --output-dir DIR for a file each", o->output->name);
    return false;
}

static bool prepare(search_run *run)
{
    const options *o = run->o;
    run->out.is_terminal = isatty(STDOUT_FILENO);
    if (o->kernel && !check_kernel(o->kernel)) return false;
    if (o->time_zone && !time_zone_set(o->time_zone)) {
        report("--time-zone '%s': unknown here; give a name such as Europe/Berlin, and install "
               "tzdata if it is missing",
               o->time_zone);
        return false;
    }
    if (!templates_load(&run->set, &o->shared)) return false;
    templates_warn_of_labels(&run->set, &o->shared);
    for (size_t i = 0; o->shared.verbose && i < run->set.n; i++)
        describe_template(run, &run->set.items[i]);
    return list_inputs(run);
}

/* Write what waits. A last_output_fn. */
static void write_last(void *user)
{
    const search_run *run = user;
    for (size_t i = 0; i < run->n_workers; i++) print_last(&run->workers[i].out);
}

/* Does each search take the next GPU? */
static bool takes_turns(const search_run *run)
{
    return strcmp(run->o->shared.device, "cuda:all") == 0;
}

static size_t most_workers(const search_run *run, size_t threads)
{
    const size_t inputs = run->inputs.n > 0 ? run->inputs.n : 1;
    const bool has_files = run->o->scores_path || run->o->save_folder; /* written in order */
    const bool is_shown = run->o->monitor || run->o->has_page || run->o->stats_path;
    const bool has_others = is_shown || run->o->exec_command;
    const bool has_one_gpu = strncmp(run->o->shared.device, "cuda", 4) == 0 && !takes_turns(run);
    const bool is_plan = run->o->shard_size_s > 0; /* in the order of inputs */
    const bool has_groups = source_wants_groups(&run->o->shared.source); /* several at once */
    if (has_groups || has_files || has_others || has_one_gpu || is_plan) return 1;
    return threads < inputs ? threads : inputs;
}

/* Make as many workers as threads are wanted and inputs are there, and the first search. If there
 * is one worker, all threads are its search's; so it is with --scores and with one GPU. false after
 * a failure, which is reported: no input can be searched. */
static bool make_workers(search_run *run)
{
    const size_t threads = run->o->shared.threads > 0 ? (size_t)run->o->shared.threads : 1;
    const size_t wanted = most_workers(run, threads);
    worker *first = run->workers = calloc(wanted, sizeof *run->workers);
    bool good = first || report_no_memory(NULL);
    while (good && run->n_workers < wanted)
        good = worker_begin(&first[run->n_workers++], run, threads / wanted, NULL);
    out_of_memory_set_output(write_last, run);
    if (!good || !make_first_search(first)) return false;
    const bool is_shared = wanted > 1 && search_is_on(first, "cpu");
    for (size_t i = 0; is_shared && i < wanted; i++) first[i].device = "cpu";
    if (wanted == 1 || is_shared || takes_turns(run)) return true;
    free_search(first);
    while (run->n_workers > 1) worker_free(&first[--run->n_workers]);
    first->threads = threads;
    return make_first_search(first);
}

static bool begin_state(search_run *run)
{
    const options *o = run->o;
    if (!o->state_path) return true;
    run->state = run_state_open(o, o->shared.inputs[0], run->out.with_names);
    run->workers[0].out.grace_ms = STATE_GRACE_MS;
    return run->state != NULL;
}

static void reopen_log(void *user)
{
    search_run *run = user;
    log_file_reopen(&run->out);
    if (run->o->shared.verbose) report_of(run->o->log_path, "opened anew");
}

/* What the service is for. */
static unsigned attend(void *user, unsigned due)
{
    search_run *run = user;
    if (due & SERVICE_STATS) metrics_write(run);
    if (!(due & SERVICE_LOG)) return 0;
    if (!run->state)
        reopen_log(run);
    else if (!run_state_move_output(run->state, reopen_log, run))
        return SERVICE_LOG;
    return 0;
}

static bool begin_service(search_run *run)
{
    const service_job job = {.notifier = run->notifier,
                             .hangup_fd = run->hangup_fd,
                             .wake_fd = run->wake_fd,
                             .stats_ns = (int64_t)(run->o->stats_every_s * 1e9),
                             .at_once = run->state ? 0 : SERVICE_LOG,
                             .attend = attend,
                             .user = run};
    if (run->o->stats_path && !metrics_begin(run)) return false;
    if (run->hangup_fd < 0 && run->notifier.fd < 0 && !run->o->stats_path) return true;
    run->service = service_start(&job);
    return run->service != NULL;
}

static bool open_page(search_run *run)
{
    if (!run->o->has_page) return true;
    run->page = monitor_page_open((uint16_t)run->o->page_port, run->set.n);
    return run->page != NULL;
}

static bool begin(search_run *run)
{
    const options *o = run->o;
    if (!make_workers(run) || !check_files(run) || !open_page(run) || !open_scores(run))
        return false;
    if (o->save_folder && !save_file_make_folder(o->save_folder)) return false;
    run->wake_fd = signals_catch();
    return run->wake_fd >= 0 && begin_state(run) && begin_service(run);
}

static void search_next(worker *w, size_t number)
{
    struct stat st;
    search_run *run = w->run;
    const listed_input *input = &run->inputs.items[number];
    turn_begin(&w->out.turn, &run->out.turns, number);
    print_hold_messages(&w->out, run->out.is_shared);
    if (!input_is_file(input->path, &st)) turn_wait(&w->out.turn);
    if (!print_is_over(&w->out) && signals_caught())
        w->tally.n_left++;
    else if (!print_is_over(&w->out) && source_wants_groups(&run->o->shared.source))
        groups_search(w, input);
    else if (!print_is_over(&w->out))
        worker_search(w, input);
    print_hold_messages(&w->out, false);
    turn_end(&w->out.turn);
}

/* What a thread does. */
static void *work(void *user)
{
    worker *w = user;
    search_run *run = w->run;
    while (!print_is_over(&w->out) && !signals_caught()) {
        const size_t number = atomic_fetch_add(&run->next_input, 1);
        if (number >= run->inputs.n) break;
        search_next(w, number);
    }
    return NULL;
}

/* Are there no lines before all matches yet? */
static bool wants_header(const search_run *run)
{
    if (run->o->log_path) return log_file_is_empty();
    return !run->state || !run_state_has_begun(run->state);
}

static void search_inputs(search_run *run)
{
    output *out = &run->workers[0].out;
    run->out.is_shared = run->n_workers > 1;
    if (wants_header(run)) print_around(out, writer_begin);
    pthread_t *threads = calloc(run->n_workers, sizeof *threads);
    size_t n = 0; /* as many as the system gives */
    while (threads && n + 1 < run->n_workers &&
           signals_start_thread(&threads[n], work, &run->workers[n + 1]))
        n++;
    work(&run->workers[0]);
    for (size_t i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(threads);
    turn_begin(&out->turn, &run->out.turns, run->out.turns.number);
    print_around(out, writer_end);
}

/* From the first moment on SIGHUP must not end a run whose log is rotated. */
static bool open_log(search_run *run)
{
    if (!run->o->log_path) return true;
    run->hangup_fd = signals_hangup_fd();
    return run->hangup_fd >= 0 && log_file_open(run->o->log_path);
}

/* Add what came of a worker's inputs. Frees its search. */
static void sum_up(worker *w, run_tally *sum)
{
    sum->failed |= !exec_finish(w->out.exec, &sum->was_interrupted);
    w->out.exec = NULL;
    free_search(w);
    sum->failed |= w->out.failed;
    sum->matched |= w->out.matched;
    run_tally_add(sum, &w->tally);
}

/* Some file systems report a failed write to close(2). */
static bool close_scores(const search_run *run)
{
    if (run->out.scores_fd < 0 || close(run->out.scores_fd) == 0) return true;
    report_of(run->o->scores_path, "%s", strerror(errno));
    return false;
}

static void report_stats(const run_tally *t, double wall_s, bool has_hold)
{
    report("stats: samples %" PRIu64, t->samples);
    report("stats: seconds of input %.3f", t->seconds);
    report("stats: matches %" PRIu64, t->matches);
    if (has_hold) report("stats: held %" PRIu64, t->held);
    report("stats: cells %" PRIu64, t->cells);
    report("stats: cells per second %.4g", wall_s > 0 ? (double)t->cells / wall_s : 0.0);
    report("stats: traced cells %" PRIu64, t->cells_traced);
    report("stats: kernel %s", t->kernel[0] ? t->kernel : "none");
    report("stats: wall time %.3f s", wall_s);
}

/* Add ", N WORDS" for a kind of files. */
static void add_kind(text_buffer *line, uint64_t n, const char *words)
{
    if (n > 0) text_add_format(line, "%s%" PRIu64 " %s", line->length ? ", " : "", n, words);
}

/* Count the files below directories that were not searched, by kind. */
static void report_passed_over(const search_run *run, const run_tally *sum)
{
    text_buffer kinds = {0};
    const uint64_t n = sum->n_no_signal + sum->n_no_column + sum->n_no_rate;
    if (n == 0 || run->o->shared.verbose || run->o->no_messages || run->o->quiet) return;
    add_kind(&kinds, sum->n_no_signal, "without a signal");
    add_kind(&kinds, sum->n_no_column, "without a column of --columns or --time-column");
    add_kind(&kinds, sum->n_no_rate, "without a rate (--rate)");
    if (!kinds.failed)
        report("passed over %" PRIu64 " file%s: %.*s; -v says why", n, n == 1 ? "" : "s",
               (int)kinds.length, kinds.data);
    free(kinds.data);
}

/* With --progress: how many of several inputs have matches. */
static void report_matched(const search_run *run, const run_tally *sum)
{
    if (run->o->progress && sum->n_searched > 1)
        report("matches in %" PRIu64 " of %" PRIu64 " inputs", sum->n_matched, sum->n_searched);
}

/* A signal has come: were inputs left? */
static void report_left(const search_run *run, run_tally *sum)
{
    const size_t next = run->next_input, n = run->inputs.n;
    if (!signals_which() || run->wake_fd < 0 || atomic_load(&run->out.over)) return;
    sum->n_left += next < n ? n - next : 0;
    if (sum->n_left > 0)
        report("ended by a signal: %" PRIu64 " input%s not read", sum->n_left,
               sum->n_left == 1 ? " was" : "s were");
    sum->was_interrupted |= sum->n_left > 0;
}

/* Search all inputs; *sum gets what came of it. */
static void search(search_run *run, run_tally *sum)
{
    if (begin(run))
        search_inputs(run);
    else
        sum->failed = true;
    service_stop(run->service);
    if (run->metrics.matches) sum->failed |= !metrics_write(run) || run->metrics.has_failed;
    metrics_free(&run->metrics);
    sum->failed |= !close_scores(run);
    for (size_t i = 0; i < run->n_workers; i++) sum_up(&run->workers[i], sum);
    sum->failed |= run->out.is_lost;
    monitor_page_close(run->page);
    out_of_memory_set_output(NULL, NULL);
    run_state_close(run->state);
    while (run->n_workers > 0) worker_free(&run->workers[--run->n_workers]);
    free(run->workers);
    report_passed_over(run, sum);
    report_matched(run, sum);
    report_left(run, sum);
    const bool is_plan = run->o->shard_size_s > 0 && !sum->was_interrupted;
    if (is_plan && !plan_print(&run->plan, run->o, &run->set, run->out.with_names))
        sum->failed = true;
    plan_free(&run->plan);
}

int run(const options *o)
{
    if (o->max_count == 0) return EXIT_NO_MATCH; /* as grep: nothing is read */
    search_run run = {.o = o, .wake_fd = -1, .hangup_fd = -1, .notifier = notifier_begin()};
    run.out = (run_outputs){
        .o = o, .set = &run.set, .scores_fd = -1, .writing = PTHREAD_MUTEX_INITIALIZER};
    run_tally sum = {.failed = false};
    const double began_s = monotonic_s();
    turnstile_init(&run.out.turns, &run.out.over);
    if (open_log(&run) && prepare(&run))
        search(&run, &sum);
    else
        sum.failed = true;
    if (o->stats) report_stats(&sum, monotonic_s() - began_s, o->hold_s > 0);
    sum.failed |= run.inputs.failed;
    inputs_free(&run.inputs);
    templates_free(&run.set);
    turnstile_destroy(&run.out.turns);
    notifier_end(&run.notifier);
    if (print_ends_at_match(o) && sum.matched && !sum.was_interrupted) return EXIT_MATCH;
    if (sum.was_interrupted) return SIGNALS_STATUS + signals_which();
    if (sum.failed) return EXIT_ERROR;
    if (o->shard || o->shard_size_s > 0) return EXIT_SUCCESS;
    return sum.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
