#include "filter/session/template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/features/timing.h"
#include "filter/finite.h"
#include "filter/grown.h"
#include "filter/status.h"
#include "kernels/zmatch/zmatch.h"

enum { PUSH = 4096 }; /* samples given to the front end at once */

static bool keeps_all(const sigrep_template *given)
{
    return !given->begin && !given->end;
}

/* n samples or frames of so many values. */
static sigrep_status fail_too_long(uint64_t n, size_t dim, sigrep_error *error)
{
    return status_fail(error, SIGREP_BAD_TEMPLATE, "too long: %llu x %zu values, at most %llu",
                       (unsigned long long)n, dim, (unsigned long long)SIGREP_TEMPLATE_MAX_VALUES);
}

/* The number of samples from number `at` on, of at most n, that are finite; or that are not. */
static size_t run_of(const sigrep_template *given, uint64_t at, size_t n, size_t channels,
                     bool finite)
{
    return given->doubles ? finite_run_doubles(given->doubles + at * channels, n, channels, finite)
                          : finite_run(given->samples + at * channels, n, channels, finite);
}

/* Check the part that is kept: its length, and that it is finite. Samples outside it may be gaps.
 */
static sigrep_status check_kept(const sigrep_template *given, size_t channels, sigrep_error *error)
{
    uint64_t end = keeps_all(given) ? given->length : given->end;
    if (end - given->begin > SIGREP_TEMPLATE_MAX_VALUES / channels)
        return fail_too_long(end - given->begin, channels, error);
    const size_t n = (size_t)(end - given->begin);
    const size_t finite = run_of(given, given->begin, n, channels, true);
    const unsigned long long sample = given->begin + finite;
    if (finite == n) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_TEMPLATE, "sample %llu is not finite", sample);
}

/* A template has no threshold in a best-of search, and before it is estimated. */
static bool has_no_threshold(const sigrep_template *given, const template_rules *rules)
{
    return rules->best || given->auto_threshold;
}

/* Frames that the caller made are only checked. */
static sigrep_status check_frames_given(const sigrep_template *given, sigrep_error *error)
{
    const size_t dim = given->frame_dim;
    if (given->length < 2)
        return status_fail(error, SIGREP_BAD_TEMPLATE, "frames: %llu, not 2 or more",
                           (unsigned long long)given->length);
    if (given->length > SIGREP_TEMPLATE_MAX_VALUES / dim)
        return fail_too_long(given->length, dim, error);
    const size_t values = (size_t)given->length * dim;
    const size_t finite = finite_values(given->samples, values);
    if (finite == values) return SIGREP_OK;
    return status_fail(error, SIGREP_BAD_TEMPLATE, "frame %zu is not finite", finite / dim);
}

