/* stream.c - samples through the search, matches and scores to the caller; see session.h. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "filter/features/timing.h"
#include "filter/finite.h"
#include "filter/search/best.h"
#include "filter/search/label_groups.h"
#include "filter/search/match_list.h"
#include "filter/search/searches.h"
#include "filter/session/front_end_parts.h"
#include "filter/session/session.h"
#include "filter/session/span_samples.h"
#include "filter/session/template.h"
#include "kernels/float_env.h"

/* About so long a long push goes on without a question whether to stop. */
enum { PART_NS = 20000000 };

/* The most samples after a gap, so that it wraps no position around: 2^63 - 1. */
static const uint64_t MOST_SAMPLES = INT64_MAX;

sigrep_status session_refuses(const sigrep *session)
{
    return session->in_callback ? SIGREP_BAD_CONFIG : session->over;
}

span session_begin_span(sigrep *session, uint64_t begin)
{
    const uint64_t before = session->cold_at > begin ? session->cold_at - begin : 0;
    session->passed_frames = before > 0 ? timing_frame_at(&session->timing, before) : 0;
    return (span){
        .first_frame = session->frames - session->passed_frames, .begin = begin, .end = UINT64_MAX};
}

void session_reset(sigrep *session)
{
    const float *left;
    front_end_flush(session->chain, &left);
    searches_reset(session->searches);
    label_groups_reset(session->label_groups);
    if (session->best) best_reset(session->best);
    taken_clear(&session->taken);
    session->frames_before += session->frames;
    session->samples = session->frames = session->gap_samples = 0;
    session->cold_at = session->resumed_at = session->passed_frames = 0;
    session->over = SIGREP_OK;
    session->spans[0] = session_begin_span(session, 0);
    session->n_spans = 1;
    session->n_gaps = 0;
    session->matches.n = session->decided.n = 0;
}

static span *last_span(sigrep *session)
{
    return &session->spans[session->n_spans - 1];
}

/* Call back with a match, in samples of the input. */
static sigrep_status deliver(sigrep *session, const frame_match *match, const span *where,
                             uint64_t final)
{
    const template *x = &session->templates[match->index];
    uint64_t start, end;
    span_samples_of(where, &session->timing, match->start, match->end, where->begin, &start, &end);
    sigrep_match delivered = {.template_index = match->index,
                              .label = x->label,
                              .start = start,
                              .end = end,
                              .final = final,
                              .score = (double)match->d / (double)x->length,
                              .threshold = x->threshold,
                              .margin = NAN};
    if (x->level > 0) delivered.margin = 1 - delivered.score / x->level;
    session->path.match = match;
    session->path.where = where;
    session->path.start = start;
    session->in_callback = true;
    const bool is_stopped = session->on_match(session->user, &delivered) != 0;
    session->in_callback = false;
    session->path.match = NULL;
    return is_stopped ? SIGREP_STOPPED : SIGREP_OK;
}

/* Deliver the matches that the label groups decided, in order. */
static sigrep_status deliver_decided(sigrep *session)
{
    match_list_sort_by_final(&session->decided);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < session->decided.n && !status; i++) {
        const frame_match *match = &session->decided.items[i];
        const span *list = session->spans;
        const span *where = span_of(list, session->n_spans, match->start);
        const span *ready = span_of(list, session->n_spans, match->final - 1);
        uint64_t final = span_ready(ready, session->chain, match->final - 1);
        status = deliver(session, match, where, final);
    }
    session->decided.n = 0;
    return status;
}

/* In a best-of search each match is the lowest of its span. */
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

/* Take the new matches of the searches, which have searched `now` frames; UINT64_MAX: the stream
 * has ended. */
static sigrep_status take_matches(sigrep *session, uint64_t now)
{
    if (session->best) return add_to_best(session);
    for (size_t j = 0; j < session->n_templates; j++)
        session->pending_since[j] =
            now == UINT64_MAX ? UINT64_MAX : searches_pending_since(session->searches, j);
    const label_groups_progress at = {.now = now,
                                      .end = session->searches->to,
                                      .gaps = session->searches->gaps,
                                      .n_gaps = session->searches->n_gaps,
                                      .pending_since = session->pending_since};
    sigrep_status status =
        label_groups_update(session->label_groups, &session->matches, &at, &session->decided);
    session->matches.n = 0;
    return status ? status : deliver_decided(session);
}

/* Scores on their way to the caller: n frames in session->scores. */
typedef struct {
    size_t n;
    sigrep_status status;
} score_batch;

