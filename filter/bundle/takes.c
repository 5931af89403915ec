/* takes.c - takes of a bundle: from recordings to frames, compared with one another, averaged. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/bundle/bundle.h"
#include "filter/bundle/warp.h"
#include "filter/features/resample.h"
#include "filter/session/template.h"
#include "filter/status.h"
#include "kernels/float_env.h"

static warp_sequence sequence_of(const bundle_take *take)
{
    return (warp_sequence){take->frames, take->length};
}

/* Make the frames that a search would make of the take: at the bundle's rate, by its front end. */
static sigrep_status make_frames(template *x, const bundle *b, const sigrep_template *take,
                                 sigrep_error *error)
{
    const double own_hz = b->rate_hz > 0 ? b->rate_hz : 1;
    const double rate_hz = take->rate_hz != 0 && !take->frame_dim ? take->rate_hz : own_hz;
    if (!(isfinite(rate_hz) && rate_hz > 0))
        return status_fail(error, SIGREP_BAD_TEMPLATE, "rate_hz: %g, not a finite number above 0",
                           rate_hz);
    char *spec = resample_spec(b->front_end, rate_hz, b->rate_hz > 0 ? b->rate_hz : rate_hz);
    if (!spec) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    const template_rules rules = {.front_end = spec,
                                  .samples = {b->channels, rate_hz},
                                  .length_min = 0.5,
                                  .length_max = 2,
                                  .best = true};
    /* All that is read. A program that does not know `doubles` need not set `size`. */
    const sigrep_template known = {.samples = take->samples,
                                   .length = take->length,
                                   .begin = take->begin,
                                   .end = take->end,
                                   .frame_dim = take->frame_dim,
                                   .doubles = take->size >= sizeof known ? take->doubles : NULL};
    const sigrep_status status = template_create(x, &known, &rules, error);
    free(spec);
    return status;
}

/* Frames that the bundle holds, as those of a template. The caller frees them. NULL without memory.
 */
static float *as_template(const bundle *b, warp_sequence x)
{
    const size_t size = x.length * b->dim * sizeof *x.frames;
    float *frames = malloc(size);
    if (!frames) return NULL;
    memcpy(frames, x.frames, size);
    front_end_as_template(b->print.last_stage, frames, x.length, b->dim);
    return frames;
}

/* The best score of x as a template anywhere in y. Negative without memory. */
static double best_score(const bundle *b, warp_sequence x, warp_sequence y)
{
    float *frames = as_template(b, x);
    const double score =
        frames ? warp_best_score((warp_sequence){frames, x.length}, y, b->dim) : -1;
    free(frames);
    return score;
}

/* The level of frames that the bundle will hold; 0 if its front end is not for sounds. */
static sigrep_status measure_level(bundle *b, double *level, warp_sequence take,
                                   sigrep_error *error)
{
    sigrep_status status = SIGREP_OK;
    *level = 0;
    if (!(b->print.last_stage->auto_factor > 0)) return SIGREP_OK;
    if (!b->background)
        status = background_create(&b->background, b->front_end, b->channels,
                                   b->rate_hz > 0 ? b->rate_hz : 1, error);
    if (status) return status;
    float *frames = as_template(b, take);
    status = frames ? background_level(level, b->background, frames, take.length, b->dim)
                    : SIGREP_NO_MEMORY;
    free(frames);
    return status;
}

static void keep_lower(double *score, double other)
{
    if (*score < 0 || other < *score) *score = other;
}

/* Compare the last take of the label with each of the others, both ways. */
static sigrep_status compare_last(const bundle *b, bundle_label *label)
{
    bundle_take *last = &label->takes[label->n_takes - 1];
    for (bundle_take *other = label->takes; other < last; other++) {
        const double in_last = best_score(b, sequence_of(other), sequence_of(last));
        const double in_other = best_score(b, sequence_of(last), sequence_of(other));
        if (in_last < 0 || in_other < 0) return SIGREP_NO_MEMORY;
        keep_lower(&last->peer_score, in_last);
        keep_lower(&other->peer_score, in_other);
    }
    return SIGREP_OK;
}

