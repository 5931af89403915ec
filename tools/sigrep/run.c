#include "tools/sigrep/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/sigrep/output/output_files.h"
#include "tools/sigrep/output/save.h"
#include "tools/sigrep/worker.h"
#include "tools/sigrep/workers.h"

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
    char threshold[64] = "";
    if (o->shared.has_threshold || own)
        snprintf(threshold, sizeof threshold, ", threshold %.9g",
                 o->shared.has_threshold ? o->shared.threshold : t->own.threshold);
    if (t->take)
        report_of(t->path, "template '%s', take '%s', %" PRIu64 " frames of %s%s", t->label,
                  t->take, t->length, run->set.bundle_front_end, threshold);
    else
        report_of(t->path, "template '%s', %s, %" PRIu64 " samples%s", t->label, t->info.format,
                  template_kept(t), threshold);
}

static bool is_same_file(const char *path, const struct stat *file)
{
    struct stat st;
    return input_is_file(path, &st) && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Would writing the scores destroy what is to be read, or was? */
static bool is_read_too(const search_run *run, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0) return false;
    for (size_t i = 0; i < run->inputs.n; i++)
        if (is_same_file(run->inputs.items[i].path, &file)) return true;
    for (size_t i = 0; i < run->set.n; i++)
        if (is_same_file(run->set.items[i].path, &file)) return true;
    return false;
}

static bool open_scores(search_run *run)
{
    const char *path = run->o->scores_path;
    if (!path) return true;
    if (is_read_too(run, path)) {
        report_of(path, "is a template or an input; give --scores another file");
        return false;
    }
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
    const bool several = o->shared.n_inputs > 1 || run->inputs.has_directories;
    run->out.with_names =
        o->names == FILE_NAMES_ALWAYS || (o->names == FILE_NAMES_BY_COUNT && several);
    if (o->output_dir) {
        run->out.with_names = o->names == FILE_NAMES_ALWAYS;
        return output_files_check(o, &run->inputs);
    }
    const bool is_mixed = o->output->has_one_input && run->inputs.n > 1;
    if (!is_mixed || o->count || o->list_files || o->quiet) return true;
    report("a label track holds one input: give --output-dir DIR for a file each");
    return false;
}

static bool prepare(search_run *run)
{
    const options *o = run->o;
    run->out.is_terminal = isatty(STDOUT_FILENO);
    if (o->kernel && !check_kernel(o->kernel)) return false;
    if (!templates_load(&run->set, &o->shared)) return false;
    templates_warn_of_labels(&run->set, &o->shared);
    for (size_t i = 0; o->shared.verbose && i < run->set.n; i++)
        describe_template(run, &run->set.items[i]);
    return list_inputs(run);
}

static bool begin(search_run *run, workers *w)
{
    const options *o = run->o;
    if (!workers_create(w, run) || !open_scores(run)) return false;
    if (o->save_folder && !save_file_make_folder(o->save_folder)) return false;
    run->wake_fd = signals_catch();
    return run->wake_fd >= 0;
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

/* Of files below directories: those that were meant to be searched, it seems, or all. */
static void report_passed_over(const search_run *run, const run_tally *sum)
{
    const uint64_t n = sum->n_without_column;
    const shared_options *o = &run->o->shared;
    if (n > 0 && !o->verbose && !run->o->no_messages)
        report("warning: passed over %" PRIu64 " file%s without a column of --columns or "
               "--time-column; -v names %s",
               n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
    else if (n == 0 && run->inputs.n_found > 0 && sum->n_searched == 0 && !sum->failed &&
             !signals_caught())
        report("no file below the directories is a signal; -v says why");
}

/* Search all inputs; *sum gets what came of it. */
static void search(search_run *run, run_tally *sum)
{
    workers w = {0};
    if (begin(run, &w))
        workers_search(&w);
    else
        sum->failed = true;
    sum->failed |= !close_scores(run);
    workers_sum(&w, sum);
    sum->failed |= run->out.is_lost;
    workers_free(&w);
    report_passed_over(run, sum);
}

int run(const options *o)
{
    if (o->max_count == 0) return EXIT_NO_MATCH; /* as grep: nothing is read */
    search_run run = {.o = o, .wake_fd = -1};
    run.out = (run_outputs){
        .o = o, .set = &run.set, .scores_fd = -1, .writing = PTHREAD_MUTEX_INITIALIZER};
    run_tally sum = {.failed = false};
    const double began_s = monotonic_s();
    turnstile_init(&run.out.turns, &run.out.over);
    if (prepare(&run))
        search(&run, &sum);
    else
        sum.failed = true;
    if (o->stats) report_stats(&sum, monotonic_s() - began_s, o->hold_s > 0);
    sum.failed |= run.inputs.failed;
    inputs_free(&run.inputs);
    templates_free(&run.set);
    turnstile_destroy(&run.out.turns);
    if (o->quiet && sum.matched) return EXIT_MATCH;
    if (sum.failed) return EXIT_ERROR;
    return sum.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
