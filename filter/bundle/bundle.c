#include "filter/bundle/bundle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/sized.h"
#include "filter/status.h"
#include "kernels/float_env.h"

/* No rate is known, so the fingerprint must be the same at any rate. */
static sigrep_status check_any_rate(const bundle *b, sigrep_error *error)
{
    fingerprint other;
    const sigrep_status status = fingerprint_create(&other, b->front_end, 7, b->channels, error);
    if (status == SIGREP_NO_MEMORY) return status;
    const bool same = !status && other.memory == b->print.memory && other.hop == b->print.hop &&
                      fingerprints_agree(&other, &b->print);
    free(other.frames);
    if (same) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_FRONT_END, "it depends on the rate, and none is known");
}

static sigrep_status check_info(const sigrep_bundle_info *info, sigrep_error *error)
{
    if (info->channels < 1 || info->channels > BUNDLE_MAX_CHANNELS)
        return status_fail(error, SIGREP_BAD_CONFIG, "%zu channels; a bundle has 1 to %d",
                           info->channels, BUNDLE_MAX_CHANNELS);
    if (info->rate_hz == 0 ||
        (info->rate_hz >= BUNDLE_MIN_RATE && info->rate_hz <= BUNDLE_MAX_RATE))
        return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_CONFIG, "%g Hz; a bundle has from %g to %g, or none",
                       info->rate_hz, BUNDLE_MIN_RATE, BUNDLE_MAX_RATE);
}

/* Fill in an empty bundle. */
static sigrep_status set_up(bundle *b, const sigrep_bundle_info *info, sigrep_error *error)
{
    *b = (bundle){.front_end = strdup(info->front_end ? info->front_end : "raw"),
                  .rate_hz = info->rate_hz,
                  .channels = info->channels,
                  .is_audio = info->is_audio};
    if (!b->front_end || bundle_list_templates(b))
        return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    const sigrep_status status = fingerprint_create(
        &b->print, b->front_end, b->rate_hz > 0 ? b->rate_hz : 1, b->channels, error);
    if (status) return status;
    if (b->print.last_stage->band)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "no bundle holds takes for %s: give the recordings to the search",
                           b->print.last_stage->name);
    b->dim = b->print.dim;
    return b->rate_hz > 0 ? SIGREP_OK : check_any_rate(b, error);
}

sigrep_status sigrep_bundle_create(bundle **out, const sigrep_bundle_info *info,
                                   sigrep_error *error)
{
    sigrep_bundle_info given = {.channels = 1};
    *out = NULL;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    sized_copy(&given, info, info->size, sizeof given);
    sigrep_status status = check_info(&given, error);
    if (status) return status;
    bundle *b = calloc(1, sizeof *b);
    if (!b) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    const float_env before = float_env_enter();
    status = set_up(b, &given, error);
    float_env_leave(before);
    if (status)
        sigrep_bundle_destroy(b);
    else
        *out = b;
    return status;
}

bool bundle_is_name(const char *text)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127) return false;
    return n > 0 && n <= BUNDLE_MAX_NAME;
}

void bundle_free_take(bundle_take *take)
{
    free(take->name);
    free(take->frames);
}

static void free_label(bundle_label *label)
{
    for (size_t i = 0; i < label->n_takes; i++) bundle_free_take(&label->takes[i]);
    free(label->takes);
    free(label->name);
}

void sigrep_bundle_destroy(bundle *b)
{
    if (!b) return;
    for (size_t i = 0; i < b->n_labels; i++) free_label(&b->labels[i]);
    free(b->labels);
    free(b->templates);
    free(b->bytes);
    background_destroy(b->background);
    free(b->print.frames);
    free(b->front_end);
    free(b);
}

