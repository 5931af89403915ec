/* stream.c - samples through the searcher; see session.h. */
#include <math.h>
#include <string.h>

#include "filter/features/timing.h"
#include "filter/finite.h"
#include "filter/search/best.h"
#include "filter/search/label_groups.h"
#include "filter/search/span.h"
#include "filter/search/sweep.h"
#include "filter/session/session.h"
#include "filter/session/span_samples.h"
#include "filter/session/template.h"
#include "kernels/float_env.h"

void session_reset(sigrep *session)
{
    const float *left;
    front_end_flush(session->chain, &left);
    sweep_reset(session->sw);
    label_groups_reset(session->label_groups);
    if (session->best) best_reset(session->best);
    session->frames_before += session->frames;
    session->samples = session->frames = session->gap_samples = 0;
    session->over = SIGREP_OK;
    session->spans[0] = (span){.end = UINT64_MAX};
    session->n_spans = 1;
    session->n_gaps = 0;
    session->matches.n = session->events.n = 0;
}

static span *last_stretch(sigrep *session)
{
    return &session->spans[session->n_spans - 1];
}

/* Hand one match to the caller, in samples of the input. */
static sigrep_status report(sigrep *session, const frame_match *match, const span *where,
                            uint64_t final)
{
    const template *x = &session->templates[match->index];
    uint64_t start, end, unused;
    span_samples(where, &session->timing, match->start, &start, &unused);
    span_samples(where, &session->timing, match->end - 1, &unused, &end);
    sigrep_match told = {.template_index = match->index,
                         .label = x->label,
                         .start = start,
                         .end = end,
                         .final = final,
                         .score = (double)match->d / (double)x->length,
                         .threshold = x->threshold};
    return session->on_match(session->user, &told) ? SIGREP_STOPPED : SIGREP_OK;
}

/* The events of this step, in order. */
static sigrep_status report_events(sigrep *session)
{
    match_list_sort_by_final(&session->events);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < session->events.n && !status; i++) {
        const frame_match *event = &session->events.items[i];
        const span *list = session->spans;
        const span *where = span_of(list, session->n_spans, event->start);
        const span *ready = span_of(list, session->n_spans, event->final - 1);
        uint64_t final = span_ready(ready, session->chain, event->final - 1);
        status = report(session, event, where, final);
    }
    session->events.n = 0;
    return status;
}

/* In a best-of search: what was found is the lowest of its span. */
static sigrep_status add_to_best(sigrep *session)
{
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < session->matches.n && !status; i++) {
        const frame_match *match = &session->matches.items[i];
        const span *where = span_of(session->spans, session->n_spans, match->start);
        /* The gap, or the end of the stream, that made it final ends its span. */
        status = best_add(session->best, where, where->first_frame, match->final - 1, match);
    }
    session->matches.n = 0;
    return status;
}

/* What the searches have found since the last call, up to `now` frames. */
static sigrep_status digest(sigrep *session, uint64_t now)
{
    if (session->best) return add_to_best(session);
    for (size_t j = 0; j < session->n_templates; j++)
        session->pending_since[j] =
            now == UINT64_MAX ? UINT64_MAX : sweep_pending_since(session->sw, j);
    label_groups_progress at = {
        .now = now, .end = sweep_to(session->sw), .pending_since = session->pending_since};
    at.gaps = sweep_gaps(session->sw, &at.n_gaps);
    sigrep_status status =
        label_groups_update(session->label_groups, &session->matches, &at, &session->events);
    session->matches.n = 0;
    return status ? status : report_events(session);
}

/* Scores on their way to the caller: n frames in session->scores. */
typedef struct {
    size_t n;
    sigrep_status status;
} score_batch;

static void hand_on_scores(sigrep *session, score_batch *batch)
{
    if (!batch->n || batch->status) return;
    if (session->on_scores(session->user, session->scores, batch->n))
        batch->status = SIGREP_STOPPED;
    batch->n = 0;
}

