/* main.c - sigrep-calibrate: a background and a wanted rate of false alarms into thresholds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/arguments.h"
#include "filter/cli/common/bundle_file.h"
#include "filter/cli/common/messages.h"
#include "filter/cli/common/number.h"
#include "io/fdio.h"
#include "io/text_buffer.h"
#include "tools/ascending.h"
#include "tools/sigrep-calibrate/hear.h"
#include "tools/sigrep-calibrate/tail.h"

enum { FAILED = 2, KEY_DURATION = 256 };
static const double AS_GOOD = 1.1;

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
           "interval of false alarms an hour, hours heard, false alarms in them, and how many\n"
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

/* What the takes of a label score among themselves: the median. Negative: not known. */
static double usual_score(const bundle_label *label)
{
    double *scores = malloc(label->n_takes * sizeof *scores), usual = -1;
    size_t n = 0;
    for (size_t i = 0; scores && i < label->n_takes; i++)
        if (label->takes[i].others >= 0) scores[n++] = label->takes[i].others;
    if (n) usual = median(scores, n);
    free(scores);
    return usual;
}

/* Takes that another one finds at the threshold, and of how many that is known: of none where
 * several must agree. */
static size_t count_found(const bundle_label *label, double threshold, size_t *known)
{
    size_t n = 0;
    *known = 0;
    for (size_t i = 0; i < label->n_takes && label->min_matches == 1; i++) {
        const bundle_take *take = &label->takes[i];
        *known += take->others >= 0;
        n += take->others >= 0 && take->others <= threshold;
    }
    return n;
}

/* Warn where the background is about as good as a take: 1.1 times what is usual among them. Two
 * and a half hours of other speech have nothing better than 1.15 (docs/lab/calibration.md). Where
 * several takes must agree, what is usual is still that of the best one: fewer places are told. */
static void warn_of_keyword(const bundle_label *label, const place_list *list)
{
    const double usual = usual_score(label);
    const place *best = NULL;
    size_t n = 0;
    for (size_t i = 0; i < list->n && usual >= 0; i++) {
        if (list->places[i].score > AS_GOOD * usual) continue;
        n++;
        if (!best || list->places[i].score < best->score) best = &list->places[i];
    }
    if (best)
        report_of(best->input,
                  "warning: it seems to hold '%s', %zu time%s, as at %.3f s: a score of "
                  "%.3g, and its takes have %.3g among themselves; leave such places out",
                  label->name, n, n == 1 ? "" : "s", best->start_s, best->score, usual);
}

static void warn_of_result(const bundle_label *label, const tail_result *r, double per_hour)
{
    size_t known;
    if (r->is_extrapolated)
        report_of(
            label->name,
            "warning: %.3g hours are too short for %.3g false alarms an hour: the threshold is "
            "extrapolated beyond what was heard; %.3g hours would do",
            r->fit.hours, per_hour, 10 / per_hour);
    const size_t found = count_found(label, r->threshold, &known);
    if (found < known)
        report_of(label->name,
                  "warning: at %.4g other takes find but %zu of its %zu takes: it will be missed",
                  r->threshold, found, known);
}

/* Are there places enough, and more of them than are to be let through? */
static bool is_enough(const bundle_label *label, const place_list *list, double hours,
                      double per_hour)
{
    if (list->n < TAIL_LEAST)
        report_of(
            label->name,
            "too short a background, %.3g hours: %zu place%s to judge by, at least %d are needed",
            hours, list->n, list->n == 1 ? "" : "s", TAIL_LEAST);
    else if (!(per_hour * hours < (double)list->n))
        report_of(label->name,
                  "%.3g false alarms an hour are more than there can be: %zu places in %.3g hours",
                  per_hour, list->n, hours);
    else
        return true;
    return false;
}

static bool calibrate_label(bundle_label *label, const place_list *list, tail_result *r,
                            double hours, double per_hour)
{
    if (!is_enough(label, list, hours, per_hour)) return false;
    double *scores = malloc(list->n * sizeof *scores);
    for (size_t i = 0; scores && i < list->n; i++) scores[i] = list->places[i].score;
    const bool good = scores && tail_calibrate(r, scores, list->n, hours, per_hour);
    free(scores);
    if (!good) {
        report("out of memory");
        return false;
    }
    if (!(r->fit.scale > 0)) {
        report_of(label->name,
                  "the best places of the background all score %.4g: no threshold tells them apart",
                  r->fit.u);
        return false;
    }
    if (!(r->threshold > 0)) {
        report_of(label->name, "no threshold gives as few as %.3g false alarms an hour", per_hour);
        return false;
    }
    label->has_threshold = label->is_calibrated = true;
    label->threshold = r->threshold;
    label->calibration = (bundle_calibration){.hours = hours,
                                              .per_hour = per_hour,
                                              .low = fmax(r->low, 0),
                                              .high = fmax(r->high, 0),
                                              .n_tail = (uint32_t)r->fit.k,
                                              .is_extrapolated = r->is_extrapolated};
    return true;
}

static void print_label(text_buffer *out, const bundle_label *label, const place_list *list,
                        const tail_result *r)
{
    size_t alarms = 0, known;
    for (size_t i = 0; i < list->n; i++) alarms += list->places[i].score <= r->threshold;
    const size_t found = count_found(label, r->threshold, &known);
    text_add_format(out, "%s\t%.9g\t%.4g\t%.4g\t%.3g\t%.3g\t%.4g\t%zu\t", label->name,
                    label->threshold, label->calibration.low, label->calibration.high, r->rate_low,
                    r->rate_high, r->fit.hours, alarms);
    if (known)
        text_add_format(out, "%zu/%zu\n", found, known);
    else
        text_add_string(out, "-\n");
}

static bool calibrate_all(bundle *b, const calibrate_options *c, const hearing *h, text_buffer *out)
{
    for (size_t i = 0; i < b->n_labels; i++) {
        tail_result r;
        const place_list *list = &h->labels[i];
        if (!calibrate_label(&b->labels[i], list, &r, h->hours, c->per_hour)) return false;
        warn_of_keyword(&b->labels[i], list);
        warn_of_result(&b->labels[i], &r, c->per_hour);
        print_label(out, &b->labels[i], list, &r);
    }
    return true;
}

static bool calibrate(const calibrate_options *c)
{
    hearing h = {0};
    text_buffer out = {0};
    bundle *b = bundle_load(c->bundle);
    bool good =
        b && hear(&h, b, &c->o) && calibrate_all(b, c, &h, &out) && bundle_save(b, c->output);
    if (good && (out.failed || fd_write_all(STDOUT_FILENO, out.data, out.length))) {
        report("standard output: cannot be written");
        good = false;
    }
    free(out.data);
    hearing_free(&h);
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
