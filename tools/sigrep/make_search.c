#include "tools/sigrep/make_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/live/mic.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep/output/print.h"
#include "tools/sigrep/runner.h"

enum { REPORTED_ONE_BY_ONE = 10 }; /* estimated thresholds */

/* About the number of samples in an input: one for every two bytes of each channel. A microphone
 * has no end, so a second counts. 0: not known. */
static double expected_of(const runner *r, const char *path, double rate_hz)
{
    struct stat st;
    if (mic_is_named(path)) return rate_hz;
    return input_is_file(path, &st) ? 1 + (double)st.st_size / (2 * (double)r->set->channels) : 0;
}

static double expected(const runner *r, double rate_hz)
{
    double all = 0;
    for (size_t i = 0; i < r->run->inputs.n; i++) {
        const double samples = expected_of(r, r->run->inputs.items[i].path, rate_hz);
        if (samples == 0) return 0;
        all += samples;
    }
    return all;
}

/* A sigrep_stop_fn. */
static int stop_if_overdue(void *user)
{
    runner *r = user;
    const bool is_overdue = signals_overdue();
    if (is_overdue) r->input.is_given_up = true;
    return is_overdue || atomic_load(&r->run->over);
}

static sigrep_status create(runner *r, double rate_hz, sigrep_error *error)
{
    const options *o = r->o;
    sigrep_config config;
    sigrep_template *templates =
        search_setup(&config, r->set, &o->shared, o->own_thresholds, rate_hz);
    if (!templates) {
        *error = (sigrep_error){.template_index = SIZE_MAX, .text = "out of memory"};
        return SIGREP_NO_MEMORY;
    }
    sigrep_store store = r->store ? spool_as_store(r->store) : (sigrep_store){0};
    config.best = (size_t)o->best;
    config.store = r->store ? &store : NULL;
    config.device = r->device;
    config.expected = expected(r, rate_hz);
    config.kernel = o->kernel;
    config.threads = r->threads;
    config.chunk = (size_t)o->chunk;
    config.on_match = print_match;
    config.on_scores = o->scores_path || o->monitor ? print_scores : NULL;
    config.should_stop = stop_if_overdue;
    config.paths = o->path;
    config.margins = o->output == &writer_json || o->exec_command;
    config.user = r;
    sigrep_status status = sigrep_create(&r->search, &config, error);
    free(templates);
    return status;
}

static bool is_estimated(const options *o, const loaded_template *t)
{
    return !t->own.frame_dim || t->own.auto_threshold || !o->own_thresholds;
}

static void report_threshold(const template_set *set, const loaded_template *t, double threshold)
{
    static const char how[] = "(estimated; -t sets it)";
    if (t->take)
        report_of(t->path, "take '%s': threshold %.9g %s", t->take, threshold, how);
    else
        report_of(templates_of_label(set, t) == 1 ? t->label : t->path, "threshold %.9g %s",
                  threshold, how);
}

/* A turn_fn: the user is the run, the data are the thresholds of all templates. Report those that
 * were estimated: of few templates, or with -v, one by one. */
static void report_thresholds(void *user, const void *data, size_t length)
{
    const search_run *run = user;
    const template_set *set = &run->set;
    const char *at = data;
    (void)length;
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) n += is_estimated(run->o, &set->items[i]);
    const bool each = n <= REPORTED_ONE_BY_ONE || run->o->shared.verbose;
    double least = INFINITY, most = 0;
    bool is_new = false;
    for (size_t i = 0; i < set->n; i++) {
        loaded_template *t = &set->items[i];
        if (!is_estimated(run->o, t)) continue;
        double threshold;
        memcpy(&threshold, at + i * sizeof threshold, sizeof threshold);
        const bool is_reported = t->reported_threshold == threshold;
        t->reported_threshold = threshold;
        is_new |= !is_reported;
        least = fmin(least, threshold);
        most = fmax(most, threshold);
        if (each && !is_reported) report_threshold(set, t, threshold);
    }
    if (is_new && !each)
        report("%zu templates: thresholds from %.9g to %.9g (estimated; -t sets one for all, -v "
               "lists them)",
               n, least, most);
}

