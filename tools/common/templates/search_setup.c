#include "tools/common/templates/search_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/spool.h"
#include "tools/common/messages/messages.h"

/* `mfcc` looks at frequencies up to 6500 Hz: this rate holds them all. */
static const double MFCC_RATE_HZ = 13000;

/* The speech embedding looks at frequencies up to 3800 Hz: this rate holds them all. */
static const double EMBEDDING_RATE_HZ = 7600;

/* `voices` or `words`, if one of them is the last step; else NULL. */
static const char *embedding_of(const char *front_end)
{
    const char *plus = strrchr(front_end, '+'), *last = plus ? plus + 1 : front_end;
    return strcmp(last, "voices") == 0 || strcmp(last, "words") == 0 ? last : NULL;
}

/* The lowest rate that a front end resamples to; INFINITY if it does not. */
static double lowest_resample(const char *front_end)
{
    double lowest = INFINITY;
    for (const char *at = front_end; (at = strstr(at, "resample=")); at++)
        lowest = fmin(lowest, strtod(at + strlen("resample="), NULL));
    return lowest;
}

/* Does the input lack bands that the templates' `mfcc` looks at? */
static bool lacks_bands(const search_subject *s)
{
    const template_set *set = s->set;
    const bool is_low = set->rate_known && s->rate_hz < set->rate_hz && s->rate_hz < MFCC_RATE_HZ;
    return is_low && strcmp(set->front_end, "mfcc") == 0;
}

/* Where `mfcc` is the default, that is the input's rate if it is lower: bands that the input cannot
 * hold would keep all templates from matching. */
double search_common_rate(const search_subject *s)
{
    if (!s->set->rate_known) return 0;
    const bool is_default = !s->o->front_end && !s->set->bundle;
    return is_default && lacks_bands(s) ? s->rate_hz : s->set->rate_hz;
}

/* Input and templates are compared at the templates' rate, so the lower rate of both counts, or
 * what both are resampled to. */
static void warn_of_low_embedding(const search_subject *s)
{
    const template_set *set = s->set;
    const char *embedding = embedding_of(set->front_end);
    const bool by_templates = set->rate_known && set->rate_hz < s->rate_hz;
    const double own_hz = by_templates ? set->rate_hz : s->rate_hz;
    const double rate_hz = fmin(own_hz, lowest_resample(set->front_end));
    if (!embedding || rate_hz >= EMBEDDING_RATE_HZ) return;
    const bool by_resample = rate_hz < own_hz;
    report_of(s->name,
              "warning: %s%.9g Hz hold nothing above %.9g Hz, but %s looks up to 3800 Hz: words "
              "are found badly; use %s",
              by_resample    ? "resampled, "
              : by_templates ? "templates of "
                             : "",
              rate_hz, rate_hz / 2, embedding,
              by_resample ? "resample=8000" : "recordings of 8000 Hz or more");
}

void search_warn_of_low_rate(const search_subject *s)
{
    const double rate_hz = s->rate_hz, wanted_hz = s->set->rate_hz;
    warn_of_low_embedding(s);
    if (!lacks_bands(s)) return;
    if (search_common_rate(s) == rate_hz)
        report_of(s->name,
                  "warning: %.9g Hz hold nothing above %.9g Hz, so templates of %.9g Hz are "
                  "compared as by --front-end resample=%.9g+mfcc",
                  rate_hz, rate_hz / 2, wanted_hz, rate_hz);
    else
        report_of(s->name,
                  "warning: %.9g Hz hold nothing above %.9g Hz, but mfcc compares templates of "
                  "%.9g Hz there, too: matches may be missed; use %s--front-end "
                  "resample=%.9g+mfcc",
                  rate_hz, rate_hz / 2, wanted_hz, s->set->bundle ? "sigrep-train " : "", rate_hz);
}

static sigrep_template from_file(const loaded_template *t, const shared_options *o)
{
    return (sigrep_template){.size = sizeof(sigrep_template),
                             .length = t->length,
                             .begin = t->begin,
                             .end = t->end,
                             .threshold = o->threshold,
                             .auto_threshold = o->auto_threshold,
                             .rate_hz = t->info.rate_known ? t->info.rate_hz : 0};
}

