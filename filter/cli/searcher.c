#include "filter/cli/searcher.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/print.h"
#include "io/mic.h"

enum { TOLD_ONE_BY_ONE = 10 };

static void describe(const runner *r)
{
    if (!r->o->shared.verbose) return;
    sigrep_stats stats = {.size = sizeof stats};
    sigrep_get_stats(r->search, &stats);
    const double common_hz = r->set.rate_known ? r->set.rate_hz : r->search_rate_hz;
    if (r->search_rate_hz != common_hz)
        report("input of %.9g Hz is resampled to %.9g Hz", r->search_rate_hz, common_hz);
    else
        report("front end %s at %.9g Hz, %zu channel%s, kernel %s", r->set.front_end, common_hz,
               r->set.channels, r->set.channels == 1 ? "" : "s", stats.kernel);
}

void searcher_note(runner *r, const char *remark)
{
    if (!remark || !remark[0] || r->noted) return;
    report("%s", remark);
    r->noted = true;
}

static sigrep_template from_file(const loaded_template *t, const options *o)
{
    return (sigrep_template){.size = sizeof(sigrep_template),
                             .length = t->length,
                             .begin = t->begin,
                             .end = t->end,
                             .threshold = o->shared.threshold,
                             .auto_threshold = o->shared.auto_threshold,
                             .rate_hz = t->info.rate_known ? t->info.rate_hz : 0};
}

/* What the options name, of threshold, gate and agreement, takes the place of the bundle's. */
static sigrep_template from_bundle(const loaded_template *t, const options *o)
{
    sigrep_template x = t->own;
    if (!o->own_thresholds) {
        x.threshold = o->shared.threshold;
        x.auto_threshold = o->shared.auto_threshold;
    }
    if (o->shared.has_length) x.length_min = x.length_max = 0;
    if (o->shared.has_min_matches) x.min_matches = 0;
    return x;
}

/* The library's templates. NULL without memory; the caller frees them. */
static sigrep_template *list_templates(const runner *r)
{
    sigrep_template *templates = calloc(r->set.n, sizeof *templates);
    for (size_t i = 0; templates && i < r->set.n; i++) {
        const loaded_template *t = &r->set.items[i];
        templates[i] = t->own.frame_dim ? from_bundle(t, r->o) : from_file(t, r->o);
        templates[i].label = t->label;
        templates[i].samples = t->samples;
    }
    return templates;
}

/* Samples of an input, about: one for every two bytes of each channel. Of a microphone, which has
 * no end, those of a second. 0: nobody knows. */