/* The scores of frame i of the last run, or NaN. */
static void add_scores(sigrep *session, score_batch *batch, size_t i, bool is_gap)
{
    float *out = session->scores + batch->n * session->n_templates;
    for (size_t j = 0; j < session->n_templates; j++) {
        double d = is_gap ? (double)NAN : (double)sweep_scores(session->sw, j)[i];
        out[j] = (float)(d / (double)session->templates[j].length);
    }
    if (++batch->n == SCORES_BATCH) hand_on_scores(session, batch);
}

static sigrep_status report_scores(sigrep *session)
{
    size_t n_gaps, next = 0;
    const uint64_t *gaps = sweep_gaps(session->sw, &n_gaps);
    uint64_t from = sweep_from(session->sw), to = sweep_to(session->sw);
    score_batch batch = {0};
    for (uint64_t t = from; t < to && !batch.status; t++) {
        bool is_gap = next < n_gaps && gaps[next] == t;
        uint64_t copies = is_gap ? session->gap_frames[next++] : 1;
        for (uint64_t c = 0; c < copies && !batch.status; c++)
            add_scores(session, &batch, (size_t)(t - from), is_gap);
    }
    hand_on_scores(session, &batch);
    return batch.status;
}

/* The frames up to sweep_to are evaluated: report what became final. */
static sigrep_status conclude(sigrep *session, sigrep_status status)
{
    if (!status && session->on_scores) status = report_scores(session);
    if (!status) status = digest(session, sweep_to(session->sw));
    session->spans[0] = *last_stretch(session);
    session->n_spans = 1;
    session->n_gaps = 0;
    return status;
}

/* Wait for the step that is behind, if one is. Until then no gap may be noted, and no span:
 * those there are belong to it. */
static sigrep_status settle(sigrep *session)
{
    if (!sweep_is_running(session->sw)) return SIGREP_OK;
    return conclude(session, sweep_end(session->sw, &session->matches));
}

/* Evaluate the frames that were appended. */
sigrep_status session_step(sigrep *session)
{
    sigrep_status status = settle(session);
    if (status || sweep_to(session->sw) == session->frames) return status;
    return conclude(session, sweep_run(session->sw, &session->matches));
}

/* A whole chunk has been appended and more follows: where that is worth it, evaluate it while
 * the next one is appended. */
static sigrep_status step_on(sigrep *session)
{
    if (!session->behind) return session_step(session);
    sigrep_status status = settle(session);
    return status ? status : sweep_begin(session->sw);
}

sigrep_status session_make_room(sigrep *session)
{
    return sweep_room(session->sw) ? SIGREP_OK : step_on(session);
}

static sigrep_status remember(sigrep *session, const float *frames, size_t n)
{
    if (!session->best) return SIGREP_OK;
    int failed = session->store.append(session->store.user, frames, n, session->dim);
    return failed ? SIGREP_STORE_FAILED : SIGREP_OK;
}

/* A gap after what was appended so far, worth so many frames of the scores; the frame
 * after it owns the samples from `resume` on. */
static sigrep_status append_gap(sigrep *session, uint64_t score_frames, uint64_t resume)
{
    if (session->n_gaps && last_stretch(session)->first_frame == session->frames) {
        /* Nothing since the last gap: it grows. */
        session->gap_frames[session->n_gaps - 1] += score_frames;
        *last_stretch(session) =
            (span){.first_frame = session->frames, .begin = resume, .end = UINT64_MAX};
        return SIGREP_OK;
    }
    sigrep_status status = sweep_room(session->sw) ? settle(session) : session_step(session);
    if (!status) status = remember(session, session->zero_frame, 1);
    if (status) return status;
    sweep_append_gap(session->sw);
    session->gap_frames[session->n_gaps++] = score_frames;
    session->frames++;
    session->spans[session->n_spans++] =
        (span){.first_frame = session->frames, .begin = resume, .end = UINT64_MAX};
    return SIGREP_OK;
}

/* Frames from the front end on to the sweep. */
static sigrep_status append(sigrep *session, const float *frames, size_t n)
{
    if (front_end_failed(session->chain)) return SIGREP_NO_MEMORY;
    while (n) {
        sigrep_status status = session_make_room(session);
        if (status) return status;
        size_t room = sweep_room(session->sw);
        size_t now = n < room ? n : room;
        status = remember(session, frames, now);
        if (status) return status;
        sweep_append(session->sw, frames, now);
        session->frames += now;
        frames += now * session->dim;
        n -= now;
    }
    return SIGREP_OK;
}

