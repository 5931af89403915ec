#include "tools/sigrep/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/live/mic.h"
#include "tools/common/input/open_input.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/search_setup.h"

enum {
    REPORTED_ONE_BY_ONE = 10, /* estimated thresholds */
    GROUP_CHUNK = 1024        /* samples: there may be many groups, and each has a search */
};

/* About the number of samples in an input: one for every two bytes of each channel. A microphone
 * has no end, so a second counts. 0: not known. */
static double expected_of(const worker *w, const char *path, double rate_hz)
{
    struct stat st;
    if (mic_is_named(path)) return rate_hz;
    return input_is_file(path, &st) ? 1 + (double)st.st_size / (2 * (double)w->run->set.channels)
                                    : 0;
}

static double expected(const worker *w, double rate_hz)
{
    const input_list *inputs = &w->run->inputs;
    double all = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        const double samples = expected_of(w, inputs->items[i].path, rate_hz);
        if (samples == 0) return 0;
        all += samples;
    }
    return all;
}

/* A sigrep_stop_fn. */
static int stop_if_overdue(void *user)
{
    output *out = user;
    const bool is_overdue = signals_overdue_by(out->grace_ms);
    if (is_overdue) out->input.is_given_up = true;
    return is_overdue || print_is_over(out);
}

/* info: of the input, or NULL before the first. */
static search_subject subject_of(const worker *w, const source_info *info)
{
    const search_run *run = w->run;
    const template_set *set = &run->set;
    return (search_subject){.set = set,
                            .o = &run->o->shared,
                            .own_thresholds = run->o->own_thresholds,
                            .name = info ? w->out.input.name : NULL,
                            .rate_known = info && info->rate_known,
                            .rate_hz = info              ? info->rate_hz
                                       : set->rate_known ? set->rate_hz
                                                         : 1};
}

/* Make the search. A failure is not reported. */
static sigrep_status make(worker *w, const search_subject *subject, sigrep_error *error)
{
    const options *o = w->run->o;
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.best = (size_t)o->best;
    config.device = w->device;
    config.expected = expected(w, subject->rate_hz);
    config.kernel = o->kernel;
    config.threads = w->threads;
    config.chunk = o->chunk || !w->out.input.group ? (size_t)o->chunk : GROUP_CHUNK;
    config.on_match = print_match;
    config.on_scores = o->scores_path || o->monitor || o->has_page ? print_scores : NULL;
    config.should_stop = stop_if_overdue;
    config.paths = o->path;
    config.margins = o->output->has_margin || o->exec_command;
    config.user = &w->out;
    const sigrep_status status = search_make(&w->out.search, &config, subject, w->out.store, error);
    if (status) return status;
    w->rate_hz = subject->rate_hz;
    report_remark(w);
    return SIGREP_OK;
}

static bool is_estimated(const options *o, const loaded_template *t)
{
    return !t->own.frame_dim || t->own.auto_threshold || !o->own_thresholds;
}

static void report_threshold(const template_set *set, const loaded_template *t, double threshold)
{
    static const char how[] = "(estimated; -t sets it)";
    char text[SCORE_TEXT];
    score_text(text, threshold);
    if (t->take)
        report_of(t->path, "take '%s': threshold %s %s", t->take, text, how);
    else
        report_of(templates_of_label(set, t) == 1 ? t->label : t->path, "threshold %s %s", text,
                  how);
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
    char low[SCORE_TEXT], high[SCORE_TEXT];
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
        report("%zu templates: thresholds from %s to %s (estimated; -t sets one for all, -v "
               "lists them)",
               n, score_text(low, least), score_text(high, most));
}

static void report_thresholds_in_turn(worker *w)
{
    const size_t n = w->run->set.n;
    double *thresholds = w->thresholds;
    for (size_t i = 0; i < n; i++) thresholds[i] = sigrep_get_threshold(w->out.search, i);
    turn_do(&w->out.turn, report_thresholds, w->run, thresholds, n * sizeof *thresholds);
}

static sigrep_stats stats_of(const worker *w)
{
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(w->out.search, &stats);
    return stats;
}

void report_remark(worker *w)
{
    const char *remark = stats_of(w).remark;
    if (!remark || !remark[0] || w->run->is_remark_reported) return;
    report("%s", remark);
    w->run->is_remark_reported = true;
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

static void report_description_in_turn(worker *w, const search_subject *subject)
{
    const double common_hz = search_common_rate(subject);
    const search_description it = {w->rate_hz, common_hz != 0 ? common_hz : w->rate_hz,
                                   stats_of(w).kernel};
    turn_do(&w->out.turn, report_description, w->run, &it, sizeof it);
}

/* A sigrep_match_fn. */
static int ignore_match(void *user, const sigrep_match *match)
{
    (void)match;
    return print_is_over(user);
}

sigrep *make_next_search(worker *w)
{
    const options *o = w->run->o;
    const source_info info = source_get_info(w->feed.src);
    const search_subject subject = subject_of(w, &info);
    sigrep_config config;
    sigrep_error error;
    sigrep *next = NULL;
    sigrep_config_init(&config, sizeof config);
    config.device = "cpu"; /* it searches little, and results are the same */
    config.chunk = (size_t)o->chunk;
    config.on_match = ignore_match;
    config.should_stop = stop_if_overdue;
    config.user = &w->out;
    const sigrep_status status = search_make(&next, &config, &subject, NULL, &error);
    if (status && status != SIGREP_STOPPED) search_report_failure(&subject, status, &error);
    if (status) w->out.failed = true;
    return next;
}

bool make_first_search(worker *w)
{
    sigrep_error error;
    const search_subject subject = subject_of(w, NULL);
    const template_set *set = subject.set;
    const sigrep_status status = make(w, &subject, &error);
    if (!status && subject.o->verbose) report_description_in_turn(w, &subject);
    if (!status) return true;
    /* Perhaps an input has a rate that the front end fits. */
    if (status == SIGREP_BAD_FRONT_END && !set->rate_known && templates_fit_some_rate(set))
        return true;
    search_report_failure(&subject, status, &error);
    return false;
}

bool make_search(worker *w, const source_info *info)
{
    const search_subject subject = subject_of(w, info);
    if (search_raises_rate(&subject)) return false;
    if (!w->out.search || w->rate_hz != info->rate_hz) {
        sigrep_error error;
        free_search(w);
        const sigrep_status status = make(w, &subject, &error);
        if (status && status != SIGREP_STOPPED) search_report_failure(&subject, status, &error);
        if (status) return false;
    }
    if (subject.o->verbose) report_description_in_turn(w, &subject);
    search_warn_of_low_rate(&subject);
    if (subject.o->auto_threshold && !w->run->o->quiet) report_thresholds_in_turn(w);
    return true;
}

bool search_is_on(const worker *w, const char *device)
{
    return w->out.search && strcmp(stats_of(w).device, device) == 0;
}

void free_search(worker *w)
{
    if (!w->out.search) return;
    const sigrep_stats stats = stats_of(w);
    w->tally.cells += stats.cells;
    w->tally.cells_traced += stats.cells_traced;
    snprintf(w->tally.kernel, sizeof w->tally.kernel, "%s", stats.kernel);
    sigrep_destroy(w->out.search);
    w->out.search = NULL;
}
