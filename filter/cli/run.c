#include "filter/cli/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/open_input.h"
#include "filter/cli/common/signals.h"
#include "filter/cli/make_search.h"
#include "filter/cli/print.h"
#include "filter/cli/runner.h"
#include "filter/cli/save_file.h"
#include "filter/cli/search_input.h"

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

static void describe_template(const runner *r, const loaded_template *t)
{
    const options *o = r->o;
    const bool own = t->take && o->own_thresholds && !t->own.auto_threshold;
    char threshold[64] = "";
    if (o->shared.has_threshold || own)
        snprintf(threshold, sizeof threshold, ", threshold %.9g",
                 o->shared.has_threshold ? o->shared.threshold : t->own.threshold);
    if (t->take)
        report_of(t->path, "template '%s', take '%s', %" PRIu64 " frames of %s%s", t->label,
                  t->take, t->length, r->set.bundle_front_end, threshold);
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
static bool is_read_too(const runner *r, const char *path)
{
    const options *o = r->o;
    struct stat file;
    if (stat(path, &file) != 0) return false;
    for (size_t i = 0; i < o->shared.n_inputs; i++)
        if (is_same_file(o->shared.inputs[i], &file)) return true;
    for (size_t i = 0; i < r->set.n; i++)
        if (is_same_file(r->set.items[i].path, &file)) return true;
    return false;
}

static bool open_scores(runner *r)
{
    const char *path = r->o->scores_path;
    if (!path) return true;
    if (is_read_too(r, path)) {
        report_of(path, "is a template or an input; give --scores another file");
        return false;
    }
    r->out.scores_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (r->out.scores_fd >= 0) return true;
    report_of(path, "%s", strerror(errno));
    return false;
}

static bool prepare(runner *r)
{
    const options *o = r->o;
    if (o->kernel && !check_kernel(o->kernel)) return false;
    if (!templates_load(&r->set, &o->shared)) return false;
    templates_warn_of_labels(&r->set, &o->shared);
    for (size_t i = 0; o->shared.verbose && i < r->set.n; i++)
        describe_template(r, &r->set.items[i]);
    if (o->best && !(r->store = spool_create(SPOOL_MEMORY))) {
        report("out of memory");
        return false;
    }
    if (!make_first_search(r) || !open_scores(r)) return false;
    if (o->save_folder && !save_file_make_folder(o->save_folder)) return false;
    if (o->exec_command && !(r->exec = exec_create(o->exec_command, r->set.n))) {
        report("--exec: out of memory or threads");
        return false;
    }
    r->wake_fd = signals_catch();
    return r->wake_fd >= 0;
}

static void search_inputs(runner *r)
{
    const options *o = r->o;
    const bool lines = !o->count && !o->list_files && !o->quiet;
    if (lines) writer_begin(&r->out.writer);
    for (size_t i = 0; i < o->shared.n_inputs && !r->over && !signals_caught(); i++)
        search_input(r, o->shared.inputs[i]);
    if (lines) writer_end(&r->out.writer);
    print_flush(r);
}

/* Some file systems report a failed write to close(2). */
static void close_scores(runner *r)
{
    if (r->out.scores_fd < 0 || close(r->out.scores_fd) == 0) return;
    report_of(r->o->scores_path, "%s", strerror(errno));
    r->failed = true;
}

static void report_stats(const run_totals *t, double wall_s, bool has_hold)
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

int run(const options *o)
{
    if (o->max_count == 0) return EXIT_NO_MATCH; /* as grep: nothing is read */
    runner r = {.o = o, .wake_fd = -1, .out.scores_fd = -1};
    const double began_s = monotonic_s();
    if (print_begin(&r) && prepare(&r))
        search_inputs(&r);
    else
        r.failed = true;
    close_scores(&r);
    r.failed |= !exec_finish(r.exec);
    free_search(&r);
    if (o->stats) report_stats(&r.totals, monotonic_s() - began_s, o->hold_s > 0);
    search_input_free(&r);
    spool_destroy(r.store);
    templates_free(&r.set);
    print_end(&r);
    if (o->quiet && r.matched) return EXIT_MATCH;
    if (r.failed) return EXIT_ERROR;
    return r.matched ? EXIT_MATCH : EXIT_NO_MATCH;
}