static double expected_of(const runner *r, const char *path, double rate_hz)
{
    struct stat st;
    if (mic_is_named(path)) return rate_hz;
    const bool known = (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0;
    if (!known || !S_ISREG(st.st_mode)) return 0;
    return 1 + (double)st.st_size / (2 * (double)r->set.channels);
}

static double expected(const runner *r, double rate_hz)
{
    double all = 0;
    for (size_t i = 0; i < r->o->shared.n_inputs; i++) {
        const double samples = expected_of(r, r->o->shared.inputs[i], rate_hz);
        if (samples == 0) return 0;
        all += samples;
    }
    return all;
}

static sigrep_status create(runner *r, double rate_hz, sigrep_error *error)
{
    const options *o = r->o;
    sigrep_template *templates = list_templates(r);
    if (!templates) {
        *error = (sigrep_error){.template_index = SIZE_MAX, .text = "out of memory"};
        return SIGREP_NO_MEMORY;
    }
    sigrep_store store = r->store ? spool_as_store(r->store) : (sigrep_store){0};
    sigrep_config config;
    sigrep_config_init(&config, sizeof config);
    config.templates = templates;
    config.n_templates = r->set.n;
    config.channels = r->set.channels;
    config.rate_hz = rate_hz;
    config.template_rate_hz = r->set.rate_known ? r->set.rate_hz : 0;
    config.front_end = r->set.front_end;
    config.length_min = o->shared.length_min;
    config.length_max = o->shared.length_max;
    config.min_matches = (size_t)o->shared.min_matches;
    config.best = (size_t)o->best;
    config.store = r->store ? &store : NULL;
    config.device = o->device;
    config.expected = expected(r, rate_hz);
    config.kernel = o->kernel;
    config.threads = (size_t)o->shared.threads;
    config.chunk = (size_t)o->chunk;
    config.on_match = print_match;
    config.on_scores = o->scores_path ? print_scores : NULL;
    config.user = r;
    sigrep_status status = sigrep_create(&r->search, &config, error);
    free(templates);
    return status;
}

/* What would a searcher at a rate of sounds say? */
static sigrep_status try_sounds(const runner *r, sigrep_error *error)
{
    runner other = *r;
    other.search = NULL;
    const sigrep_status status = create(&other, 48000, error);
    sigrep_destroy(other.search);
    return status;
}

/* Nothing told the rate of the input. Would the front end do at a rate of sounds? */
static bool misses_rate(const runner *r)
{
    sigrep_error unused;
    return r->name && !r->rate_known && try_sounds(r, &unused) != SIGREP_BAD_FRONT_END;
}

/* A front end was refused for `error`, at a rate that nobody told. Is it for another reason, or for
 * none, at another rate? */
static bool hangs_on_rate(const runner *r, const sigrep_error *error)
{
    sigrep_error other;
    return try_sounds(r, &other) != SIGREP_BAD_FRONT_END || strcmp(other.text, error->text) != 0;
}

/* A front end that does not fit: whose choice it was, and what to do. */
static void complain_of_front_end(const runner *r, const sigrep_error *error)
{
    char whose[512];
    const char *hint = misses_rate(r) ? "; give the rate with --rate" : "";
    if (r->o->shared.front_end) {
        snprintf(whose, sizeof whose, "--front-end '%.400s'", r->o->shared.front_end);
    } else {
        snprintf(whose, sizeof whose, "front end '%s', the default for audio", r->set.front_end);
        hint = "; give another with --front-end";
    }
    if (r->name)
        report_of(r->name, "%s: %s%s", whose, error->text, hint);
    else
        report("%s: %s%s", whose, error->text, hint);
}

/* Say what sigrep_create did not like: of a template, or of the options, perhaps only at
 * the rate of the input at hand. */
static void complain(const runner *r, sigrep_status status, const sigrep_error *error)
{
    if (error->template_index < r->set.n)
        report_of(r->set.items[error->template_index].path, "%s%s", error->text,
                  status == SIGREP_NO_THRESHOLD ? "; give one with --threshold" : "");
    else if (status == SIGREP_BAD_FRONT_END)
        complain_of_front_end(r, error);
    else if (r->name)
        report_of(r->name, "%s", error->text);
    else
        report("%s", error->text);
}

void searcher_free(runner *r)
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

/* Is it the only template of its label? */
static bool has_own_label(const template_set *set, const loaded_template *t)
{
    size_t same = 0;
    for (size_t i = 0; i < set->n; i++) same += strcmp(set->items[i].label, t->label) == 0;
    return same == 1;
}

static bool is_estimated(const runner *r, const loaded_template *t)
{
    return !t->own.frame_dim || t->own.auto_threshold || !r->o->own_thresholds;
}

static void tell_threshold(const template_set *set, const loaded_template *t, double threshold)
{
    static const char how[] = "(estimated from the template alone; -t sets it)";
    if (t->take)
        report_of(t->path, "take '%s': threshold %.9g %s", t->take, threshold, how);
    else
        report_of(has_own_label(set, t) ? t->label : t->path, "threshold %.9g %s", threshold, how);
}

/* Say the thresholds that were estimated: of few templates, or with -v, one by one. */
static void tell_thresholds(runner *r)
{
    const template_set *set = &r->set;
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) n += is_estimated(r, &set->items[i]);
    const bool each = n <= TOLD_ONE_BY_ONE || r->o->shared.verbose;
    double least = INFINITY, most = 0;
    bool is_new = false;
    for (size_t i = 0; i < set->n; i++) {
        loaded_template *t = &set->items[i];
        if (!is_estimated(r, t)) continue;
        const double threshold = sigrep_get_threshold(r->search, i);
        const bool is_said = t->threshold_said == threshold;
        t->threshold_said = threshold;
        is_new |= !is_said;
        least = fmin(least, threshold);
        most = fmax(most, threshold);
        if (each && !is_said) tell_threshold(set, t, threshold);
    }
    if (is_new && !each)
        report(
            "%zu templates: thresholds from %.9g to %.9g (estimated from each alone; -t sets one "
            "for all, -v lists them)",
            n, least, most);
}

sigrep_status searcher_ensure(runner *r, double rate_hz)
{
    if (!r->search || r->search_rate_hz != rate_hz) {
        searcher_free(r);
        sigrep_error error;
        sigrep_status status = create(r, rate_hz, &error);
        if (status) {
            complain(r, status, &error);
            return status;
        }
        r->search_rate_hz = rate_hz;
        searcher_note(r, error.text);
        describe(r);
    }
    if (r->o->shared.auto_threshold && !r->o->quiet) tell_thresholds(r);
    return SIGREP_OK;
}

bool searcher_try(runner *r)
{
    double rate_hz = r->set.rate_known ? r->set.rate_hz : 1;
    sigrep_error error;
    sigrep_status status = create(r, rate_hz, &error);
    r->search_rate_hz = rate_hz;
    if (!status) {
        searcher_note(r, error.text);
        describe(r);
        return true;
    }
    /* The rate may be the input's to say: perhaps it all fits then. */
    if (!r->set.rate_known && status == SIGREP_BAD_FRONT_END && hangs_on_rate(r, &error))
        return true;
    complain(r, status, &error);
    return false;
}
