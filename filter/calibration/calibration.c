/*
 * calibration.c - from searches of a background to thresholds in a bundle.
 *
 *     search, any score ──> candidates ──> agreement ──> tail ──> threshold
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "filter/bundle/bundle.h"
#include "filter/calibration/candidates.h"
#include "filter/calibration/tail.h"
#include "filter/sized.h"
#include "filter/status.h"
#include "kernels/float_env.h"

enum { NAME_SIZE = 24 };
static const double EVERYTHING = 1e30; /* no score is above it */

/* A template of the search, for one take. */
typedef struct {
    size_t label, take;
    double weight;
    char name[NAME_SIZE]; /* its label in the search */
} searched_take;

typedef struct {
    size_t min_matches;     /* as in the bundle */
    candidate_list matches; /* of its takes */
    candidate_list agreed;  /* those on which enough takes agree; unused if min_matches is 1 */
} label_candidates;

struct sigrep_calibration {
    bundle *b;
    double rate_hz;      /* of the recording that is searched */
    size_t n_recordings; /* so far */
    sigrep_template *templates;
    searched_take *takes;
    label_candidates *labels;
    size_t n_labels;
};

/* Thresholds have the takes' weights, since a search compares score and threshold of rival takes.
 * If takes must agree, each is a label of its own, so that all of its matches are reported. */
static void prepare_templates(sigrep_calibration *c)
{
    const bundle *b = c->b;
    for (size_t i = 0, n = 0; i < b->n_labels; i++) {
        c->labels[i].min_matches = b->labels[i].min_matches;
        for (size_t k = 0; k < b->labels[i].n_takes; k++, n++) {
            searched_take *take = &c->takes[n];
            *take = (searched_take){.label = i, .take = k, .weight = b->labels[i].takes[k].weight};
            snprintf(take->name, NAME_SIZE, "%zu", b->labels[i].min_matches > 1 ? n : n - k);
            c->templates[n] = b->templates[n];
            c->templates[n].label = take->name;
            c->templates[n].min_matches = 1;
            c->templates[n].threshold = EVERYTHING * take->weight;
            c->templates[n].auto_threshold = 0;
        }
    }
}

sigrep_status sigrep_calibration_create(sigrep_calibration **out, sigrep_bundle *b)
{
    *out = NULL;
    sigrep_calibration *c = calloc(1, sizeof *c);
    if (!c) return SIGREP_NO_MEMORY;
    *c = (sigrep_calibration){.b = b, .n_labels = b->n_labels};
    c->templates = calloc(b->n_templates + 1, sizeof *c->templates);
    c->takes = calloc(b->n_templates + 1, sizeof *c->takes);
    c->labels = calloc(b->n_labels + 1, sizeof *c->labels);
    if (!c->templates || !c->takes || !c->labels) {
        sigrep_calibration_destroy(c);
        return SIGREP_NO_MEMORY;
    }
    prepare_templates(c);
    *out = c;
    return SIGREP_OK;
}

void sigrep_calibration_destroy(sigrep_calibration *c)
{
    if (!c) return;
    for (size_t i = 0; c->labels && i < c->n_labels; i++) {
        candidates_free(&c->labels[i].matches);
        candidates_free(&c->labels[i].agreed);
    }
    free(c->labels);
    free(c->templates);
    free(c->takes);
    free(c);
}

static int take_match(void *user, const sigrep_match *m)
{
    sigrep_calibration *c = user;
    const searched_take *take = &c->takes[m->template_index];
    const candidate at = {.score = m->score / take->weight,
                          .start_s = (double)m->start / c->rate_hz,
                          .end_s = (double)m->end / c->rate_hz,
                          .recording = c->n_recordings - 1,
                          .take = take->take};
    return !candidates_add(&c->labels[take->label].matches, at);
}

void sigrep_calibration_configure(sigrep_calibration *c, sigrep_config *config)
{
    sigrep_bundle_configure(c->b, config);
    config->templates = c->templates;
    config->on_match = take_match;
    config->user = c;
    c->rate_hz = config->rate_hz;
    c->n_recordings++;
}

static const candidate_list *candidates_of(const sigrep_calibration *c, size_t i)
{
    return c->labels[i].min_matches > 1 ? &c->labels[i].agreed : &c->labels[i].matches;
}

static sigrep_status update_agreed(sigrep_calibration *c, size_t i)
{
    label_candidates *label = &c->labels[i];
    if (label->min_matches < 2) return SIGREP_OK;
    candidates_free(&label->agreed);
    const bool good = candidates_copy(&label->agreed, &label->matches) &&
                      candidates_agree(&label->agreed, label->min_matches);
    return good ? SIGREP_OK : SIGREP_NO_MEMORY;
}