bundle_label *bundle_label_of(bundle *b, const char *name)
{
    for (size_t i = 0; i < b->n_labels; i++)
        if (strcmp(b->labels[i].name, name) == 0) return &b->labels[i];
    bundle_label *labels = realloc(b->labels, (b->n_labels + 1) * sizeof *labels);
    if (!labels) return NULL;
    b->labels = labels;
    bundle_label *label = &labels[b->n_labels];
    *label =
        (bundle_label){.name = strdup(name), .length_min = 0.5, .length_max = 2, .min_matches = 1};
    if (!label->name) return NULL;
    b->n_labels++;
    return label;
}

sigrep_status bundle_add_frames(bundle *b, bundle_label *label, const char *name,
                                const float *frames, size_t length)
{
    bundle_take *takes = realloc(label->takes, (label->n_takes + 1) * sizeof *takes);
    if (!takes) return SIGREP_NO_MEMORY;
    label->takes = takes;
    const size_t size = length * b->dim * sizeof *frames;
    bundle_take take = {.name = strdup(name), .length = length, .weight = 1, .peer_score = -1};
    take.frames = malloc(size);
    if (!take.name || !take.frames) {
        bundle_free_take(&take);
        return SIGREP_NO_MEMORY;
    }
    memcpy(take.frames, frames, size);
    takes[label->n_takes++] = take;
    return SIGREP_OK;
}

sigrep_status bundle_list_templates(bundle *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_labels; i++) n += b->labels[i].n_takes;
    sigrep_template *templates = calloc(n ? n : 1, sizeof *templates);
    if (!templates) return SIGREP_NO_MEMORY;
    free(b->templates);
    b->templates = templates;
    b->n_templates = n;
    for (size_t i = 0; i < b->n_labels; i++) {
        const bundle_label *label = &b->labels[i];
        for (size_t k = 0; k < label->n_takes; k++) {
            const bundle_take *take = &label->takes[k];
            const double most = label->has_threshold ? label->threshold : label->ceiling;
            *templates++ = (sigrep_template){.size = sizeof(sigrep_template),
                                             .label = label->name,
                                             .samples = take->frames,
                                             .length = take->length,
                                             .threshold = most * take->weight,
                                             .auto_threshold = !label->has_threshold,
                                             .frame_dim = b->dim,
                                             .length_min = label->length_min,
                                             .length_max = label->length_max,
                                             .min_matches = label->min_matches,
                                             .level = take->level};
        }
    }
    return SIGREP_OK;
}

/* ---- what callers of sigrep.h see of a bundle, and what they may set ---- */

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
                               .n_takes = from->n_takes,
                               .ceiling = from->ceiling};
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
    if (!(isfinite(given->ceiling) && given->ceiling >= 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "ceiling: %g, not a number from 0 up",
                           given->ceiling);
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

static sigrep_status set_label(bundle *b, size_t i, const sigrep_bundle_label *label,
                               sigrep_error *error)
{
    sigrep_bundle_label given = {.size = sizeof given};
    if (sigrep_bundle_get_label(b, i, &given))
        return status_fail(error, SIGREP_BAD_CONFIG, "no label %zu: the bundle has %zu", i,
                           b->n_labels);
    sized_copy(&given, label, label->size, sizeof given);
    bundle_label *own = &b->labels[i];
    const sigrep_status status = check_label(&given, own->n_takes, error);
    if (status) return status;
    own->has_threshold = given.has_threshold;
    own->threshold = given.has_threshold ? given.threshold + 0.0 : 0; /* no -0 */
    own->ceiling = given.ceiling + 0.0;
    own->length_min = given.length_min + 0.0;
    own->length_max = given.length_max;
    own->min_matches = given.min_matches;
    own->is_calibrated = false;
    if (!bundle_list_templates(b)) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
}

sigrep_status sigrep_bundle_set_label(bundle *b, size_t i, const sigrep_bundle_label *label,
                                      sigrep_error *error)
{
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const float_env before = float_env_enter();
    const sigrep_status status = set_label(b, i, label, error);
    float_env_leave(before);
    return status;
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
