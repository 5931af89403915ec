#include "filter/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH = 4096 }; /* samples given to the front end at once */

/* Index of the first value that is not finite, n: none. */
static uint64_t first_not_finite(const float *values, uint64_t n)
{
    uint64_t i = 0;
    while (i < n && isfinite(values[i])) i++;
    return i;
}

static sigrep_status check_samples(const sigrep_template *given, const template_rules *rules,
                                   sigrep_error *error)
{
    size_t channels = rules->samples.dim;
    if (given->length < 2) return status_fail(error, SIGREP_BAD_TEMPLATE, "shorter than 2 samples");
    if (given->length > TEMPLATE_MAX_VALUES / channels)
        return status_fail(error, SIGREP_BAD_TEMPLATE, "longer than %llu values",
                           (unsigned long long)TEMPLATE_MAX_VALUES);
    uint64_t values = given->length * channels;
    uint64_t bad = first_not_finite(given->samples, values);
    if (bad < values)
        return status_fail(error, SIGREP_BAD_TEMPLATE, "sample %llu is not finite",
                           (unsigned long long)(bad / channels));
    if (!rules->best && !(isfinite(given->threshold) && given->threshold >= 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "the threshold is not a number from 0 up");
    if (given->begin > given->end || given->end > given->length)
        return status_fail(error, SIGREP_BAD_TEMPLATE, "the part lies outside its %llu samples",
                           (unsigned long long)given->length);
    return SIGREP_OK;
}

/* Frames whose own samples have their centre in the part that is kept. */
static bool is_kept(const sigrep_template *given, const feature_timing *timing, uint64_t frame)
{
    if (!given->begin && !given->end) return true;
    int64_t centre2 = 2 * ((int64_t)(frame * timing->hop) + timing->lead) + (int64_t)timing->hop;
    return centre2 >= 2 * (int64_t)given->begin && centre2 < 2 * (int64_t)given->end;
}

/* Frames on their way from the front end into the template. */
typedef struct {
    template *x;
    const sigrep_template *given;
    feature_timing timing;
    uint64_t seen; /* frames, kept or not */
    size_t capacity;
} collector;

static sigrep_status collect(collector *c, const float *frames, size_t n)
{
    template *x = c->x;
    for (size_t i = 0; i < n; i++, c->seen++) {
        if (!is_kept(c->given, &c->timing, c->seen)) continue;
        if (x->length == c->capacity) {
            size_t capacity = c->capacity ? 2 * c->capacity : PUSH;
            float *grown = realloc(x->frames, capacity * x->dim * sizeof *grown);
            if (!grown) return SIGREP_NO_MEMORY;
            x->frames = grown;
            c->capacity = capacity;
        }
        memcpy(x->frames + x->length * x->dim, frames + i * x->dim, x->dim * sizeof *frames);
        x->length++;
    }
    return SIGREP_OK;
}

static sigrep_status run_front_end(template *x, const sigrep_template *given,
                                   const template_rules *rules, sigrep_error *error)
{
    front_end *chain;
    sigrep_status status = front_end_create(&chain, rules->front_end, rules->samples, PUSH, error);
    if (status) return status;
    x->dim = front_end_shape(chain).dim;
    collector c = {.x = x, .given = given, .timing = front_end_timing(chain)};
    const float *frames;
    for (uint64_t at = 0; at < given->length && !status;) {
        size_t n = given->length - at < PUSH ? (size_t)(given->length - at) : PUSH;
        size_t got = front_end_push(chain, given->samples + at * rules->samples.dim, n, &frames);
        status = collect(&c, frames, got);
        at += n;
    }
    if (!status) {
        size_t got = front_end_flush(chain, &frames);
        status = collect(&c, frames, got);
    }
    front_end_destroy(chain);
    return status;
}

static sigrep_status check_frames(const template *x, sigrep_error *error)
{
    if (x->length < 2)
        return status_fail(error, SIGREP_BAD_TEMPLATE,
                           "shorter than 2 frames after the front end and the cut");
    if (x->gate.length_min > x->gate.length_max)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "the length gate leaves no length for a template of %llu frames",
                           (unsigned long long)x->length);
    return SIGREP_OK;
}

sigrep_status template_create(template *x, const sigrep_template *given,
                              const template_rules *rules, sigrep_error *error)
{
    *x = (template){.threshold = rules->best ? INFINITY : given->threshold};
    sigrep_status status = check_samples(given, rules, error);
    if (!status) status = run_front_end(x, given, rules, error);
    if (!status) {
        x->gate = detector_gate_of(x->threshold, rules->length_min, rules->length_max, x->length);
        status = check_frames(x, error);
    }
    const char *label = given->label ? given->label : "";
    if (!status) {
        x->label = malloc(strlen(label) + 1);
        if (x->label)
            strcpy(x->label, label);
        else
            status = SIGREP_NO_MEMORY;
    }
    if (status) template_free(x);
    return status;
}

void template_free(template *x)
{
    free(x->label);
    free(x->frames);
    *x = (template){0};
}