/* Are there candidates enough, and more of them than false alarms are wanted? */
static sigrep_status check_enough(size_t n, double hours, double per_hour, sigrep_error *error)
{
    if (!(hours > 0))
        return status_fail(error, SIGREP_NO_THRESHOLD, "too short a background: it has no sample");
    if (n < TAIL_LEAST)
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "too short a background, %.3g hours: %zu candidate%s for a match, at "
                           "least %d are needed; about %.2g minutes would do",
                           hours, n, n == 1 ? "" : "s", TAIL_LEAST,
                           60 * hours * (TAIL_LEAST + 10) / (double)(n ? n : 1));
    if (!(per_hour * hours < (double)n))
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "%.3g false alarms an hour are more than there can be: %zu candidates "
                           "for a match in %.3g hours",
                           per_hour, n, hours);
    return SIGREP_OK;
}

static sigrep_status fit(tail_result *r, const candidate_list *list, double hours, double per_hour,
                         const tail_fit *prior, sigrep_error *error)
{
    sigrep_status status = check_enough(list->n, hours, per_hour, error);
    if (status) return status;
    double *scores = malloc(list->n * sizeof *scores);
    for (size_t i = 0; scores && i < list->n; i++) scores[i] = list->items[i].score;
    const bool good = scores && tail_calibrate(r, scores, list->n, hours, per_hour, prior);
    free(scores);
    if (!good) return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
    if (!(r->fit.scale > 0))
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "the best candidates in the background all score %.4g: no threshold "
                           "separates them",
                           r->fit.u);
    if (!(r->threshold > 0))
        return status_fail(error, SIGREP_NO_THRESHOLD,
                           "no threshold gives as few as %.3g false alarms an hour", per_hour);
    return SIGREP_OK;
}

/* The ceiling of a label bounds its threshold. */
static void keep_below(tail_result *r, double ceiling)
{
    if (!(ceiling > 0)) return;
    r->threshold = fmin(r->threshold, ceiling);
    r->low = fmin(r->low, ceiling);
    r->high = fmin(r->high, ceiling);
}

static void set_label(bundle_label *label, const tail_result *r, double hours, double per_hour)
{
    label->has_threshold = label->is_calibrated = true;
    label->threshold = r->threshold;
    label->calibration = (bundle_calibration){.hours = hours,
                                              .per_hour = per_hour,
                                              .low = fmax(r->low, 0),
                                              .high = fmax(r->high, 0),
                                              .n_tail = (uint32_t)r->fit.k,
                                              .is_extrapolated = r->is_extrapolated};
}

static sigrep_status set_threshold(sigrep_calibration *c, size_t i, double hours, double per_hour,
                                   sigrep_calibration_result *result, sigrep_error *error)
{
    tail_result r = {0};
    tail_fit prior;
    if (i >= c->n_labels)
        return status_fail(error, SIGREP_BAD_CONFIG, "no label %zu: the bundle has %zu", i,
                           c->n_labels);
    if (!(per_hour > 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "per_hour: %g, not above 0", per_hour);
    sigrep_status status = update_agreed(c, i);
    if (status) return status_fail(error, status, "out of memory");
    const candidate_list *list = candidates_of(c, i);
    const bool has_prior = prior_find(&prior, c->b, &c->b->labels[i]);
    status = fit(&r, list, hours, per_hour, has_prior ? &prior : NULL, error);
    keep_below(&r, c->b->labels[i].ceiling);
    const sigrep_calibration_result own = {.rate_low = r.rate_low,
                                           .rate_high = r.rate_high,
                                           .n_candidates = list->n,
                                           .alone = r.alone,
                                           .in_speech =
                                               has_prior ? tail_rate(&prior, r.threshold) : -1};
    if (result) sized_copy(result, &own, result->size, sizeof own);
    if (status) return status;
    set_label(&c->b->labels[i], &r, hours, per_hour);
    if (!bundle_list_templates(c->b)) return SIGREP_OK;
    return status_fail(error, SIGREP_NO_MEMORY, "out of memory");
}

sigrep_status sigrep_calibration_set_threshold(sigrep_calibration *c, size_t i, double hours,
                                               double per_hour, sigrep_calibration_result *result,
                                               sigrep_error *error)
{
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    const float_env before = float_env_enter();
    const sigrep_status status = set_threshold(c, i, hours, per_hour, result, error);
    float_env_leave(before);
    return status;
}

sigrep_status sigrep_calibration_get_candidate(const sigrep_calibration *c, size_t i, size_t k,
                                               sigrep_candidate *at)
{
    if (i >= c->n_labels || k >= candidates_of(c, i)->n) return SIGREP_BAD_CONFIG;
    const candidate *from = &candidates_of(c, i)->items[k];
    const sigrep_candidate own = {.score = from->score,
                                  .recording = from->recording,
                                  .start_s = from->start_s,
                                  .end_s = from->end_s};
    sized_copy(at, &own, at->size, sizeof own);
    return SIGREP_OK;
}
