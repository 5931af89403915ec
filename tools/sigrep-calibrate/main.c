/*
 * main.c - sigrep-calibrate: a background and a wanted rate of false alarms into thresholds.
 *
 *     background.c: searches ──> sigrep_calibration ──> NAME.sigrep
 *                                         └──> result.c: warnings, lines
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/arguments.h"
#include "filter/cli/common/bundle_file.h"
#include "filter/cli/common/messages.h"
#include "filter/cli/common/number.h"
#include "io/fdio.h"
#include "tools/sigrep-calibrate/background.h"
#include "tools/sigrep-calibrate/result.h"

enum { FAILED = 2, KEY_DURATION = 256 };

typedef struct {
    shared_options o;
    double per_hour;
    const char *bundle, *output;
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
    {'n', "false-alarms", "N", "false alarms an hour, for each label (1)", set_rate},
    {'o', "output", "FILE", "write the bundle to FILE (default: in its place)", set_output},
    {'f', "format", "F", "auto (default), text, or raw: f32 f64 s16 ...", NULL},
    {'r', "rate", "HZ", "samples a second of raw and text input", NULL},
    {300, "channels", "N", "values a sample of raw and text input", NULL},
    {301, "channel", "K|mix|each", "audio: one channel, the mean (default), or all", NULL},
    {KEY_DURATION, "duration", "SECONDS", "end each input after that much of it", NULL},
    {'j', "threads", "N", "threads to use (1)", NULL},
};

static const argument_table table = {
    .program = "sigrep-calibrate",
    .usage = "sigrep-calibrate [OPTION]... NAME.sigrep [BACKGROUND]...",
    .about =
        "Find the thresholds at which a bundle gives N false alarms an hour, and put them\n"
        "into it.\n\n"
        "BACKGROUND is a recording without the words of the bundle, as sigrep reads it; - for\n"
        "standard input (the default); or mic: or mic:NAME, until you interrupt it.\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each label on standard output: label, threshold, its 95 % interval, 95 %\n"
           "interval of false alarms an hour, hours searched, false alarms in them, and how many\n"
           "takes are found by others.\n",
};

static arguments_status take_operands(calibrate_options *c, int n, char **operands)
{
    static const char *const standard_input[] = {"-"};
    if (n == 0) return arguments_bad(&table, "no bundle is named");
    c->bundle = operands[0];
    if (!c->output) c->output = c->bundle;
    if (!bundle_is_named(c->output))
        return arguments_bad(&table, "bundle '%.300s': its name does not end in .sigrep",
                             c->output);
    c->o.n_inputs = n > 1 ? (size_t)n - 1 : 1;
    c->o.inputs = malloc(c->o.n_inputs * sizeof *c->o.inputs);
    if (!c->o.inputs) return arguments_bad(&table, "out of memory");
    memcpy(c->o.inputs, n > 1 ? (const void *)(operands + 1) : (const void *)standard_input,
           c->o.n_inputs * sizeof *c->o.inputs);
    return ARGUMENTS_OK;
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

static bool calibrate_labels(sigrep_bundle *b, sigrep_calibration *calibration,
                             const calibrate_options *c, text_buffer *out)
{
    double hours;
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    if (!background_search(calibration, b, &c->o, &hours)) return false;
    for (size_t i = 0; i < info.n_labels; i++) {
        calibrated_label label = {
            .bundle = b, .calibration = calibration, .inputs = c->o.inputs, .i = i};
        if (!calibrate_label(&label, calibration, hours, c->per_hour)) return false;
        result_warn(&label);
        result_print(&label, out);
    }
    return true;
}

static bool print(const text_buffer *out)
{
    if (!out->failed && !fd_write_all(STDOUT_FILENO, out->data, out->length)) return true;
    report("standard output: cannot be written");
    return false;
}

static bool calibrate(const calibrate_options *c)
{
    text_buffer out = {0};
    sigrep_calibration *calibration = NULL;
    sigrep_bundle *b = bundle_load(c->bundle);
    if (b && sigrep_calibration_create(&calibration, b)) report("out of memory");
    const bool good = calibration && calibrate_labels(b, calibration, c, &out) &&
                      bundle_save(b, c->output) && print(&out);
    free(out.data);
    sigrep_calibration_destroy(calibration);
    sigrep_bundle_destroy(b);
    return good;
}

int main(int argc, char **argv)
{
    calibrate_options c = {.o = shared_options_defaults(), .per_hour = 1};
    int at = 0;
    arguments_status status = arguments_parse(&table, &c, argc, argv, &at);
    if (!status) status = take_operands(&c, argc - at, argv + at);
    const bool good = status ? status == ARGUMENTS_ANSWER : calibrate(&c);
    shared_options_free(&c.o);
    return good ? 0 : FAILED;
}
