/* engine_stream.c - samples through the searcher; see engine.h. */
#include <math.h>
#include <string.h>

#include "filter/engine.h"
#include "filter/finite.h"
#include "kernels/float_env.h"

void engine_reset(sigrep *engine)
{
    const float *left;
    front_end_flush(engine->chain, &left);
    sweep_reset(engine->sw);
    classes_reset(engine->classes);
    if (engine->best) best_reset(engine->best);
    engine->frames_before += engine->frames;
    engine->samples = engine->frames = engine->gap_samples = 0;
    engine->over = SIGREP_OK;
    engine->stretches[0] = (stretch){.end = UINT64_MAX};
    engine->n_stretches = 1;
    engine->n_gaps = 0;
    engine->found.n = engine->events.n = 0;
}

static stretch *last_stretch(sigrep *engine)
{
    return &engine->stretches[engine->n_stretches - 1];
}

/* Hand one match to the caller, in samples of the input. */
static sigrep_status report(sigrep *engine, const found *match, const stretch *where,
                            uint64_t final)
{
    const template *x = &engine->templates[match->index];
    uint64_t start, end, unused;
    stretch_samples(where, &engine->timing, match->start, &start, &unused);
    stretch_samples(where, &engine->timing, match->end - 1, &unused, &end);
    sigrep_match told = {.template_index = match->index,
                         .label = x->label,
                         .start = start,
                         .end = end,
                         .final = final,
                         .score = (double)match->d / (double)x->length,
                         .threshold = x->threshold};
    return engine->on_match(engine->user, &told) ? SIGREP_STOPPED : SIGREP_OK;
}

/* The events of this step, in order. */
static sigrep_status report_events(sigrep *engine)
{
    found_sort_by_final(&engine->events);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < engine->events.n && !status; i++) {
        const found *event = &engine->events.items[i];
        const stretch *list = engine->stretches;
        const stretch *where = stretch_of(list, engine->n_stretches, event->start);
        const stretch *ready = stretch_of(list, engine->n_stretches, event->final - 1);
        uint64_t final = stretch_ready(ready, engine->chain, event->final - 1);
        status = report(engine, event, where, final);
    }
    engine->events.n = 0;
    return status;
}

/* In a best-of search: what was found is the lowest of its stretch. */
static sigrep_status add_to_best(sigrep *engine)
{
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < engine->found.n && !status; i++) {
        const found *match = &engine->found.items[i];
        const stretch *where = stretch_of(engine->stretches, engine->n_stretches, match->start);
        /* The gap, or the end of the stream, that made it final ends its stretch. */
        status = best_add(engine->best, where, where->first_frame, match->final - 1, match);
    }
    engine->found.n = 0;
    return status;
}

/* What the searches have found since the last call, up to `now` frames. */
static sigrep_status digest(sigrep *engine, uint64_t now)
{
    if (engine->best) return add_to_best(engine);
    for (size_t j = 0; j < engine->n_templates; j++)
        engine->pending_since[j] =
            now == UINT64_MAX ? UINT64_MAX : sweep_pending_since(engine->sw, j);
    classes_progress at = {
        .now = now, .end = sweep_to(engine->sw), .pending_since = engine->pending_since};
    at.breaks = sweep_breaks(engine->sw, &at.n_breaks);
    sigrep_status status = classes_step(engine->classes, &engine->found, &at, &engine->events);
    engine->found.n = 0;
    return status ? status : report_events(engine);
}

/* Scores on their way to the caller: n frames in engine->scores. */
typedef struct {
    size_t n;
    sigrep_status status;
} score_batch;

static void hand_on_scores(sigrep *engine, score_batch *batch)
{
    if (!batch->n || batch->status) return;
    if (engine->on_scores(engine->user, engine->scores, batch->n)) batch->status = SIGREP_STOPPED;
    batch->n = 0;
}

/* The scores of frame i of the last run, or NaN. */
static void add_scores(sigrep *engine, score_batch *batch, size_t i, bool is_gap)
{
    float *out = engine->scores + batch->n * engine->n_templates;
    for (size_t j = 0; j < engine->n_templates; j++) {
        double d = is_gap ? (double)NAN : (double)sweep_scores(engine->sw, j)[i];
        out[j] = (float)(d / (double)engine->templates[j].length);
    }
    if (++batch->n == SCORES_BATCH) hand_on_scores(engine, batch);
}

