/*
 * main.c - sigrep-calibrate: a background and a wanted rate of false alarms into thresholds.
 *
 *     background.c: searches ──> sigrep_calibration ──> NAME.sigrep
 *                                         └──> result.c: warnings, lines
 */
#include <stdlib.h>

#include "filter/cli/common/arguments.h"
#include "filter/cli/common/bundle_file.h"
#include "filter/cli/common/messages.h"
#include "filter/cli/common/number.h"
#include "filter/cli/common/shared_options.h"
#include "filter/cli/common/start.h"
#include "tools/sigrep-calibrate/background.h"
#include "tools/sigrep-calibrate/result.h"

enum { KEY_DURATION = 256 };

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
    ARGUMENT('n', "false-alarms", "N", set_rate, "false alarms an hour, for each label (1)"),
    ARGUMENT('o', "output", "FILE", set_output, "write the bundle to FILE (default: in its place)"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(KEY_DURATION, "duration", "SECONDS", "end each input after that much of it"),
    ARGUMENT_SHARED('j', "threads", "N", "threads to use (1)"),
};

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    calibrate_options *c = user;
    if (n == 0) return arguments_bad(error, "no bundle is named: give NAME.sigrep");
    c->bundle = operands[0];
    if (!c->output) c->output = c->bundle;
    if (!bundle_is_named(c->output))
        return arguments_bad(error, "bundle '%.300s': its name does not end in .sigrep", c->output);
    const char *reason = shared_options_set_inputs(&c->o, n - 1, operands + 1);
    return reason ? arguments_bad(error, "%s", reason) : ARGUMENTS_OK;
}

static const argument_table table = {
    .program = "sigrep-calibrate",
    .usage = "sigrep-calibrate [OPTION]... NAME.sigrep [BACKGROUND]...",
    .about = "Find the thresholds at which a bundle gives N false alarms an hour, and put\n"
             "them into it.\n\n"
             "BACKGROUND is a recording without the words of the bundle, as sigrep reads it;\n"
             "- for standard input (the default); or mic: or mic:NAME, until you interrupt\n"
             "it.\n\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "A line for each label on standard output: label, threshold, its 95 % interval,\n"
           "95 % interval of false alarms an hour, hours searched, false alarms in them,\n"
           "and how many takes are found by others.\n\n"
           "All details: man sigrep-calibrate\n",
    .take_operands = take_operands,
};

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

/* Returns the exit status. */
static int calibrate(const calibrate_options *c)
{
    text_buffer out = {0};
    sigrep_calibration *calibration = NULL;
    sigrep_bundle *b = bundle_load(c->bundle);
    if (b && sigrep_calibration_create(&calibration, b)) report("out of memory");
    const bool good = calibration && calibrate_labels(b, calibration, c, &out) &&
                      print_text(&out) && bundle_save(b, c->output);
    free(out.data);
    sigrep_calibration_destroy(calibration);
    sigrep_bundle_destroy(b);
    return good ? 0 : EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    calibrate_options c = {.o = shared_options_defaults(), .per_hour = 1};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &c, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : calibrate(&c);
    shared_options_free(&c.o);
    return status;
}
