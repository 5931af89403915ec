/* bundle.c - a background and a wanted rate of false alarms into the thresholds of a bundle. */
#include <math.h>
#include <stdlib.h>

#include "tools/common/file_replace.h"
#include "tools/common/input/open_input.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/templates/bundle_file.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep-calibrate/calibrate.h"
#include "tools/sigrep-calibrate/recordings.h"

typedef struct {
    const calibrate_options *c;
    sigrep_bundle *bundle;
    sigrep_bundle_info info;
    sigrep_calibration *calibration;
    double hours; /* of background, gaps left out */
    bool was_interrupted;
    /* Of the current label. */
    size_t i;
    sigrep_bundle_label label; /* as calibrated */
    sigrep_calibration_result rates;
} calibrating;

/* A candidate that scores at most this multiple of the usual score among takes is likely the label
 * itself. In two and a half hours of other speech none is better than 1.15
 * (docs/lab/calibration.md). */
static const double AS_GOOD = 1.1;

/* The i-th take of the bundle that is one of the label's; false after the last. */
static bool next_take(const calibrating *c, size_t *i, sigrep_bundle_take *take)
{
    take->size = sizeof *take;
    while (!sigrep_bundle_get_take(c->bundle, (*i)++, take))
        if (take->label == c->i) return true;
    return false;
}

/* The median score of takes in one another: at this threshold half of them are found. Negative: not
 * known. */
static double usual_score(const calibrating *c)
{
    sigrep_bundle_take take;
    double *scores = malloc(c->label.n_takes * sizeof *scores), usual = -1;
    size_t n = 0;
    for (size_t i = 0; scores && next_take(c, &i, &take);)
        if (take.peer_score >= 0) scores[n++] = take.peer_score;
    if (n) usual = median(scores, n);
    free(scores);
    return usual;
}

/* How many takes does another one find at the threshold, of how many for which that is known? Of
 * none if several must agree. */
static size_t count_found(const calibrating *c, size_t *known)
{
    sigrep_bundle_take take;
    size_t n = 0;
    *known = 0;
    if (c->label.min_matches > 1) return 0;
    for (size_t i = 0; next_take(c, &i, &take);) {
        *known += take.peer_score >= 0;
        n += take.peer_score >= 0 && take.peer_score <= c->label.threshold;
    }
    return n;
}

/* The candidates up to this score, and the best of them. */
static size_t count_candidates(const calibrating *c, double score, sigrep_candidate *best)
{
    sigrep_candidate at = {.size = sizeof at};
    size_t n = 0;
    for (size_t k = 0; !sigrep_calibration_get_candidate(c->calibration, c->i, k, &at); k++) {
        if (at.score > score) continue;
        if (n++ == 0 || at.score < best->score) *best = at;
    }
    return n;
}

/* If takes must agree, the usual score is still that of the best one, so some places are missed. */
static void warn_of_label(const calibrating *c)
{
    sigrep_candidate best = {0};
    const double usual = usual_score(c);
    const size_t n = usual < 0 ? 0 : count_candidates(c, AS_GOOD * usual, &best);
    if (n)
        report_of(input_name(c->c->o.inputs[best.recording]),
                  "warning: it seems to hold '%s' %zu time%s, best at %.3f s with a score of "
                  "%.3g (its takes have %.3g among themselves); cut such places out",
                  c->label.name, n, n == 1 ? "" : "s", best.start_s, best.score, usual);
}

/* Warn if the background seems to hold the label, if the threshold is extrapolated, and if takes
 * would not find one another at it. */
static void warn(const calibrating *c)
{
    size_t known;
    warn_of_label(c);
    if (c->label.is_extrapolated)
        report_of(c->label.name,
                  "warning: %.3g hours are too short for %.3g false alarm%s an hour: the "
                  "threshold is extrapolated beyond the scores of the background%s; %.3g hours "
                  "would do",
                  c->label.hours, c->label.per_hour, c->label.per_hour == 1 ? "" : "s",
                  c->rates.in_speech >= 0 ? ", by what is known of foreign speech" : "",
                  10 / c->label.per_hour);
    const size_t found = count_found(c, &known);
    if (found < known)
        report_of(
            c->label.name,
            "warning: at threshold %.4g the other takes find only %zu of its %zu takes, so it will "
            "often be missed",
            c->label.threshold, found, known);
}

/* Are more than half of the takes missed that another one could find? */
static bool misses_most(const calibrating *c)
{
    size_t known;
    const size_t found = count_found(c, &known);
    return 2 * found < known;
}

static void print(const calibrating *c, text_buffer *out)
{
    size_t known;
    sigrep_candidate best;
    const size_t alarms = count_candidates(c, c->label.threshold, &best);
    const size_t found = count_found(c, &known);
    text_add_escaped(out, c->label.name);
    text_add_string(out, "\t");
    text_add_score(out, c->label.threshold);
    text_add_format(out, "\t%.4g\t%.4g\t%.3g\t%.3g\t%.4g\t%zu\t", c->label.low, c->label.high,
                    c->rates.rate_low, c->rates.rate_high, c->label.hours, alarms);
    if (known)
        text_add_format(out, "%zu/%zu", found, known);
    else
        text_add_string(out, "-");
    if (c->rates.in_speech >= 0)
        text_add_format(out, "\t%.4g\t%.2g\n", c->rates.alone, c->rates.in_speech);
    else
        text_add_string(out, "\t-\t-\n");
}

