/*
 * main.c - sigrep-calibrate: a background and a wanted rate of false alarms into the thresholds of
 * a bundle; or a recording into the threshold of a template.
 *
 *     recordings.c: searches ──> sigrep_calibration ──> NAME.sigrep
 *                                         └──> result.c: warnings, lines
 *     one_template.c: searches ──> gap.c ──> histogram, threshold
 */
#include <math.h>
#include <stdlib.h>

#include "tools/common/messages/messages.h"
#include "tools/common/messages/signals.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/number.h"
#include "tools/common/options/shared_options.h"
#include "tools/common/start.h"
#include "tools/common/templates/bundle_file.h"
#include "tools/common/templates/search_setup.h"
#include "tools/sigrep-calibrate/one_template.h"
#include "tools/sigrep-calibrate/recordings.h"
#include "tools/sigrep-calibrate/result.h"

enum { KEY_DURATION = 256, KEY_FORCE };

typedef struct {
    shared_options o;
    double per_hour; /* 0: not given */
    bool force, is_quiet;
    const char *bundle; /* NULL: there is a template */
    const char *output;
} calibrate_options;

static const char *set_rate(void *user, const char *text)
{
    double *rate = &((calibrate_options *)user)->per_hour;
    return number_real(text, rate) && *rate > 0 ? NULL : "not a number above 0";
}

static const char *set_output(void *user, const char *text)
{
    ((calibrate_options *)user)->output = text;
    return bundle_is_named(text) ? NULL : "a bundle's name ends in .sigrep";
}

