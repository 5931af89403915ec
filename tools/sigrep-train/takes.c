#include "tools/sigrep-train/takes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/cli/common/messages.h"
#include "filter/cli/common/template_spec.h"
#include "filter/session/template.h"
#include "io/fdio.h"
#include "io/text_buffer.h"
#include "tools/ascending.h"
#include "tools/sigrep-train/average.h"

/* Chosen on recordings: docs/lab/takes.md. */
static const double TOO_DIFFERENT = 1.35; /* times the median of the other takes' scores */
static const double TOO_LONG = 2;         /* times the median length, or one part in so many */

static bool out_of_memory(void)
{
    report("out of memory");
    return false;
}

/* A name that may stand in a bundle, and on a terminal. The caller frees it. */
static char *name_of(const loaded_template *t)
{
    char *name = strdup(template_base_name(t->path));
    for (char *c = name; c && *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    return name;
}

/* As a searcher would make it: at the bundle's rate, by its front end. */
static sigrep_status make_frames(template *x, const bundle *b, const loaded_template *t,
                                 sigrep_error *error)
{
    const double rate_hz = t->info.rate_known ? t->info.rate_hz : b->rate_hz > 0 ? b->rate_hz : 1;
    const size_t size = strlen(b->front_end) + 64;
    char *spec = malloc(size);
    if (!spec) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    if (b->rate_hz > 0 && rate_hz != b->rate_hz)
        snprintf(spec, size, "resample=%.17g+%s", b->rate_hz, b->front_end);
    else
        snprintf(spec, size, "%s", b->front_end);
    const sigrep_template given = {
        .samples = t->samples, .length = t->length, .begin = t->begin, .end = t->end};
    const template_rules rules = {.front_end = spec,
                                  .samples = {b->channels, rate_hz},
                                  .length_min = 0.5,
                                  .length_max = 2,
                                  .best = true};
    const sigrep_status status = template_create(x, &given, &rules, error);
    free(spec);
    return status;
}

static bool add_take(bundle *b, const loaded_template *t)
{
    template x;
    sigrep_error error = {.text = "out of memory"};
    if (t->own.frame_dim) {
        report_of(t->path, "a bundle, not a take");
        return false;
    }
    if (!bundle_is_name(t->label)) {
        report_of(t->path, "the label '%s' is too long, or has control characters", t->label);
        return false;
    }
    if (t->info.rate_known && t->info.rate_hz != b->rate_hz && b->rate_hz > 0)
        report_of(t->path, "warning: of another rate, %.9g Hz; all are compared at %.9g Hz",
                  t->info.rate_hz, b->rate_hz);
    if (make_frames(&x, b, t, &error)) {
        report_of(t->path, "%s", error.text);
        return false;
    }
    char *name = name_of(t);
    bundle_label *label = bundle_label_of(b, t->label);
    const bool good = name && label && !bundle_add_take(b, label, name, x.frames, x.length);
    free(name);
    template_free(&x);
    return good || out_of_memory();
}

bool takes_add(bundle *b, const template_set *set)
{
    for (size_t i = 0; i < set->n; i++)
        if (!add_take(b, &set->items[i])) return false;
    return true;
}

static warp_sequence sequence_of(const bundle_take *take)
{
    return (warp_sequence){take->frames, take->length};
}

/* The best score of any other take in take i. */
static bool compare_take(const bundle *b, bundle_label *label, size_t i)
{
    bundle_take *take = &label->takes[i];
    for (size_t k = 0; k < label->n_takes; k++) {
        if (k == i) continue;
        const double score =
            warp_best_score(sequence_of(&label->takes[k]), sequence_of(take), b->dim);
        if (score < 0) return false;
        if (take->others < 0 || score < take->others) take->others = score;
    }
    return true;
}

bool takes_compare(bundle *b)
{
    for (size_t i = 0; i < b->n_labels; i++)
        for (size_t k = 0; k < b->labels[i].n_takes; k++)
            if (!compare_take(b, &b->labels[i], k)) return out_of_memory();
    return true;
}

typedef double value_of(const bundle_take *take);

static double score_of(const bundle_take *take)
{
    return take->others;
}

static double length_of(const bundle_take *take)
{
    return (double)take->length;
}

/* The median over all takes but one. 0 without memory. */
static double median_of_others(const bundle_label *label, size_t but, value_of *value)
{
    const size_t n = label->n_takes - 1;
    double *values = malloc(n * sizeof *values);
    if (!values) return 0;
    for (size_t i = 0, k = 0; i <= n; i++)
        if (i != but) values[k++] = value(&label->takes[i]);
    const double middle = median(values, n);
    free(values);
    return middle;
}

static void warn_of_take(const bundle_label *label, size_t i)
{
    const bundle_take *take = &label->takes[i];
    const double length = length_of(take), usual = median_of_others(label, i, length_of);
    if (length * TOO_LONG < usual || length > usual * TOO_LONG)
        report_of(take->name,
                  "warning: much %s than the others of '%s': %zu frames, half of them "
                  "have %.9g or more",
                  length < usual ? "shorter" : "longer", label->name, take->length, usual);
    const double others = median_of_others(label, i, score_of);
    if (label->n_takes > 2 && take->others > TOO_DIFFERENT * others)
        report_of(take->name,
                  "warning: too different from the others of '%s': the best of them "
                  "scores %.3g in it, among themselves %.3g",
                  label->name, take->others, others);
}

void takes_warn(const bundle *b)
{
    for (size_t i = 0; i < b->n_labels; i++)
        for (size_t k = 0; k < b->labels[i].n_takes && b->labels[i].n_takes > 1; k++)
            warn_of_take(&b->labels[i], k);
}

bool takes_print(const bundle *b)
{
    text_buffer out = {0};
    for (size_t i = 0; i < b->n_labels; i++) {
        const bundle_label *label = &b->labels[i];
        for (size_t k = 0; k < label->n_takes; k++) {
            const bundle_take *take = &label->takes[k];
            text_add_format(&out, "%s\t%s\t%zu\t", label->name, take->name, take->length);
            if (take->others >= 0)
                text_add_format(&out, "%.4g\n", take->others);
            else
                text_add_string(&out, "-\n");
        }
    }
    const bool good = !out.failed && !fd_write_all(STDOUT_FILENO, out.data, out.length);
    if (!good) report("standard output: cannot be written");
    free(out.data);
    return good;
}

/* How good the average is in its own takes: the mean. Negative without memory. */
static double score_in_takes(const bundle *b, const bundle_label *label, warp_sequence average)
{
    double sum = 0;
    for (size_t i = 0; i < label->n_takes; i++) {
        const double score = warp_best_score(average, sequence_of(&label->takes[i]), b->dim);
        if (score < 0) return score;
        sum += score;
    }
    return sum / (double)label->n_takes;
}

static bool average_label(bundle *b, bundle_label *label)
{
    const size_t n = label->n_takes;
    size_t length = 0;
    if (n < 2) return true;
    warp_sequence *takes = malloc(n * sizeof *takes);
    for (size_t i = 0; takes && i < n; i++) takes[i] = sequence_of(&label->takes[i]);
    float *frames = takes ? average_make(takes, n, b->dim, &length) : NULL;
    const double score = frames ? score_in_takes(b, label, (warp_sequence){frames, length}) : -1;
    char name[64];
    snprintf(name, sizeof name, "average of %zu", n);
    const bool good = score >= 0 && !bundle_add_take(b, label, name, frames, length);
    free(frames);
    free(takes);
    if (!good) return out_of_memory();
    label->takes[n].others = score;
    for (size_t i = 0; i < n; i++) {
        free(label->takes[i].name);
        free(label->takes[i].frames);
    }
    label->takes[0] = label->takes[n];
    label->n_takes = 1;
    return true;
}

bool takes_average(bundle *b)
{
    for (size_t i = 0; i < b->n_labels; i++)
        if (!average_label(b, &b->labels[i])) return false;
    return true;
}
