/* access.c - what callers of sigrep.h see of a bundle, and what they may set. */
#include <math.h>
#include <string.h>

#include "filter/bundle/bundle.h"
#include "filter/sized.h"
#include "filter/status.h"

void sigrep_bundle_get_info(const bundle *b, sigrep_bundle_info *info)
{
    const sigrep_bundle_info own = {.front_end = b->front_end,
                                    .rate_hz = b->rate_hz,
                                    .channels = b->channels,
                                    .is_audio = b->is_audio,
                                    .frame_dim = b->dim,
                                    .hop = b->print.hop,
                                    .n_labels = b->n_labels,
                                    .n_takes = b->n_templates};
    sized_copy(info, &own, info->size, sizeof own);
}

sigrep_status sigrep_bundle_get_label(const bundle *b, size_t i, sigrep_bundle_label *label)
{
    if (i >= b->n_labels) return SIGREP_BAD_CONFIG;
    const bundle_label *from = &b->labels[i];
    const bundle_calibration *c = &from->calibration;
    sigrep_bundle_label own = {.has_threshold = from->has_threshold,
                               .threshold = from->threshold,
                               .length_min = from->length_min,
                               .length_max = from->length_max,
                               .min_matches = from->min_matches,
                               .name = from->name,
                               .n_takes = from->n_takes};
    if (from->is_calibrated) {
        own.hours = c->hours;
        own.per_hour = c->per_hour;
        own.low = c->low;
        own.high = c->high;
        own.is_extrapolated = c->is_extrapolated;
    }
    sized_copy(label, &own, label->size, sizeof own);
    return SIGREP_OK;
}

static sigrep_status check_label(const sigrep_bundle_label *given, size_t n_takes,
                                 sigrep_error *error)
{
    if (given->has_threshold && !(isfinite(given->threshold) && given->threshold >= 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "threshold: %g, not a number from 0 up",
                           given->threshold);
    if (!(0 <= given->length_min && given->length_min <= given->length_max &&
          0 < given->length_max && given->length_max <= BUNDLE_MAX_GATE))
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "length gate: %g to %g, not 0 <= MIN <= MAX <= %d, MAX above 0",
                           given->length_min, given->length_max, BUNDLE_MAX_GATE);
    if (given->min_matches < 1 || given->min_matches > n_takes)
        return status_fail(error, SIGREP_BAD_CONFIG, "min_matches: %zu, not 1 to %zu, its takes",
                           given->min_matches, n_takes);
    return SIGREP_OK;
}

sigrep_status sigrep_bundle_set_label(bundle *b, size_t i, const sigrep_bundle_label *label,
                                      sigrep_error *error)
{
    sigrep_bundle_label given = {.size = sizeof given};
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    if (sigrep_bundle_get_label(b, i, &given))
        return status_fail(error, SIGREP_BAD_CONFIG, "no label %zu: the bundle has %zu", i,
                           b->n_labels);
    sized_copy(&given, label, label->size, sizeof given);
    bundle_label *own = &b->labels[i];
    const sigrep_status status = check_label(&given, own->n_takes, error);
    if (status) return status;
    own->has_threshold = given.has_threshold;
    own->threshold = given.has_threshold ? given.threshold + 0.0 : 0; /* no -0 */
    own->length_min = given.length_min + 0.0;
    own->length_max = given.length_max;
    own->min_matches = given.min_matches;
    own->is_calibrated = false;
    if (!bundle_list_templates(b)) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
}

sigrep_status sigrep_bundle_get_take(const bundle *b, size_t i, sigrep_bundle_take *take)
{
    size_t label = 0, k = i;
    while (label < b->n_labels && k >= b->labels[label].n_takes) k -= b->labels[label++].n_takes;
    if (label == b->n_labels) return SIGREP_BAD_CONFIG;
    const bundle_take *from = &b->labels[label].takes[k];
    const sigrep_bundle_take own = {.name = from->name,
                                    .label = label,
                                    .peer_score = from->peer_score,
                                    .frames = &b->templates[i],
                                    .level = from->level};
    sized_copy(take, &own, take->size, sizeof own);
    return SIGREP_OK;
}

void sigrep_bundle_configure(const bundle *b, sigrep_config *config)
{
    config->front_end = b->front_end;
    config->channels = b->channels;
    config->template_rate_hz = b->rate_hz;
    config->templates = b->templates;
    config->n_templates = b->n_templates;
}