static const argument_row rows[] = {
    ARGUMENT_HEADING("Of a bundle:"),
    ARGUMENT('n', "false-alarms", "N", set_rate, "false alarms an hour, for each label (1)"),
    ARGUMENT('o', "output", "FILE", set_output, "write the bundle to FILE (default: in its place)"),
    ARGUMENT_FLAG(KEY_FORCE, "force", calibrate_options, force,
                  "keep a threshold that misses most takes, and\nreplace a read-only bundle"),
    ARGUMENT_HEADING("Of a template:"),
    ARGUMENT_FLAG('q', "quiet", calibrate_options, is_quiet, "print the threshold alone"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared, as for sigrep (default: raw for\nnumbers, mfcc for audio)"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_HEADING("Input:"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(KEY_DURATION, "duration", "SECONDS", "end each input after that much of it"),
    ARGUMENT_SHARED('j', "threads", "N", "threads to use (1)"),
};

static arguments_status take_bundle(calibrate_options *c, const char *name, char *error)
{
    if (c->is_quiet) return arguments_bad(error, "--quiet is for a template, not for a bundle");
    if (c->o.front_end || c->o.has_length)
        return arguments_bad(error, "a bundle has its own front end and lengths: leave out "
                                    "--front-end and --length");
    c->bundle = name;
    if (!c->output) c->output = name;
    if (c->per_hour == 0) c->per_hour = 1;
    return ARGUMENTS_OK;
}

static arguments_status take_template(calibrate_options *c, const char *name, char *error)
{
    if (c->per_hour > 0 || c->output || c->force)
        return arguments_bad(error,
                             "--false-alarms, --output and --force are for a bundle, "
                             "NAME.sigrep, not for a template, '%.300s'",
                             name);
    const char *reason = shared_options_set(&c->o, "template", name);
    return reason ? arguments_bad(error, "template '%.300s': %s", name, reason) : ARGUMENTS_OK;
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    calibrate_options *c = user;
    if (n == 0)
        return arguments_bad(error, "neither a bundle, NAME.sigrep, nor a template is named");
    const bool is_bundle = bundle_is_named(operands[0]);
    const arguments_status status =
        is_bundle ? take_bundle(c, operands[0], error) : take_template(c, operands[0], error);
    if (status) return status;
    const char *reason = shared_options_set_inputs(&c->o, n - 1, operands + 1);
    return reason ? arguments_bad(error, "%s", reason) : ARGUMENTS_OK;
}

static const argument_table table = {
    .program = "sigrep-calibrate",
    .usage = "sigrep-calibrate [OPTION]... NAME.sigrep [BACKGROUND]...\n"
             "       sigrep-calibrate [OPTION]... TEMPLATE [RECORDING]...",
    .about = "Find the thresholds at which a bundle gives N false alarms an hour, and put\n"
             "them into it. Or print the threshold of a template that a recording shows: the\n"
             "gap between the scores of matches and those of all other places.\n\n"
             "BACKGROUND is a recording without the words of the bundle, RECORDING one with\n"
             "matches of the template, as sigrep reads it; - for standard input (the\n"
             "default); or mic: or mic:NAME, until you interrupt it.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "Of a bundle, standard output has a header and a line for each label: label,\n"
           "threshold, its 95 % interval, 95 % interval of false alarms an hour, hours\n"
           "searched, false alarms in them, how many takes are found by others, the\n"
           "threshold of the background alone, and false alarms an hour in foreign speech.\n"
           "Of a template, it has a histogram of scores. The exit status is 1 if they have\n"
           "no clear gap.\n\n"
           "All details: man sigrep-calibrate\n",
    .take_operands = take_operands,
};

typedef struct {
    sigrep_calibration *calibration;
    sigrep_bundle_info bundle;
    const char *path; /* of the bundle */
} background;

static void warn_of_low_rate(const background *b, const recordings *r)
{
    const template_set set = {.rate_known = b->bundle.rate_hz > 0,
                              .rate_hz = b->bundle.rate_hz,
                              .front_end = b->bundle.front_end,
                              .bundle = b->path};
    search_warn_of_low_rate(
        &(search_subject){.set = &set, .o = r->o, .name = r->name, .rate_hz = r->info.rate_hz});
}

static sigrep *make_search(void *user, const recordings *r)
{
    const background *b = user;
    sigrep *search = NULL;
    sigrep_error error;
    sigrep_config config;
    warn_of_low_rate(b, r);
    sigrep_config_init(&config, sizeof config);
    config.rate_hz = r->info.rate_hz;
    config.threads = (size_t)r->o->threads;
    sigrep_calibration_configure(b->calibration, &config);
    if (sigrep_create(&search, &config, &error)) report_of(r->name, "%s", error.text);
    return search;
}

/* Search the inputs of the options for all takes of the bundle, which is of the file `path`.
 * *hours: their length without gaps. SIGINT and SIGTERM end it early, with a warning unless the
 * input is a microphone. false after a failure, which is reported. */
static bool search_background(sigrep_calibration *calibration, const sigrep_bundle *bundle,
                              const char *path, const shared_options *o, double *hours)
{
    background b = {.calibration = calibration, .bundle = {.size = sizeof b.bundle}, .path = path};
    sigrep_bundle_get_info(bundle, &b.bundle);
    recordings r = {.o = o,
                    .needs = {.whose = "the bundle",
                              .channels = b.bundle.channels,
                              .rate_hz = b.bundle.rate_hz},
                    .cells = INFINITY,
                    .make_search = make_search,
                    .user = &b};
    const bool good = recordings_search(&r, NULL);
    if (good && signals_caught() && !r.info.microphone)
        report_of(r.name,
                  "warning: interrupted: only the %.4g hours of background until then count",
                  r.hours);
    *hours = r.hours;
    return good;
}

static bool calibrate_label(calibrated_label *label, sigrep_calibration *calibration, double hours,
                            double per_hour)
{
    sigrep_error error;
    label->label.size = sizeof label->label;
    label->rates.size = sizeof label->rates;
    (void)sigrep_bundle_get_label(label->bundle, label->i, &label->label); /* there is one */
    if (sigrep_calibration_set_threshold(calibration, label->i, hours, per_hour, &label->rates,
                                         &error)) {
        report_of(label->label.name, "%s", error.text);
        return false;
    }
    (void)sigrep_bundle_get_label(label->bundle, label->i, &label->label);
    return true;
}

/* The threshold at `per_hour` false alarms an hour. Negative: there is none. */
static double threshold_at(const calibrated_label *label, sigrep_calibration *calibration,
                           double hours, double per_hour)
{
    sigrep_bundle_label at = {.size = sizeof at};
    if (sigrep_calibration_set_threshold(calibration, label->i, hours, per_hour, NULL, NULL))
        return -1;
    (void)sigrep_bundle_get_label(label->bundle, label->i, &at);
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
static void refuse(const calibrated_label *label, sigrep_calibration *calibration, double hours)
{
    const double needed = result_usual_score(label);
    double per_hour = label->label.per_hour, threshold = label->label.threshold;
    while (threshold >= 0 && threshold < needed) {
        per_hour = next_rate(per_hour);
        threshold = threshold_at(label, calibration, hours, per_hour);
    }
    if (threshold < 0)
        report_of(label->label.name, "refused: most of its takes would be missed, whatever -n; "
                                     "record them again, or keep this threshold with --force");
    else
        report_of(label->label.name,
                  "refused: most of its takes would be missed; -n %.9g finds half of them, --force "
                  "keeps this threshold",
                  per_hour);
}

static bool calibrate_labels(sigrep_bundle *b, sigrep_calibration *calibration,
                             const calibrate_options *c, text_buffer *out)
{
    double hours;
    bool good = true;
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    if (!search_background(calibration, b, c->bundle, &c->o, &hours)) return false;
    result_print_header(out);
    for (size_t i = 0; i < info.n_labels; i++) {
        calibrated_label label = {
            .bundle = b, .calibration = calibration, .inputs = c->o.inputs, .i = i};
        if (!calibrate_label(&label, calibration, hours, c->per_hour)) return false;
        result_warn(&label);
        result_print(&label, out);
        if (c->force || !result_misses_most(&label)) continue;
        refuse(&label, calibration, hours);
        good = false;
    }
    return print_text(out) && good;
}

/* Returns the exit status. */
static int calibrate(const calibrate_options *c)
{
    if (!c->bundle) return one_template(&c->o, c->is_quiet);
    text_buffer out = {0};
    sigrep_calibration *calibration = NULL;
    sigrep_bundle *b = bundle_load(c->bundle);
    const bool is_due = b && bundle_may_be_saved(c->output, c->force);
    if (is_due && sigrep_calibration_create(&calibration, b)) report("out of memory");
    const bool good = calibration && calibrate_labels(b, calibration, c, &out) &&
                      bundle_save(b, c->output, c->force);
    free(out.data);
    sigrep_calibration_destroy(calibration);
    sigrep_bundle_destroy(b);
    return good ? 0 : EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    calibrate_options c = {.o = shared_options_defaults()};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &c, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : calibrate(&c);
    shared_options_free(&c.o);
    return status;
}