static void deliver_batch(sigrep *session, score_batch *batch)
{
    if (!batch->n || batch->status) return;
    session->in_callback = true;
    if (session->on_scores(session->user, session->scores, batch->n))
        batch->status = SIGREP_STOPPED;
    session->in_callback = false;
    batch->n = 0;
}

/* The scores of frame i of the last chunk, or NaN. */
static void add_scores(sigrep *session, score_batch *batch, size_t i, bool is_gap)
{
    float *out = session->scores + batch->n * session->n_templates;
    for (size_t j = 0; j < session->n_templates; j++) {
        double d = is_gap ? (double)NAN : (double)searches_scores(session->searches, j)[i];
        out[j] = (float)(d / (double)session->templates[j].length);
    }
    if (++batch->n == SCORES_BATCH) deliver_batch(session, batch);
}

static sigrep_status deliver_scores(sigrep *session)
{
    const searches *in = session->searches;
    const uint64_t from = in->from;
    size_t next = 0;
    score_batch batch = {0};
    for (uint64_t t = from; t < in->to && !batch.status; t++) {
        bool is_gap = next < in->n_gaps && in->gaps[next] == t;
        uint64_t copies = is_gap ? session->gap_frames[next++] : 1;
        for (uint64_t c = 0; c < copies && !batch.status; c++)
            add_scores(session, &batch, (size_t)(t - from), is_gap);
    }
    deliver_batch(session, &batch);
    return batch.status;
}

/* The chunk is searched: deliver its scores and the matches that became final. */
static sigrep_status deliver_chunk(sigrep *session, sigrep_status status)
{
    if (!status && session->on_scores) status = deliver_scores(session);
    if (!status) status = take_matches(session, session->searches->to);
    session->spans[0] = *last_span(session);
    session->n_spans = 1;
    session->n_gaps = 0;
    return status;
}

/* Finish the chunk that was begun, if there is one. Gaps and spans belong to that chunk until then,
 * so none may be added. */
static sigrep_status end_begun(sigrep *session)
{
    if (!session->searches->is_running) return SIGREP_OK;
    return deliver_chunk(session, searches_end(session->searches, &session->matches));
}

sigrep_status session_search_all(sigrep *session)
{
    sigrep_status status = end_begun(session);
    if (status || session->searches->to == session->frames) return status;
    return deliver_chunk(session, searches_run(session->searches, &session->matches));
}

/* A chunk has been appended and more follows. A GPU sweeps it while the next one is appended. The
 * threads of a CPU sweep it now, and search it while they compute the next frames. */
static sigrep_status next_chunk(sigrep *session)
{
    if (!session->background && !session->parts) return session_search_all(session);
    const sigrep_status status = end_begun(session);
    if (status || session->searches->to == session->frames) return status;
    return searches_begin(session->searches);
}

sigrep_status session_go_on(sigrep *session)
{
    return session->background ? SIGREP_OK : next_chunk(session);
}

sigrep_status session_make_room(sigrep *session)
{
    return searches_room(session->searches) ? SIGREP_OK : next_chunk(session);
}

static sigrep_status store_frames(sigrep *session, const float *frames, size_t n)
{
    if (!session->best) return SIGREP_OK;
    int failed = session->store.append(session->store.user, frames, n, session->dim);
    return failed ? SIGREP_STORE_FAILED : SIGREP_OK;
}

/* Append a gap, which counts as score_frames frames of the scores. The frame after it owns the
 * samples from `resume` on. */
static sigrep_status append_gap(sigrep *session, uint64_t score_frames, uint64_t resume)
{
    if (session->n_gaps && last_span(session)->first_frame == session->frames) {
        /* No frame since the last gap, so that gap grows. */
        session->gap_frames[session->n_gaps - 1] += score_frames;
        *last_span(session) = session_begin_span(session, resume);
        return SIGREP_OK;
    }
    sigrep_status status =
        searches_room(session->searches) ? end_begun(session) : session_search_all(session);
    if (!status) status = store_frames(session, session->zero_frame, 1);
    if (status) return status;
    searches_append_gap(session->searches);
    session->gap_frames[session->n_gaps++] = score_frames;
    session->frames++;
    session->spans[session->n_spans++] = session_begin_span(session, resume);
    return SIGREP_OK;
}