static void warn_of_low_rate(const calibrating *c, const recordings *r)
{
    const template_set set = {.rate_known = c->info.rate_hz > 0,
                              .rate_hz = c->info.rate_hz,
                              .front_end = c->info.front_end,
                              .bundle = c->c->bundle};
    search_warn_of_low_rate(
        &(search_subject){.set = &set, .o = r->o, .name = r->name, .rate_hz = r->info.rate_hz});
}

static sigrep *make_search(void *user, const recordings *r)
{
    const calibrating *c = user;
    sigrep *search = NULL;
    sigrep_error error;
    sigrep_config config;
    warn_of_low_rate(c, r);
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = r->info.rate_hz;
    config.threads = (size_t)r->o->threads;
    sigrep_calibration_configure(c->calibration, &config);
    if (sigrep_create(&search, &config, &error)) report_of(r->name, "%s", error.text);
    return search;
}

/* Search the inputs for all takes of the bundle. SIGINT and SIGTERM end it early, with a warning
 * unless the input is a microphone. false after a failure, which is reported. */
static bool search_background(calibrating *c)
{
    recordings r = {
        .o = &c->c->o,
        .needs = {.whose = "the bundle", .channels = c->info.channels, .rate_hz = c->info.rate_hz},
        .cells = INFINITY,
        .make_search = make_search,
        .user = c};
    const bool good = recordings_search(&r, NULL);
    c->was_interrupted = good && signals_caught() && !r.info.microphone;
    if (c->was_interrupted)
        report_of(r.name,
                  "warning: interrupted: only the %.4g hours of background until then count",
                  r.hours);
    c->hours = r.hours;
    return good;
}

static bool calibrate_label(calibrating *c)
{
    sigrep_error error;
    c->label.size = sizeof c->label;
    c->rates.size = sizeof c->rates;
    (void)sigrep_bundle_get_label(c->bundle, c->i, &c->label); /* there is one */
    if (sigrep_calibration_set_threshold(c->calibration, c->i, c->hours, c->c->per_hour, &c->rates,
                                         &error)) {
        report_of(c->label.name, "%s", error.text);
        return false;
    }
    (void)sigrep_bundle_get_label(c->bundle, c->i, &c->label);
    return true;
}

/* The threshold at `per_hour` false alarms an hour. Negative: there is none. */
static double threshold_at(const calibrating *c, double per_hour)
{
    sigrep_bundle_label at = {.size = sizeof at};
    if (sigrep_calibration_set_threshold(c->calibration, c->i, c->hours, per_hour, NULL, NULL))
        return -1;
    (void)sigrep_bundle_get_label(c->bundle, c->i, &at);
    return at.threshold;
}

/* About a tenth more, in two digits. */
static double next_rate(double per_hour)
{
    const double digit = pow(10, floor(log10(per_hour)) - 1);
    return ceil(1.1 * per_hour / digit) * digit;
}

/* Report the least number of false alarms an hour that finds half of the takes. It leaves another
 * threshold in the bundle, which is not saved. */
static void refuse(const calibrating *c)
{
    const double needed = usual_score(c);
    double per_hour = c->label.per_hour, threshold = c->label.threshold;
    while (threshold >= 0 && threshold < needed) {
        per_hour = next_rate(per_hour);
        threshold = threshold_at(c, per_hour);
    }
    if (threshold < 0)
        report_of(
            c->label.name,
            "refused: most of its takes would be missed, whatever -n; record them again%s, or "
            "keep this threshold with --force",
            c->label.ceiling > 0 && c->label.ceiling < needed ? " or leave out negatives" : "");
    else
        report_of(c->label.name,
                  "refused: most of its takes would be missed; -n %.9g finds half of them, --force "
                  "keeps this threshold",
                  per_hour);
}

static bool calibrate_labels(calibrating *c, text_buffer *out)
{
    bool good = true;
    c->info.size = sizeof c->info;
    sigrep_bundle_get_info(c->bundle, &c->info);
    if (!search_background(c)) return false;
    text_add_string(out, "label\tthreshold\tlow\thigh\talarms/h low\talarms/h high\thours\t"
                         "alarms\ttakes found\talone\tspeech/h\n");
    for (; c->i < c->info.n_labels; c->i++) {
        if (!calibrate_label(c)) return false;
        warn(c);
        print(c, out);
        if (c->c->force || !misses_most(c)) continue;
        refuse(c);
        good = false;
    }
    return print_text(out) && good;
}

int calibrate_bundle(const calibrate_options *o)
{
    text_buffer out = {0};
    calibrating c = {.c = o, .bundle = bundle_load(o->bundle)};
    const bool is_due = c.bundle && file_may_be_replaced(o->output, "bundle", o->force);
    if (is_due && sigrep_calibration_create(&c.calibration, c.bundle)) report("out of memory");
    const bool good =
        c.calibration && calibrate_labels(&c, &out) && bundle_save(c.bundle, o->output, o->force);
    free(out.data);
    sigrep_calibration_destroy(c.calibration);
    sigrep_bundle_destroy(c.bundle);
    if (good && c.was_interrupted) return SIGNALS_STATUS + signals_which();
    return good ? 0 : EXIT_ERROR;
}