/* The span ends here: the front end gives out its last frames. */
static sigrep_status end_stretch(sigrep *session)
{
    const float *frames;
    sigrep_status status = settle(session);
    if (status) return status;
    last_stretch(session)->end = session->samples;
    size_t n = front_end_flush(session->chain, &frames);
    return append(session, frames, n);
}

/* n more samples are lost. The frames of a gap are counted over all of it, however it was
 * cut: the last one may be partial. */
static sigrep_status take_gap(sigrep *session, uint64_t n)
{
    sigrep_status status = end_stretch(session);
    uint64_t before = timing_frames_covering(&session->timing, session->gap_samples);
    session->gap_samples += n;
    session->samples += n;
    uint64_t after = timing_frames_covering(&session->timing, session->gap_samples);
    return status ? status : append_gap(session, after - before, session->samples);
}

sigrep_status session_take(sigrep *session, const float *samples, size_t n)
{
    sigrep_status status = SIGREP_OK;
    while (n && !status) {
        size_t most = n < session->max_push ? n : session->max_push;
        size_t run = finite_run(samples, most, session->channels, true);
        if (run) {
            const float *frames;
            size_t n_frames = front_end_push(session->chain, samples, run, &frames);
            session->samples += run;
            session->gap_samples = 0;
            status = append(session, frames, n_frames);
        } else {
            run = finite_run(samples, most, session->channels, false);
            status = take_gap(session, run);
        }
        samples += run * session->channels;
        n -= run;
    }
    return status;
}

static sigrep_status push(sigrep *session, const float *samples, size_t n, bool more)
{
    if (session->over) return session->over;
    float_env before = float_env_enter();
    session->over = session_take(session, samples, n);
    if (!session->over && !more) session->over = session_step(session);
    float_env_leave(before);
    return session->over;
}

sigrep_status sigrep_push(sigrep *session, const float *samples, size_t n)
{
    return push(session, samples, n, false);
}

sigrep_status sigrep_feed(sigrep *session, const float *samples, size_t n)
{
    return push(session, samples, n, session->behind);
}

sigrep_status sigrep_gap(sigrep *session, uint64_t n)
{
    if (session->over || !n) return session->over;
    float_env before = float_env_enter();
    session->over = take_gap(session, n);
    if (!session->over) session->over = session_step(session);
    float_env_leave(before);
    return session->over;
}

/* Does a match of the same class lie here already? */
static bool is_taken(const sigrep *session, const match_list *kept, const frame_match *match)
{
    size_t class = label_groups_of(session->label_groups, match->index);
    for (size_t i = 0; i < kept->n; i++) {
        const frame_match *other = &kept->items[i];
        if (label_groups_of(session->label_groups, other->index) == class &&
            frame_matches_overlap(other, match))
            return true;
    }
    return false;
}

/* The N best of the input, lowest score first. */
static sigrep_status report_best(sigrep *session)
{
    match_list *kept = &session->events;
    sigrep_status status = SIGREP_OK;
    while (kept->n < session->best_wanted && !status) {
        frame_match match;
        span where;
        status = best_next(session->best, &match, &where);
        if (status == SIGREP_STOPPED) return SIGREP_OK; /* none left */
        if (status || is_taken(session, kept, &match)) continue;
        status = match_list_add(kept, &match);
        if (!status) status = report(session, &match, &where, session->samples);
    }
    return status;
}

static sigrep_status finish(sigrep *session)
{
    sigrep_status status = end_stretch(session);
    if (!status) status = session_step(session);
    if (!status) status = sweep_finish(session->sw, &session->matches);
    if (!status) status = digest(session, UINT64_MAX);
    if (!status && session->best) status = report_best(session);
    return status;
}

sigrep_status sigrep_finish(sigrep *session)
{
    float_env before = float_env_enter();
    sigrep_status status = session->over ? SIGREP_OK : finish(session);
    bool store_cleared = !session->best || !session->store.clear(session->store.user);
    session_reset(session);
    float_env_leave(before);
    return status || store_cleared ? status : SIGREP_STORE_FAILED;
}