static void report_thresholds_in_turn(runner *r)
{
    const size_t n = r->set->n;
    for (size_t i = 0; i < n; i++) r->thresholds[i] = sigrep_get_threshold(r->search, i);
    turn_do(&r->turn, report_thresholds, r->run, r->thresholds, n * sizeof *r->thresholds);
}

void report_remark(runner *r, const char *remark)
{
    if (!remark || !remark[0] || r->run->is_remark_reported) return;
    report("%s", remark);
    r->run->is_remark_reported = true;
}

static void report_failure(const runner *r, sigrep_status status, const sigrep_error *error)
{
    search_report_failure(r->input.name, r->input.rate_known, r->set, &r->o->shared, status, error);
}

/* For messages. */
typedef struct {
    double rate_hz, common_hz; /* of inputs, and at which they are compared */
    const char *kernel;
} search_description;

/* A turn_fn: the user is the run, the data are a search_description. */
static void report_description(void *user, const void *data, size_t length)
{
    search_run *run = user;
    const template_set *set = &run->set;
    search_description it;
    memcpy(&it, data, length);
    if (run->described_rate_hz == it.rate_hz) return;
    run->described_rate_hz = it.rate_hz;
    if (it.rate_hz != it.common_hz)
        report("input of %.9g Hz is resampled to %.9g Hz", it.rate_hz, it.common_hz);
    else
        report("front end %s at %.9g Hz, %zu channel%s, kernel %s", set->front_end, it.common_hz,
               set->channels, set->channels == 1 ? "" : "s", it.kernel);
}

static void report_description_in_turn(runner *r)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    const double rate_hz = r->search_rate_hz,
                 common_hz = search_common_rate(r->set, &r->o->shared, rate_hz);
    const search_description it = {rate_hz, common_hz != 0 ? common_hz : rate_hz, stats.kernel};
    turn_do(&r->turn, report_description, r->run, &it, sizeof it);
}

/* Make the search. A failure is not reported. */
static sigrep_status make(runner *r, double rate_hz, sigrep_error *error)
{
    const sigrep_status status = create(r, rate_hz, error);
    if (status) return status;
    r->search_rate_hz = rate_hz;
    report_remark(r, error->text);
    return SIGREP_OK;
}

bool make_first_search(runner *r)
{
    sigrep_error error;
    const sigrep_status status = make(r, r->set->rate_known ? r->set->rate_hz : 1, &error);
    if (!status && r->o->shared.verbose) report_description_in_turn(r);
    if (!status) return true;
    /* Perhaps an input has a rate that the front end fits. */
    if (status == SIGREP_BAD_FRONT_END && !r->set->rate_known && templates_fit_some_rate(r->set))
        return true;
    report_failure(r, status, &error);
    return false;
}

bool make_search(runner *r, double rate_hz)
{
    if (!r->input.rate_known && search_raises_rate(r->input.name, r->set, &r->o->shared))
        return false;
    if (!r->search || r->search_rate_hz != rate_hz) {
        free_search(r);
        sigrep_error error;
        const sigrep_status status = make(r, rate_hz, &error);
        if (status) {
            if (status != SIGREP_STOPPED) report_failure(r, status, &error);
            return false;
        }
    }
    if (r->o->shared.verbose) report_description_in_turn(r);
    search_warn_of_low_rate(r->input.name, r->set, &r->o->shared, rate_hz);
    if (r->o->shared.auto_threshold && !r->o->quiet) report_thresholds_in_turn(r);
    return true;
}

bool search_is_on(const runner *r, const char *device)
{
    sigrep_stats stats = {.size = sizeof stats};
    if (!r->search) return false;
    sigrep_get_stats(r->search, &stats);
    return strcmp(stats.device, device) == 0;
}

void free_search(runner *r)
{
    if (!r->search) return;
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    r->totals.cells += stats.cells;
    r->totals.cells_traced += stats.cells_traced;
    snprintf(r->totals.kernel, sizeof r->totals.kernel, "%s", stats.kernel);
    sigrep_destroy(r->search);
    r->search = NULL;
}
