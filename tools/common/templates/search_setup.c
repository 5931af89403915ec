#include "tools/common/templates/search_setup.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/messages/messages.h"
#include "tools/common/templates/templates.h"

/* `mfcc` looks at frequencies up to 6500 Hz: this rate holds them all. */
static const double MFCC_RATE_HZ = 13000;

/* Does the input lack bands that the templates' `mfcc` looks at? */
static bool lacks_bands(const template_set *set, double rate_hz)
{
    const bool is_low = set->rate_known && rate_hz < set->rate_hz && rate_hz < MFCC_RATE_HZ;
    return is_low && strcmp(set->front_end, "mfcc") == 0;
}

/* Where `mfcc` is the default, that is the input's rate if it is lower: bands that the input cannot
 * hold would keep all templates from matching. */
double search_common_rate(const template_set *set, const shared_options *o, double rate_hz)
{
    if (!set->rate_known) return 0;
    const bool is_default = !o->front_end && !set->bundle;
    return is_default && lacks_bands(set, rate_hz) ? rate_hz : set->rate_hz;
}

void search_warn_of_low_rate(const char *name, const template_set *set, const shared_options *o,
                             double rate_hz)
{
    if (!lacks_bands(set, rate_hz)) return;
    if (search_common_rate(set, o, rate_hz) == rate_hz)
        report_of(name,
                  "warning: %.9g Hz hold nothing above %.9g Hz, so templates of %.9g Hz are "
                  "compared as by --front-end resample=%.9g+mfcc",
                  rate_hz, rate_hz / 2, set->rate_hz, rate_hz);
    else
        report_of(name,
                  "warning: %.9g Hz hold nothing above %.9g Hz, but mfcc compares templates of "
                  "%.9g Hz there, too: matches may be missed; use %s--front-end "
                  "resample=%.9g+mfcc",
                  rate_hz, rate_hz / 2, set->rate_hz, set->bundle ? "sigrep-train " : "", rate_hz);
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
        x.threshold = o->threshold;
        x.auto_threshold = o->auto_threshold;
    }
    if (o->has_length) x.length_min = x.length_max = 0;
    if (o->has_min_matches) x.min_matches = 0;
    return x;
}

sigrep_template *search_setup(sigrep_config *config, const template_set *set,
                              const shared_options *o, bool own_thresholds, double rate_hz)
{
    sigrep_template *templates = calloc(set->n, sizeof *templates);
    if (!templates) return NULL;
    for (size_t i = 0; i < set->n; i++) {
        const loaded_template *t = &set->items[i];
        templates[i] = t->own.frame_dim ? from_bundle(t, o, own_thresholds) : from_file(t, o);
        templates[i].label = t->label;
        templates[i].samples = t->samples;
    }
    sigrep_config_init(config, sizeof *config);
    config->templates = templates;
    config->n_templates = set->n;
    config->channels = set->channels;
    config->rate_hz = rate_hz;
    config->template_rate_hz = search_common_rate(set, o, rate_hz);
    config->front_end = set->front_end;
    config->length_min = o->length_min;
    config->length_max = o->length_max;
    config->min_matches = (size_t)o->min_matches;
    return templates;
}

/* A front end that does not fit: who chose it, and what to do. */
static void report_front_end(const char *name, bool rate_known, const template_set *set,
                             const shared_options *o, const char *reason)
{
    const char *given = o->front_end;
    const bool rate_would_do = name && !rate_known && templates_fit_some_rate(set);
    if (given)
        report_of(name, "--front-end '%.400s': %s%s", given, reason,
                  rate_would_do ? "; give the rate with --rate" : "");
    else
        report_of(name, "front end '%s', the default for audio: %s; give another with --front-end",
                  set->front_end, reason);
}

bool search_raises_rate(const char *name, const template_set *set, const shared_options *o)
{
    for (const char *at = set->front_end; (at = strstr(at, "resample=")); at++) {
        if (strtod(at + strlen("resample="), NULL) <= 1) continue;
        report_front_end(name, false, set, o,
                         "no rate is known, so 1 Hz is taken, and this would only add samples");
        return true;
    }
    return false;
}

void search_report_failure(const char *name, bool rate_known, const template_set *set,
                           const shared_options *o, sigrep_status status, const sigrep_error *error)
{
    if (error->template_index < set->n)
        report_of(set->items[error->template_index].path, "%s%s", error->text,
                  status == SIGREP_NO_THRESHOLD ? "; give one with --threshold" : "");
    else if (status == SIGREP_BAD_FRONT_END)
        report_front_end(name, rate_known, set, o, error->text);
    else
        report_of(name, "%s", error->text);
}