/* What the options name, of threshold, gate and agreement, takes the place of the bundle's. */
static sigrep_template from_bundle(const loaded_template *t, const shared_options *o,
                                   bool own_thresholds)
{
    sigrep_template x = t->own;
    if (!own_thresholds) {
        x.threshold = o->auto_threshold ? t->ceiling : o->threshold;
        x.auto_threshold = o->auto_threshold;
    }
    if (o->has_length) x.length_min = x.length_max = 0;
    if (o->has_min_matches) x.min_matches = 0;
    return x;
}

/* NULL without memory. */
static sigrep_template *make_templates(const search_subject *s)
{
    const template_set *set = s->set;
    sigrep_template *templates = calloc(set->n, sizeof *templates);
    for (size_t i = 0; templates && i < set->n; i++) {
        const loaded_template *t = &set->items[i];
        templates[i] =
            t->own.frame_dim ? from_bundle(t, s->o, s->own_thresholds) : from_file(t, s->o);
        templates[i].label = t->label;
        templates[i].samples = t->samples;
        templates[i].doubles = t->doubles;
    }
    return templates;
}

sigrep_status search_make(sigrep **search, sigrep_config *config, const search_subject *s,
                          spool *store, sigrep_error *error)
{
    sigrep_template *templates = make_templates(s);
    if (!templates) {
        *error = (sigrep_error){.template_index = SIZE_MAX, .text = "out of memory"};
        return SIGREP_NO_MEMORY;
    }
    const sigrep_store frames = store ? spool_as_store(store) : (sigrep_store){0};
    config->store = store ? &frames : NULL;
    config->templates = templates;
    config->n_templates = s->set->n;
    config->channels = s->set->channels;
    config->rate_hz = s->rate_hz;
    config->template_rate_hz = search_common_rate(s);
    config->front_end = s->set->front_end;
    config->length_min = s->o->length_min;
    config->length_max = s->o->length_max;
    config->min_matches = (size_t)s->o->min_matches;
    const sigrep_status status = sigrep_create(search, config, error);
    free(templates);
    return status;
}

/* A front end that does not fit: who chose it, and what to do. */
static void report_front_end(const search_subject *s, const char *reason)
{
    const char *given = s->o->front_end;
    const bool rate_would_do = s->name && !s->rate_known && templates_fit_some_rate(s->set);
    if (given)
        report_of(s->name, "--front-end '%.400s': %s%s", given, reason,
                  rate_would_do ? "; give the rate with --rate" : "");
    else
        report_of(s->name,
                  "front end '%s', the default for audio: %s; give another with --front-end",
                  s->set->front_end, reason);
}

bool search_raises_rate(const search_subject *s)
{
    if (s->rate_known) return false;
    for (const char *at = s->set->front_end; (at = strstr(at, "resample=")); at++) {
        if (strtod(at + strlen("resample="), NULL) <= 1) continue;
        report_front_end(s, "no rate is known, so 1 Hz is taken, and this would only add samples");
        return true;
    }
    return false;
}

void search_report_failure(const search_subject *s, sigrep_status status, const sigrep_error *error)
{
    if (error->template_index < s->set->n)
        report_of(s->set->items[error->template_index].path, "%s%s", error->text,
                  status == SIGREP_NO_THRESHOLD ? "; give one with --threshold" : "");
    else if (status == SIGREP_BAD_FRONT_END)
        report_front_end(s, error->text);
    else
        report_of(s->name, "%s", error->text);
}

sigrep *search_open(sigrep_config *config, const search_subject *s, spool *store)
{
    sigrep *search = NULL;
    sigrep_error error;
    if (search_raises_rate(s)) return NULL;
    const sigrep_status status = search_make(&search, config, s, store, &error);
    if (status) {
        search_report_failure(s, status, &error);
        return NULL;
    }
    if (error.text[0]) report("%s", error.text);
    search_warn_of_low_rate(s);
    return search;
}

const char *search_failure(sigrep_status status, const spool *store)
{
    const bool by_store = status == SIGREP_STORE_FAILED && store && *spool_error(store);
    return by_store ? spool_error(store) : sigrep_status_text(status);
}