static sigrep_status report_scores(sigrep *engine)
{
    size_t n_breaks, next = 0;
    const uint64_t *breaks = sweep_breaks(engine->sw, &n_breaks);
    uint64_t from = sweep_from(engine->sw), to = sweep_to(engine->sw);
    score_batch batch = {0};
    for (uint64_t t = from; t < to && !batch.status; t++) {
        bool is_gap = next < n_breaks && breaks[next] == t;
        uint64_t copies = is_gap ? engine->gap_frames[next++] : 1;
        for (uint64_t c = 0; c < copies && !batch.status; c++)
            add_scores(engine, &batch, (size_t)(t - from), is_gap);
    }
    hand_on_scores(engine, &batch);
    return batch.status;
}

/* The frames up to sweep_to are evaluated: report what became final. */
static sigrep_status conclude(sigrep *engine, sigrep_status status)
{
    if (!status && engine->on_scores) status = report_scores(engine);
    if (!status) status = digest(engine, sweep_to(engine->sw));
    engine->stretches[0] = *last_stretch(engine);
    engine->n_stretches = 1;
    engine->n_gaps = 0;
    return status;
}

/* Wait for the step that is behind, if one is. Until then no gap may be noted, and no stretch:
 * those there are belong to it. */
static sigrep_status settle(sigrep *engine)
{
    if (!sweep_is_behind(engine->sw)) return SIGREP_OK;
    return conclude(engine, sweep_end(engine->sw, &engine->found));
}

/* Evaluate the frames that were appended. */
static sigrep_status step(sigrep *engine)
{
    sigrep_status status = settle(engine);
    if (status || sweep_to(engine->sw) == engine->frames) return status;
    return conclude(engine, sweep_run(engine->sw, &engine->found));
}

/* A whole chunk has been appended and more follows: where that is worth it, evaluate it while
 * the next one is appended. */
static sigrep_status step_on(sigrep *engine)
{
    if (!engine->behind) return step(engine);
    sigrep_status status = settle(engine);
    return status ? status : sweep_begin(engine->sw);
}

sigrep_status engine_make_room(sigrep *engine)
{
    return sweep_room(engine->sw) ? SIGREP_OK : step_on(engine);
}

static sigrep_status remember(sigrep *engine, const float *frames, size_t n)
{
    if (!engine->best) return SIGREP_OK;
    int failed = engine->store.append(engine->store.user, frames, n, engine->dim);
    return failed ? SIGREP_STORE_FAILED : SIGREP_OK;
}

/* A gap after what was appended so far, worth so many frames of the scores; the frame
 * after it owns the samples from `resume` on. */
static sigrep_status append_gap(sigrep *engine, uint64_t score_frames, uint64_t resume)
{
    if (engine->n_gaps && last_stretch(engine)->first_frame == engine->frames) {
        /* Nothing since the last gap: it grows. */
        engine->gap_frames[engine->n_gaps - 1] += score_frames;
        *last_stretch(engine) =
            (stretch){.first_frame = engine->frames, .begin = resume, .end = UINT64_MAX};
        return SIGREP_OK;
    }
    sigrep_status status = sweep_room(engine->sw) ? settle(engine) : step(engine);
    if (!status) status = remember(engine, engine->zero_frame, 1);
    if (status) return status;
    sweep_break(engine->sw);
    engine->gap_frames[engine->n_gaps++] = score_frames;
    engine->frames++;
    engine->stretches[engine->n_stretches++] =
        (stretch){.first_frame = engine->frames, .begin = resume, .end = UINT64_MAX};
    return SIGREP_OK;
}

/* Frames from the front end on to the sweep. */
static sigrep_status append(sigrep *engine, const float *frames, size_t n)
{
    if (front_end_failed(engine->chain)) return SIGREP_NO_MEMORY;
    while (n) {
        sigrep_status status = engine_make_room(engine);
        if (status) return status;
        size_t room = sweep_room(engine->sw);
        size_t now = n < room ? n : room;
        status = remember(engine, frames, now);
        if (status) return status;
        sweep_append(engine->sw, frames, now);
        engine->frames += now;
        frames += now * engine->dim;
        n -= now;
    }
    return SIGREP_OK;
}