/* Append frames of the front end. */
static sigrep_status append(sigrep *session, const float *frames, size_t n)
{
    if (front_end_failed(session->chain)) return SIGREP_NO_MEMORY;
    const size_t passed = n < session->passed_frames ? n : (size_t)session->passed_frames;
    session->passed_frames -= passed;
    frames += passed * session->dim;
    n -= passed;
    while (n) {
        sigrep_status status = session_make_room(session);
        if (status) return status;
        size_t room = searches_room(session->searches);
        size_t now = n < room ? n : room;
        status = store_frames(session, frames, now);
        if (status) return status;
        searches_append(session->searches, frames, now);
        session->frames += now;
        frames += now * session->dim;
        n -= now;
    }
    return SIGREP_OK;
}

/* The span ends here. The front end gives its last frames. */
static sigrep_status end_span(sigrep *session)
{
    const float *frames;
    if (session->samples < session->resumed_at) return SIGREP_BAD_STATE;
    sigrep_status status = end_begun(session);
    if (status) return status;
    last_span(session)->end = session->samples;
    size_t n = front_end_flush(session->chain, &frames);
    return append(session, frames, n);
}

/* n more samples are missing. The frames that a gap counts as are those that cover all of it,
 * however it was cut. */
static sigrep_status take_gap(sigrep *session, uint64_t n)
{
    sigrep_status status = end_span(session);
    uint64_t before = timing_frames_covering(&session->timing, session->gap_samples);
    session->gap_samples += n;
    session->samples += n;
    uint64_t after = timing_frames_covering(&session->timing, session->gap_samples);
    return status ? status : append_gap(session, after - before, session->samples);
}

/* Append the frames of n samples, in parts. */
static sigrep_status append_parts(sigrep *session, size_t n, size_t n_parts)
{
    sigrep_status status = SIGREP_OK;
    session->samples += n;
    for (size_t i = 0; i < n_parts && !status; i++) {
        const float *frames;
        const size_t n_frames = front_end_parts_frames(session->parts, i, &frames);
        status = append(session, frames, n_frames);
    }
    return status;
}

sigrep_status session_take_finite(sigrep *session, const float *samples, size_t n)
{
    const uint64_t before = session->samples - last_span(session)->begin;
    const tasks_beside searching = {searches_tasks(session->searches), searches_do_task,
                                    session->searches};
    const size_t n_parts =
        front_end_parts_push(session->parts, &session->chain, before, samples, n, &searching);
    session->gap_samples = 0;
    if (n_parts) return append_parts(session, n, n_parts);
    sigrep_status status = SIGREP_OK;
    for (size_t now; n && !status; samples += now * session->channels, n -= now) {
        const float *frames;
        now = n < session->max_push ? n : session->max_push;
        const size_t n_frames = front_end_push(session->chain, samples, now, &frames);
        session->samples += now;
        status = append(session, frames, n_frames);
    }
    return status;
}

sigrep_status session_take(sigrep *session, const float *samples, size_t n)
{
    const size_t shared = front_end_parts_most(session->parts);
    const size_t at_once = shared > session->max_push ? shared : session->max_push;
    sigrep_status status = SIGREP_OK;
    while (n && !status) {
        size_t most = n < at_once ? n : at_once;
        size_t run = finite_run(samples, most, session->channels, true);
        if (run) {
            status = session_take_finite(session, samples, run);
        } else {
            run = finite_run(samples, most, session->channels, false);
            status = take_gap(session, run);
        }
        samples += run * session->channels;
        n -= run;
    }
    return status;
}

/* Take the next n samples, finite or not. */
static sigrep_status take_doubles(sigrep *session, const double *samples, size_t n)
{
    sigrep_status status = SIGREP_OK;
    while (n && !status) {
        const size_t most = n < session->max_doubles ? n : session->max_doubles;
        size_t run = finite_run_doubles(samples, most, session->channels, true);
        if (run) {
            const float *frames;
            const size_t got = front_end_push_doubles(session->chain, samples, run, &frames);
            session->gap_samples = 0;
            session->samples += run;
            status = append(session, frames, got);
        } else {
            run = finite_run_doubles(samples, most, session->channels, false);
            status = take_gap(session, run);
        }
        samples += run * session->channels;
        n -= run;
    }
    return status;
}

/* n samples that are pushed: one of both is NULL. */
typedef struct {
    const float *floats;
    const double *doubles;
} pushed;

