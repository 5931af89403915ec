#include "tools/sigrep-train/takes.h"

#include <stdlib.h>
#include <string.h>

#include "io/escape.h"
#include "tools/common/median.h"
#include "tools/common/messages/messages.h"
#include "tools/common/options/template_spec.h"

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
    const double rate_hz = t->info.rate_known ? t->info.rate_hz : 0;
    if (rate_hz > 0 && rate_hz != info.rate_hz && info.rate_hz > 0)
        report_of(t->path, "warning: its rate is %.9g Hz, but all takes are compared at %.9g Hz",
                  rate_hz, info.rate_hz);
    const sigrep_template take = {.label = t->label,
                                  .samples = t->samples,
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

bool takes_add(sigrep_bundle *b, const template_set *set)
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

void takes_warn(const sigrep_bundle *b)
{
    sigrep_bundle_take take;
    sigrep_bundle_label label;
    for (size_t i = 0; next_take(b, i, &take, &label); i++)
        if (label.n_takes > 1) warn_of_take(b, &label, &take);
}

bool takes_print(const sigrep_bundle *b)
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
            text_add_format(&out, "%.4g\n", take.peer_score);
        else
            text_add_string(&out, "-\n");
    }
    return print_text(&out);
}