/* The stretch ends here: the front end gives out its last frames. */
static sigrep_status end_stretch(sigrep *engine)
{
    const float *frames;
    sigrep_status status = settle(engine);
    if (status) return status;
    last_stretch(engine)->end = engine->samples;
    size_t n = front_end_flush(engine->chain, &frames);
    return append(engine, frames, n);
}

/* n more samples are lost. The frames of a gap are counted over all of it, however it was
 * cut: the last one may be partial. */
static sigrep_status take_gap(sigrep *engine, uint64_t n)
{
    sigrep_status status = end_stretch(engine);
    uint64_t before = timing_frames(&engine->timing, engine->gap_samples);
    engine->gap_samples += n;
    engine->samples += n;
    uint64_t after = timing_frames(&engine->timing, engine->gap_samples);
    return status ? status : append_gap(engine, after - before, engine->samples);
}

sigrep_status engine_take(sigrep *engine, const float *samples, size_t n)
{
    sigrep_status status = SIGREP_OK;
    while (n && !status) {
        size_t most = n < engine->max_push ? n : engine->max_push;
        size_t run = finite_run(samples, most, engine->channels, true);
        if (run) {
            const float *frames;
            size_t n_frames = front_end_push(engine->chain, samples, run, &frames);
            engine->samples += run;
            engine->gap_samples = 0;
            status = append(engine, frames, n_frames);
        } else {
            run = finite_run(samples, most, engine->channels, false);
            status = take_gap(engine, run);
        }
        samples += run * engine->channels;
        n -= run;
    }
    return status;
}

static sigrep_status push(sigrep *engine, const float *samples, size_t n, bool more)
{
    if (engine->over) return engine->over;
    float_env before = float_env_enter();
    engine->over = engine_take(engine, samples, n);
    if (!engine->over && !more) engine->over = step(engine);
    float_env_leave(before);
    return engine->over;
}

sigrep_status sigrep_push(sigrep *engine, const float *samples, size_t n)
{
    return push(engine, samples, n, false);
}

sigrep_status sigrep_feed(sigrep *engine, const float *samples, size_t n)
{
    return push(engine, samples, n, engine->behind);
}

sigrep_status sigrep_gap(sigrep *engine, uint64_t n)
{
    if (engine->over || !n) return engine->over;
    float_env before = float_env_enter();
    engine->over = take_gap(engine, n);
    if (!engine->over) engine->over = step(engine);
    float_env_leave(before);
    return engine->over;
}

/* Does a match of the same class lie here already? */
static bool is_taken(const sigrep *engine, const found_list *kept, const found *match)
{
    size_t class = classes_of(engine->classes, match->index);
    for (size_t i = 0; i < kept->n; i++) {
        const found *other = &kept->items[i];
        if (classes_of(engine->classes, other->index) == class && found_overlap(other, match))
            return true;
    }
    return false;
}

/* The N best of the input, lowest score first. */
static sigrep_status report_best(sigrep *engine)
{
    found_list *kept = &engine->events;
    sigrep_status status = SIGREP_OK;
    while (kept->n < engine->best_wanted && !status) {
        found match;
        stretch where;
        status = best_next(engine->best, &match, &where);
        if (status == SIGREP_STOPPED) return SIGREP_OK; /* none left */
        if (status || is_taken(engine, kept, &match)) continue;
        status = found_add(kept, &match);
        if (!status) status = report(engine, &match, &where, engine->samples);
    }
    return status;
}

static sigrep_status finish(sigrep *engine)
{
    sigrep_status status = end_stretch(engine);
    if (!status) status = step(engine);
    if (!status) status = sweep_finish(engine->sw, &engine->found);
    if (!status) status = digest(engine, UINT64_MAX);
    if (!status && engine->best) status = report_best(engine);
    return status;
}

sigrep_status sigrep_finish(sigrep *engine)
{
    float_env before = float_env_enter();
    sigrep_status status = engine->over ? SIGREP_OK : finish(engine);
    bool store_cleared = !engine->best || !engine->store.clear(engine->store.user);
    engine_reset(engine);
    float_env_leave(before);
    return status || store_cleared ? status : SIGREP_STORE_FAILED;
}
