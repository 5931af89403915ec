/*
 * main.c - sigrep-train: recorded takes of words into a bundle.
 *
 *     templates_load ──> takes: add, warn, print ──> average ──> NAME.sigrep
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/escape.h"
#include "tools/common/file_replace.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/arguments.h"
#include "tools/common/options/shared_options.h"
#include "tools/common/options/template_spec.h"
#include "tools/common/start.h"
#include "tools/common/templates/bundle_file.h"
#include "tools/common/templates/template_set.h"
#include "tools/sigrep-train/negatives.h"
#include "tools/sigrep-train/quiet_ends.h"

typedef struct {
    shared_options o; /* how recordings are read: the same as sigrep's */
    const char *output, *label;
    bool average;
    template_spec *negatives; /* their label is "" if none was given */
    size_t n_negatives;
    /* Without --label: directories that have no label of their own, and the one that they get. */
    size_t n_shared;
    const char *shared_label; /* borrowed */
} train_options;

static const char *set_output(void *user, const char *text)
{
    ((train_options *)user)->output = text;
    return bundle_is_named(text) ? NULL : "a bundle's name ends in .sigrep";
}

/* Labels end up on terminals and in spreadsheets. NULL: this one may; else the reason. */
static const char *check_label(const char *label)
{
    if (!*label) return "empty";
    if (escape_is_needed(label)) return "a label has no control characters, and is UTF-8";
    if (strchr("=+-@", *label)) return "a label does not begin with = + - or @";
    return NULL;
}

static const char *set_label(void *user, const char *text)
{
    ((train_options *)user)->label = text;
    return check_label(text);
}

/* One more of --not. */
static const char *set_not(void *user, const char *text)
{
    train_options *t = user;
    template_spec *grown = realloc(t->negatives, (t->n_negatives + 1) * sizeof *grown);
    if (!grown) return "out of memory";
    t->negatives = grown;
    template_spec *spec = &grown[t->n_negatives];
    const char *reason = template_spec_parse(spec, text);
    if (reason) return reason;
    t->n_negatives++;
    if (!spec->label) spec->label = strdup("");
    return spec->label ? NULL : "out of memory";
}

static const argument_row rows[] = {
    ARGUMENT('o', "output", "FILE", set_output, "the bundle NAME.sigrep; replaces an existing one"),
    ARGUMENT('l', "label", "NAME", set_label, "label of takes without one (the base name of FILE)"),
    ARGUMENT_FLAG(0, "average", train_options, average,
                  "one template for each label: the average of its\ntakes"),
    ARGUMENT(0, "not", "[LABEL=]FILE", set_not,
             "a word that sounds like it, or a false alarm: the\n"
             "threshold stays below its score; may be repeated"),
    ARGUMENT_SHARED('t', "threshold", "X",
                    "of all labels (default: none; sigrep estimates one\n"
                    "for each take, or sigrep-calibrate finds it)"),
    ARGUMENT_SHARED('g', "length", "MIN,MAX", "length of a match in template lengths (0.5,2)"),
    ARGUMENT_SHARED(0, "min-matches", "N", "takes of a label that must agree (1)"),
    ARGUMENT_SHARED('p', "front-end", "F",
                    "what is compared, as for sigrep, but by default\n"
                    "speech for audio; raw for numbers"),
    ARGUMENTS_OF_INPUT,
};