static sigrep_status check_samples(const sigrep_template *given, const template_rules *rules,
                                   sigrep_error *error)
{
    if (!has_no_threshold(given, rules) && !(isfinite(given->threshold) && given->threshold >= 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "threshold: %g, not a number from 0 up",
                           given->threshold);
    if (!(isfinite(given->level) && given->level >= 0))
        return status_fail(error, SIGREP_BAD_CONFIG, "level: %g, not a number from 0 up",
                           given->level);
    if (given->length && !given->samples && (given->frame_dim || !given->doubles))
        return status_fail(error, SIGREP_BAD_CONFIG, "samples: NULL, not values");
    if (given->frame_dim) return check_frames_given(given, error);
    if (given->begin > given->end || given->end > given->length)
        return status_fail(error, SIGREP_BAD_TEMPLATE,
                           "the part from sample %llu to %llu is not within its %llu samples",
                           (unsigned long long)given->begin, (unsigned long long)given->end,
                           (unsigned long long)given->length);
    return check_kept(given, rules->samples.dim, error);
}

/* Collects the frames of the front end into the template. */
typedef struct {
    float *frames;
    size_t length, dim, capacity;
    const sigrep_template *given;
    front_end *chain;
    frame_timing timing;
    uint64_t base; /* the sample at which the span began */
    uint64_t seen; /* frames of the span, kept or not */
} collector;

/* Does the centre of the frame's own samples lie in the part that is kept? */
static bool is_kept(const collector *c, uint64_t frame)
{
    if (keeps_all(c->given)) return true;
    const sigrep_template *given = c->given;
    if (given->end <= c->base) return false;
    uint64_t begin = given->begin > c->base ? given->begin - c->base : 0;
    return timing_centre_in(&c->timing, frame, begin, given->end - c->base);
}

static sigrep_status collect(collector *c, const float *frames, size_t n)
{
    for (size_t i = 0; i < n; i++, c->seen++) {
        if (!is_kept(c, c->seen)) continue;
        float *room = grown(c->frames, &c->capacity, c->length + 1, c->dim * sizeof *room);
        if (!room) return SIGREP_NO_MEMORY;
        c->frames = room;
        memcpy(c->frames + c->length++ * c->dim, frames + i * c->dim, c->dim * sizeof *frames);
    }
    return SIGREP_OK;
}

/* End the span. The next one begins with sample `next`. */
static sigrep_status collect_last(collector *c, uint64_t next)
{
    const float *frames;
    size_t n = front_end_flush(c->chain, &frames);
    sigrep_status status = collect(c, frames, n);
    c->base = next;
    c->seen = 0;
    return status;
}

/* The latest sample at which the front end may begin: the frames of the part have the same bits as
 * if it began at 0. Frames after a gap count from there, so with a gap before the part it is 0. */
static uint64_t first_needed(const collector *c, size_t channels)
{
    const frame_timing *t = &c->timing;
    const uint64_t begin = c->given->begin;
    if (keeps_all(c->given) || t->period == 0 || t->per > 1 || begin <= t->memory) return 0;
    if (run_of(c->given, 0, (size_t)begin, channels, true) < begin) return 0;
    return (begin - t->memory) / t->period * t->period;
}

/* How many samples the front end must read to give all frames of the part. */
static uint64_t end_needed(const collector *c)
{
    const sigrep_template *given = c->given;
    const uint64_t after = given->length - given->end, hop = c->timing.hop;
    if (keeps_all(given) || c->timing.look_ahead >= after || hop >= after - c->timing.look_ahead)
        return given->length;
    return given->end + hop + c->timing.look_ahead;
}

static sigrep_status collect_all(collector *c, const template_rules *rules)
{
    const sigrep_template *given = c->given;
    const size_t channels = rules->samples.dim;
    const uint64_t end = end_needed(c);
    sigrep_status status = SIGREP_OK;
    c->base = first_needed(c, channels);
    for (uint64_t at = c->base; at < end && !status;) {
        const float *frames;
        uint64_t left = end - at;
        if (rules->should_stop && rules->should_stop(rules->user)) return SIGREP_STOPPED;
        size_t run = run_of(given, at, left < PUSH ? (size_t)left : PUSH, channels, true);
        if (run) {
            const size_t from = (size_t)at * channels;
            size_t n = given->doubles
                           ? front_end_push_doubles(c->chain, given->doubles + from, run, &frames)
                           : front_end_push(c->chain, given->samples + from, run, &frames);
            status = collect(c, frames, n);
            at += run;
        } else {
            status = collect_last(c, ++at);
        }
    }
    return status ? status : collect_last(c, end);
}

/* Leave out digital silence before and after the sound, which decoders add. A template of hardly
 * anything else stays as it is. */
static void trim_silence(collector *c)
{
    size_t begin = 0, end = c->length;
    while (begin < end && front_end_is_silence(c->chain, c->frames + begin * c->dim)) begin++;
    while (end > begin && front_end_is_silence(c->chain, c->frames + (end - 1) * c->dim)) end--;
    if (end - begin < 2 || end - begin == c->length) return;
    c->length = end - begin;
    memmove(c->frames, c->frames + begin * c->dim, c->length * c->dim * sizeof *c->frames);
}

static bool is_zero(const sigrep_template *given, uint64_t at, size_t channels)
{
    for (size_t k = 0; k < channels; k++) {
        const size_t i = (size_t)at * channels + k;
        if (given->doubles ? given->doubles[i] != 0 : given->samples[i] != 0) return false;
    }
    return true;
}

/* Narrow the part that is kept to what lies between the zeros at its ends. Fewer zeros than a frame
 * has samples of its own (hop) are chance. A template of hardly anything else stays as it is: two
 * frames at least must lie there. */
static void leave_out_zeros(sigrep_template *given, size_t channels, uint64_t hop)
{
    const uint64_t begin = given->begin, end = keeps_all(given) ? given->length : given->end;
    uint64_t first = begin, after = end;
    while (first < end && is_zero(given, first, channels)) first++;
    while (after > first && is_zero(given, after - 1, channels)) after--;
    if (first - begin < hop) first = begin;
    if (end - after < hop) after = end;
    if (after - first < 2 * hop || after - first == end - begin) return;
    given->begin = first;
    given->end = after;
}

static sigrep_status run_front_end(template *x, frame_timing *timing, const sigrep_template *given,
                                   const template_rules *rules, sigrep_error *error)
{
    sigrep_template kept = *given;
    collector c = {.given = &kept};
    sigrep_status status =
        front_end_create(&c.chain, rules->front_end, rules->samples, PUSH, error);
    if (status) return status;
    front_end_set_origin(c.chain, rules->origin);
    c.dim = front_end_shape(c.chain).dim;
    c.timing = *timing = front_end_timing(c.chain);
    const uint64_t per = c.timing.per ? c.timing.per : 1; /* hop counts 1/per samples */
    if (front_end_leaves_out_zeros(c.chain))
        leave_out_zeros(&kept, rules->samples.dim, (c.timing.hop + per - 1) / per);
    status = collect_all(&c, rules);
    if (!status) trim_silence(&c);
    if (!status && front_end_failed(c.chain)) status = SIGREP_NO_MEMORY;
    front_end_destroy(c.chain);
    x->frames = c.frames;
    x->length = c.length;
    x->dim = c.dim;
    return status;
}

static sigrep_status copy_frames(template *x, const sigrep_template *given)
{
    const size_t size = (size_t)given->length * given->frame_dim * sizeof *x->frames;
    float *frames = malloc(size);
    x->frames = frames;
    if (!frames) return SIGREP_NO_MEMORY;
    memcpy(frames, given->samples, size);
    x->length = (size_t)given->length;
    x->dim = given->frame_dim;
    return SIGREP_OK;
}

/* The number of samples that give two frames. A whole file is enough if the second frame owns a
 * sample of it. A part is enough at any place if it holds the first two frames and the samples
 * before them.
 */
static uint64_t least_samples(const sigrep_template *given, const frame_timing *timing)
{
    const int64_t least = keeps_all(given) ? timing_edge(timing, 1) + 1 : timing_edge(timing, 2);
    return least > 2 ? (uint64_t)least : 2;
}

/* Report its length, and the least length. */
static sigrep_status fail_too_short(const sigrep_template *given, const template_rules *rules,
                                    const frame_timing *timing, sigrep_error *error)
{
    const double rate_hz = rules->samples.rate_hz;
    const uint64_t kept = keeps_all(given) ? given->length : given->end - given->begin;
    const uint64_t least = least_samples(given, timing);
    char is[32] = "", must[32] = "";
    if (kept >= least)
        return status_fail(error, SIGREP_BAD_TEMPLATE, "gaps leave fewer than 2 frames of it");
    if (rate_hz != 1) {
        snprintf(is, sizeof is, " (%.4f s)", (double)kept / rate_hz);
        snprintf(must, sizeof must, " (%.4f s)", ceil((double)least / rate_hz * 1e4) / 1e4);
    }
    return status_fail(error, SIGREP_BAD_TEMPLATE,
                       "too short: %llu sample%s%s; this front end needs %llu%s at least",
                       (unsigned long long)kept, kept == 1 ? "" : "s", is,
                       (unsigned long long)least, must);
}

sigrep_status template_create(template *x, const sigrep_template *given,
                              const template_rules *rules, sigrep_error *error)
{
    *x = (template){.threshold = has_no_threshold(given, rules) ? INFINITY : given->threshold,
                    .level = given->level};
    frame_timing timing = {0};
    sigrep_status status = check_samples(given, rules, error);
    if (!status)
        status = given->frame_dim ? copy_frames(x, given)
                                  : run_front_end(x, &timing, given, rules, error);
    if (!status && x->length < 2) status = fail_too_short(given, rules, &timing, error);
    if (!status) {
        x->gate = detector_gate_of(x->threshold, rules->length_min, rules->length_max, x->length);
        if (x->gate.length_min > x->gate.length_max)
            status = status_fail(error, SIGREP_BAD_CONFIG,
                                 "the length gate leaves no length for a template of %zu frames",
                                 x->length);
    }
    if (!status) {
        x->label = strdup(given->label ? given->label : "");
        if (!x->label) status = SIGREP_NO_MEMORY;
    }
    if (status) template_free(x);
    return status;
}

sigrep_status template_normalise(template *x, sigrep_error *error)
{
    detector_gate *gate = &x->gate;
    const char *wrong = NULL;
    if (x->dim != 1)
        wrong = "frames of several values, which zmatch does not take";
    else if (x->length > ZMATCH_MAX_LENGTH)
        wrong = "too long for zmatch: more than 2^20 frames";
    else if (!zmatch_normalise((float *)x->frames, x->frames, x->length))
        wrong = "flat as float32: zmatch finds no gain in it";
    if (wrong) return status_fail(error, SIGREP_BAD_TEMPLATE, "%s", wrong);
    if (gate->length_min > x->length || gate->length_max < x->length)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "the length gate leaves no match: by zmatch all are as long as the "
                           "template");
    gate->length_min = gate->length_max = x->length;
    return SIGREP_OK;
}

void template_set_threshold(template *x, double threshold)
{
    x->threshold = threshold;
    x->gate.eps = detector_eps(threshold, x->length);
}

void template_free(template *x)
{
    free((void *)x->label);
    free((void *)x->frames);
    *x = (template){0};
}