static sigrep_status check_names(const char *label, const char *name, sigrep_error *error)
{
    const bool is_label = label && bundle_is_name(label);
    if (is_label && name && bundle_is_name(name)) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_CONFIG,
                       "the %s is empty, longer than %d bytes, or has control characters",
                       is_label ? "name of the take" : "label", BUNDLE_MAX_NAME);
}

static sigrep_status add_take(bundle *b, const char *name, const sigrep_template *take,
                              sigrep_error *error)
{
    template x;
    double level = 0;
    sigrep_status status = check_names(take->label, name, error);
    if (!status && take->frame_dim && take->frame_dim != b->dim)
        status = status_fail(error, SIGREP_BAD_TEMPLATE,
                             "frames of %zu values, but the front end gives %zu", take->frame_dim,
                             b->dim);
    if (!status) status = make_frames(&x, b, take, error);
    if (!status) {
        status = measure_level(b, &level, (warp_sequence){x.frames, x.length}, error);
        if (status) template_free(&x);
    }
    if (status && error && !error->text[0])
        status_fail(error, status, "%s", sigrep_status_text(status));
    if (status) return status;
    bundle_label *label = bundle_label_of(b, take->label);
    status = label ? bundle_add_frames(b, label, name, x.frames, x.length) : SIGREP_NO_MEMORY;
    template_free(&x);
    if (!status) label->takes[label->n_takes - 1].level = level;
    if (!status) status = compare_last(b, label);
    if (!status) status = bundle_list_templates(b);
    if (status) return status_fail(error, status, "out of memory");
    label->is_calibrated = false;
    return SIGREP_OK;
}

sigrep_status sigrep_bundle_add_take(bundle *b, const char *name, const sigrep_template *take,
                                     sigrep_error *error)
{
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const float_env before = float_env_enter();
    const sigrep_status status = add_take(b, name, take, error);
    float_env_leave(before);
    return status;
}

/* The mean score of the average in its own takes. Negative without memory. */
static double score_in_takes(const bundle *b, const bundle_label *label, warp_sequence average)
{
    double sum = 0;
    for (size_t i = 0; i < label->n_takes; i++) {
        const double score = best_score(b, average, sequence_of(&label->takes[i]));
        if (score < 0) return score;
        sum += score;
    }
    return sum / (double)label->n_takes;
}

static float *average_frames(const bundle *b, const bundle_label *label, size_t *length)
{
    warp_sequence *takes = malloc(label->n_takes * sizeof *takes);
    if (!takes) return NULL;
    for (size_t i = 0; i < label->n_takes; i++) takes[i] = sequence_of(&label->takes[i]);
    float *frames = average_make(takes, label->n_takes, b->dim, length);
    free(takes);
    return frames;
}

static sigrep_status average_label(bundle *b, bundle_label *label)
{
    const size_t n = label->n_takes;
    size_t length = 0;
    double level;
    char name[64];
    if (n < 2) return SIGREP_OK;
    snprintf(name, sizeof name, "average of %zu", n);
    float *frames = average_frames(b, label, &length);
    const warp_sequence average = {frames, length};
    const double score = frames ? score_in_takes(b, label, average) : -1;
    const bool good = score >= 0 && !measure_level(b, &level, average, NULL) &&
                      !bundle_add_frames(b, label, name, frames, length);
    free(frames);
    if (!good) return SIGREP_NO_MEMORY;
    for (size_t i = 0; i < n; i++) bundle_free_take(&label->takes[i]);
    label->takes[0] = label->takes[n];
    label->takes[0].peer_score = score;
    label->takes[0].level = level;
    label->n_takes = label->min_matches = 1;
    label->is_calibrated = false;
    return SIGREP_OK;
}

sigrep_status sigrep_bundle_average(bundle *b)
{
    const float_env before = float_env_enter();
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < b->n_labels && !status; i++) status = average_label(b, &b->labels[i]);
    if (!status) status = bundle_list_templates(b);
    float_env_leave(before);
    return status;
}