/* The base name of a bundle without ".sigrep". The caller frees it. */
static char *stem_of(const char *path)
{
    const char *base = template_base_name(path);
    return strndup(base, strlen(base) - 7);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Into the next template; its label is `stem` if it has none. NULL, or the reason for a failure. */
static const char *take_operand(train_options *t, const char *operand, const char *stem)
{
    template_spec *spec = &t->o.templates[t->o.n_templates];
    const char *reason = template_spec_parse(spec, operand);
    if (reason) return reason;
    t->o.n_templates++;
    if (bundle_is_named(spec->path)) return "a bundle, not a take";
    if (spec->label) return check_label(spec->label);
    if (check_label(stem)) return "the name of the bundle is no label: give LABEL=FILE or --label";
    spec->label = strdup(stem);
    spec->is_default_label = true;
    if (!t->label && is_directory(spec->path)) {
        t->shared_label = spec->label;
        t->n_shared++;
    }
    return spec->label ? NULL : "out of memory";
}

static arguments_status take_operands(void *user, int n, char **operands, char *error)
{
    train_options *t = user;
    if (!t->output) return arguments_bad(error, "no bundle is named: give -o NAME.sigrep");
    if (n == 0) return arguments_bad(error, "no take is named: give files of recordings");
    if (t->o.auto_threshold) return arguments_bad(error, "--threshold 'auto': not a number");
    t->o.templates = calloc((size_t)n, sizeof *t->o.templates);
    char *stem = t->label ? strdup(t->label) : stem_of(t->output);
    const char *reason = t->o.templates && stem ? NULL : "out of memory";
    for (int i = 0; i < n && !reason; i++) {
        reason = take_operand(t, operands[i], stem);
        if (reason) arguments_bad(error, "take '%.300s': %s", operands[i], reason);
    }
    free(stem);
    return reason ? ARGUMENTS_BAD : ARGUMENTS_OK;
}

static const argument_table table = {
    .program = "sigrep-train",
    .usage = "sigrep-train [OPTION]... -o NAME.sigrep TAKE...",
    .about = "Make a bundle of several recordings of a word, and print how alike they are.\n\n"
             "TAKE is [LABEL=]FILE[@START-END] (seconds), [LABEL=]FILE@TABLE[:ROW] (marks\n"
             "of Raven or Audacity), or a directory of files, as for sigrep.\n\n",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .end = "On standard output a header and a line for each take: label, name, frames,\n"
           "and the best score that another take of the label has in it.\n\n"
           "All details: man sigrep-train\n",
    .take_operands = take_operands,
};

/* Chosen on recordings: docs/lab/takes.md. */
static const double TOO_DIFFERENT = 1.35; /* times the median of the other takes' scores */
static const double TOO_LONG = 2;         /* times the median length, or its inverse */
static const double TOO_COMMON = 0.9;     /* times the median of the other takes' levels */

/* A name that may stand in a bundle, and on a terminal. The caller frees it. */
static char *name_of(const loaded_template *t)
{
    char shown[ESCAPE_SIZE];
    char *name = strdup(template_base_name(t->path));
    if (!name) return NULL;
    char *to = name;
    for (const char *from = name; *from;) {
        const size_t n = escape_next(from, shown);
        if (strlen(shown) == n)
            to = (char *)memmove(to, shown, n) + n;
        else
            *to++ = '?';
        from += n;
    }
    *to = '\0';
    return name;
}

static bool add_take(sigrep_bundle *b, const loaded_template *t)
{
    sigrep_error error;
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    if (t->own.frame_dim) {
        report_of(t->path, "a bundle, not a take");
        return false;
    }
    const char *wrong = check_label(t->label); /* a table may have any */
    if (wrong) {
        report_of(t->path, "label '%s': %s", t->label, wrong);
        return false;
    }
    const double rate_hz = t->info.rate_known ? t->info.rate_hz : 0;
    if (rate_hz > 0 && rate_hz != info.rate_hz && info.rate_hz > 0)
        report_of(t->path, "warning: its rate is %.9g Hz, but all takes are compared at %.9g Hz",
                  rate_hz, info.rate_hz);
    const sigrep_template take = {.size = sizeof take,
                                  .label = t->label,
                                  .samples = t->samples,
                                  .doubles = t->doubles,
                                  .length = t->length,
                                  .begin = t->begin,
                                  .end = t->end,
                                  .rate_hz = rate_hz};
    char *name = name_of(t);
    if (!name) return report_no_memory(t->path);
    const bool good = !sigrep_bundle_add_take(b, name, &take, &error);
    if (!good) report_of(t->path, "%s", error.text);
    free(name);
    return good;
}

/* Add every recording to the bundle. false after a failure, which is reported. */
static bool add_takes(sigrep_bundle *b, const template_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        if (!add_take(b, &set->items[i])) return false;
    return true;
}

typedef double value_of(const sigrep_bundle_take *take);

static double score_of(const sigrep_bundle_take *take)
{
    return take->peer_score;
}

static double length_of(const sigrep_bundle_take *take)
{
    return (double)take->frames->length;
}

static double level_of(const sigrep_bundle_take *take)
{
    return take->level;
}

/* The median over all takes of the label but one. 0 without memory. */
static double median_of_others(const sigrep_bundle *b, const sigrep_bundle_take *but, size_t n,
                               value_of *value)
{
    sigrep_bundle_take take = {.size = sizeof take};
    double *values = malloc(n * sizeof *values), middle = 0;
    size_t others = 0;
    for (size_t i = 0; values && !sigrep_bundle_get_take(b, i, &take); i++)
        if (take.label == but->label && take.frames != but->frames) values[others++] = value(&take);
    if (others) middle = median(values, others);
    free(values);
    return middle;
}

/* Warn of the i-th take if an earlier one of its label has the same frames. No sound comes twice
 * the same; numbers may. */
static void warn_of_copy(const sigrep_bundle *b, size_t i, const sigrep_bundle_take *take)
{
    sigrep_bundle_take other = {.size = sizeof other};
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    if (!info.is_audio) return;
    const sigrep_template *x = take->frames;
    for (size_t k = 0; k < i && !sigrep_bundle_get_take(b, k, &other); k++) {
        const sigrep_template *y = other.frames;
        if (other.label != take->label || x->length != y->length) continue;
        if (memcmp(x->samples, y->samples, x->length * x->frame_dim * sizeof *x->samples)) continue;
        report_of(take->name, "warning: the same as take '%s'; leave one out", other.name);
        return;
    }
}

static void warn_of_take(const sigrep_bundle *b, const sigrep_bundle_label *label,
                         const sigrep_bundle_take *take)
{
    const double length = length_of(take);
    const double usual = median_of_others(b, take, label->n_takes, length_of);
    if (length * TOO_LONG < usual || length > usual * TOO_LONG)
        report_of(take->name,
                  "warning: much %s than the other takes of '%s': %.9g frames, their median is "
                  "%.9g; leave it out, or record it again",
                  length < usual ? "shorter" : "longer", label->name, length, usual);
    const double level = median_of_others(b, take, label->n_takes, level_of);
    if (take->level < TOO_COMMON * level)
        report_of(take->name,
                  "warning: any speech fits it too well: its usual score in foreign speech is "
                  "%.3g, but that of the other takes of '%s' is %.3g; cut noise off its ends, or "
                  "record it again",
                  take->level, label->name, level);
    const double others = median_of_others(b, take, label->n_takes, score_of);
    if (label->n_takes > 2 && take->peer_score > TOO_DIFFERENT * others)
        report_of(
            take->name,
            "warning: too different from the other takes of '%s': their best score is %.3g in "
            "it, but %.3g among themselves; leave it out, or record it again",
            label->name, take->peer_score, others);
}

/* The i-th take and its label; false after the last. */
static bool next_take(const sigrep_bundle *b, size_t i, sigrep_bundle_take *take,
                      sigrep_bundle_label *label)
{
    take->size = sizeof *take;
    label->size = sizeof *label;
    return !sigrep_bundle_get_take(b, i, take) && !sigrep_bundle_get_label(b, take->label, label);
}

/* Warn of a take that is a copy of another of its label, much shorter or longer than the others,
 * too different from them, or too well fitted by any speech. */
static void warn_of_takes(const sigrep_bundle *b)
{
    sigrep_bundle_take take;
    sigrep_bundle_label label;
    for (size_t i = 0; next_take(b, i, &take, &label); i++)
        if (label.n_takes > 1) {
            warn_of_copy(b, i, &take);
            warn_of_take(b, &label, &take);
        }
}

/* Print a line for each take: label, name, frames, and the best score of another take in it ("-":
 * it is alone), separated by tabs. false after a failure, which is reported. */
static bool print_takes(const sigrep_bundle *b)
{
    text_buffer out = {0};
    text_add_string(&out, "label\ttake\tframes\tscore\n");
    sigrep_bundle_take take;
    sigrep_bundle_label label;
    for (size_t i = 0; next_take(b, i, &take, &label); i++) {
        text_add_escaped(&out, label.name);
        text_add_string(&out, "\t");
        text_add_escaped(&out, take.name);
        text_add_format(&out, "\t%llu\t", (unsigned long long)take.frames->length);
        if (take.peer_score >= 0)
            text_add_score(&out, take.peer_score);
        else
            text_add_string(&out, "-");
        text_add_string(&out, "\n");
    }
    return print_text(&out);
}

static bool set_label_values(sigrep_bundle *b, size_t i, const train_options *t)
{
    sigrep_error error;
    sigrep_bundle_label label = {.size = sizeof label};
    (void)sigrep_bundle_get_label(b, i, &label); /* there is one */
    label.has_threshold = t->o.has_threshold;
    label.threshold = t->o.threshold;
    label.length_min = t->o.length_min;
    label.length_max = t->o.length_max;
    label.min_matches = (size_t)t->o.min_matches;
    if (label.min_matches > label.n_takes)
        report("--min-matches %zu: '%s' has only %zu template%s", label.min_matches, label.name,
               label.n_takes, label.n_takes == 1 ? "" : "s");
    else if (sigrep_bundle_set_label(b, i, &label, &error))
        report_of(label.name, "%s", error.text);
    else
        return true;
    return false;
}

static bool set_labels(sigrep_bundle *b, const train_options *t)
{
    sigrep_bundle_info info = {.size = sizeof info};
    sigrep_bundle_get_info(b, &info);
    for (size_t i = 0; i < info.n_labels; i++)
        if (!set_label_values(b, i, t)) return false;
    return true;
}

static bool apply_negatives(sigrep_bundle *b, const template_set *set, const train_options *t)
{
    shared_options o = t->o;
    if (!t->n_negatives) return true;
    o.templates = t->negatives;
    o.n_templates = t->n_negatives;
    return negatives_apply(b, &o, set);
}

static bool fill(sigrep_bundle *b, const template_set *set, const train_options *t)
{
    if (!add_takes(b, set)) return false;
    quiet_ends_warn(set);
    warn_of_takes(b);
    if (!print_takes(b)) return false;
    if (t->average && sigrep_bundle_average(b)) return report_no_memory(NULL);
    return set_labels(b, t) && apply_negatives(b, set, t) && bundle_save(b, t->output, false);
}

/* Bundled sounds are words, mostly. Another front end than sigrep's own default suits them
 * (docs/lab/speech.md). */
static void choose_front_end(template_set *set, const train_options *t)
{
    if (!t->o.front_end && set->items[0].info.audio) set->front_end = "speech";
}

/* NULL after a failure, which is reported. */
static sigrep_bundle *make_bundle(const template_set *set)
{
    sigrep_bundle *b;
    sigrep_error error;
    const sigrep_bundle_info info = {.size = sizeof info,
                                     .front_end = set->front_end,
                                     .rate_hz = set->rate_known ? set->rate_hz : 0,
                                     .channels = set->channels,
                                     .is_audio = set->items[0].info.audio};
    if (sigrep_bundle_create(&b, &info, &error))
        report("--front-end '%s': %s%s", set->front_end, error.text,
               !set->rate_known && templates_fit_some_rate(set) ? "; give the rate with --rate"
                                                                : "");
    return b;
}

/* A directory of takes is of one word, mostly. */
static void warn_of_shared_label(const train_options *t)
{
    if (t->n_shared < 2) return;
    report("warning: the takes of %zu directories have one label, '%s'; LABEL=DIRECTORY gives them "
           "others, --label confirms one",
           t->n_shared, t->shared_label);
}

/* Returns the exit status. */
static int train(const train_options *t)
{
    template_set set = {0};
    sigrep_bundle *b = NULL;
    warn_of_shared_label(t);
    if (file_may_be_replaced(t->output, "bundle", false) && templates_load(&set, &t->o)) {
        choose_front_end(&set, t);
        b = make_bundle(&set);
    }
    const bool good = b && fill(b, &set, t);
    sigrep_bundle_destroy(b);
    templates_free(&set);
    return good ? 0 : EXIT_ERROR;
}

int main(int argc, char **argv)
{
    char error[ARGUMENTS_ERROR_SIZE];
    train_options t = {.o = shared_options_defaults()};
    t.o.source.is_take = true;
    start_program();
    const arguments_status parsed = arguments_parse(&table, &t, argc, argv, error);
    const int status = parsed ? arguments_answer(&table, parsed, error) : train(&t);
    for (size_t i = 0; i < t.n_negatives; i++) template_spec_free(&t.negatives[i]);
    free(t.negatives);
    shared_options_free(&t.o);
    return status;
}