static sigrep_status take_pushed(sigrep *session, pushed in, size_t at, size_t n)
{
    if (n == 0) return SIGREP_OK; /* the array may be NULL */
    at *= session->channels;
    return in.doubles ? take_doubles(session, in.doubles + at, n)
                      : session_take(session, in.floats + at, n);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A part took this long; the next one should take about PART_NS. */
static void adapt_part(sigrep *session, int64_t took_ns)
{
    if (took_ns > 2 * PART_NS && session->part > 1) session->part /= 2;
    if (took_ns < PART_NS / 2 && session->part < SIZE_MAX / 4) session->part *= 2;
}

/* Push in parts, and ask between them whether to stop. */
static sigrep_status push_parts(sigrep *session, pushed in, size_t n, bool more)
{
    sigrep_status status = SIGREP_OK;
    for (size_t at = 0; !status && (at < n || at == 0);) {
        const bool is_last = n - at <= session->part;
        const size_t now = is_last ? n - at : session->part;
        const int64_t began_ns = is_last ? 0 : now_ns();
        status = take_pushed(session, in, at, now);
        if (!status)
            status = more || !is_last ? session_go_on(session) : session_search_all(session);
        if (is_last) return status;
        adapt_part(session, now_ns() - began_ns);
        if (!status && stopping_is_wanted_now(&session->path.stop)) status = SIGREP_STOPPED;
        at += now;
    }
    return status;
}

static sigrep_status push(sigrep *session, pushed in, size_t n, bool more)
{
    const sigrep_status refused = session_refuses(session);
    if (refused) return refused;
    float_env before = float_env_enter();
    session->over = push_parts(session, in, n, more);
    float_env_leave(before);
    return session->over;
}

sigrep_status sigrep_push(sigrep *session, const float *samples, size_t n)
{
    return push(session, (pushed){.floats = samples}, n, false);
}

sigrep_status sigrep_feed(sigrep *session, const float *samples, size_t n)
{
    return push(session, (pushed){.floats = samples}, n, true);
}

sigrep_status sigrep_push_doubles(sigrep *session, const double *samples, size_t n)
{
    return push(session, (pushed){.doubles = samples}, n, false);
}

sigrep_status sigrep_feed_doubles(sigrep *session, const double *samples, size_t n)
{
    return push(session, (pushed){.doubles = samples}, n, true);
}

sigrep_status sigrep_gap(sigrep *session, uint64_t n)
{
    const sigrep_status refused = session_refuses(session);
    if (refused || !n) return refused;
    if (n > MOST_SAMPLES || session->samples > MOST_SAMPLES - n) return SIGREP_BAD_CONFIG;
    float_env before = float_env_enter();
    session->over = take_gap(session, n);
    if (!session->over) session->over = session_search_all(session);
    float_env_leave(before);
    return session->over;
}

/* Deliver a match unless one of its label that overlaps it was delivered. */
static sigrep_status deliver_if_disjoint(sigrep *session, const frame_match *match,
                                         const span *where, size_t label)
{
    bool is_new;
    sigrep_status status = taken_add(&session->taken, label, match->start, match->end, &is_new);
    if (status || !is_new) return status;
    session->best_left[label]--;
    return deliver(session, match, where, session->samples);
}

/* The N best of each label, lowest score first. */
static sigrep_status deliver_best(sigrep *session)
{
    sigrep_status status = SIGREP_OK;
    for (size_t j = 0; j < session->n_templates; j++) session->best_left[j] = session->best_wanted;
    while (!status) {
        frame_match match;
        span where;
        status = best_next(session->best, &match, &where);
        if (status == SIGREP_STOPPED && !best_is_stopped(session->best)) return SIGREP_OK;
        if (status) return status;
        const size_t label = label_groups_of(session->label_groups, match.index);
        if (session->best_left[label]) status = deliver_if_disjoint(session, &match, &where, label);
        if (!session->best_left[label]) best_leave(session->best);
    }
    return status;
}

static sigrep_status finish(sigrep *session)
{
    sigrep_status status = end_span(session);
    if (!status) status = session_search_all(session);
    if (!status) status = searches_finish(session->searches, &session->matches);
    if (!status) status = take_matches(session, UINT64_MAX);
    if (!status && session->best) status = deliver_best(session);
    return status;
}

sigrep_status sigrep_finish(sigrep *session)
{
    if (session->in_callback) return SIGREP_BAD_CONFIG;
    float_env before = float_env_enter();
    sigrep_status status = session->over ? SIGREP_OK : finish(session);
    bool store_cleared = !session->best || !session->store.clear(session->store.user);
    session_reset(session);
    float_env_leave(before);
    return status || store_cleared ? status : SIGREP_STORE_FAILED;
}
