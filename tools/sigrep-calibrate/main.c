/*
 * main.c - sigrep-calibrate: a background and a wanted rate of false alarms into the thresholds of
 * a bundle; or a recording into the threshold of a template.
 *
 *     bundle.c:   recordings.c ──> sigrep_calibration ──> NAME.sigrep, warnings, lines
 *     template.c: recordings.c ──> gap.c ──> histogram, threshold
 */
#include "tools/common/options/arguments.h"
#include "tools/common/options/number.h"
#include "tools/common/start.h"
#include "tools/common/templates/bundle_file.h"
#include "tools/sigrep-calibrate/calibrate.h"

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
    ARGUMENT_FLAG(0, "force", calibrate_options, force,
                  "keep a threshold that misses most takes, and\nreplace a read-only bundle"),
    ARGUMENT_HEADING("Of a template:"),
    ARGUMENT_FLAG('q', "quiet", calibrate_options, is_quiet, "print the threshold alone"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared, as for sigrep (default: raw for\nnumbers, mfcc for audio)"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_HEADING("Input:"),
    ARGUMENTS_OF_INPUT,
    ARGUMENT_SHARED(0, "duration", "SECONDS", "end each input after that much of it"),
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

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    calibrate_options c = {.o = shared_options_defaults()};
    start_program();
    const arguments_status parsed = arguments_parse(&table, &c, argc, argv, error);
    int status;
    if (parsed)
        status = arguments_answer(&table, parsed, error);
    else
        status = c.bundle ? calibrate_bundle(&c) : calibrate_template(&c);
    shared_options_free(&c.o);
    return status;
}
