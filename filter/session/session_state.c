/* session_state.c - sigrep_save and sigrep_resume; see session.h. */
#include <string.h>

#include "filter/search/label_groups.h"
#include "filter/search/searches.h"
#include "filter/session/session.h"
#include "filter/session/template.h"
#include "filter/status.h"
#include "kernels/float_env.h"

/* ---- whose state is it? ---- */

static uint64_t hash_template(uint64_t hash, const template *x, size_t min_matches)
{
    const uint64_t wholes[] = {x->length, x->dim, x->gate.length_min, x->gate.length_max,
                               min_matches};
    const double reals[] = {x->threshold, x->level, (double)x->gate.eps};
    hash = state_hash(hash, wholes, sizeof wholes);
    hash = state_hash(hash, reals, sizeof reals);
    hash = state_hash(hash, x->label, strlen(x->label) + 1);
    return state_hash(hash, x->frames, x->length * x->dim * sizeof *x->frames);
}

/* Of all templates, and of what is asked of them. */
static uint64_t templates_id(sigrep *session)
{
    uint64_t hash = STATE_HASH;
    for (size_t j = 0; j < session->n_templates && !session->templates_id; j++)
        hash = hash_template(hash, &session->templates[j],
                             label_groups_min_matches(session->label_groups, j));
    if (!session->templates_id) session->templates_id = hash;
    return session->templates_id;
}

static uint64_t front_end_id(const sigrep *session)
{
    const uint64_t channels = session->channels;
    uint64_t hash = state_hash(STATE_HASH, session->spec, strlen(session->spec) + 1);
    hash = state_hash(hash, &session->rate_hz, sizeof session->rate_hz);
    if (session->origin)
        hash = state_hash(hash, session->origin, session->dim * sizeof *session->origin);
    return state_hash(hash, &channels, sizeof channels);
}

static uint64_t wishes_id(const sigrep *session)
{
    return (session->on_scores ? 1u : 0u) + (session->path.is_wanted ? 2u : 0u);
}

/* Pass over an id. Is it this search's? */
static bool pass_id(state_bytes *st, uint64_t id)
{
    uint64_t passed = id;
    state_u64(st, &passed);
    return passed == id;
}

/* Of what search is it? */
static sigrep_status pass_ids(sigrep *session, state_bytes *st, sigrep_error *error)
{
    const sigrep_status bad = SIGREP_BAD_STATE;
    if (!pass_id(st, front_end_id(session)))
        return status_fail(error, bad,
                           "of a search with another front end, rate or number of "
                           "channels");
    if (!pass_id(st, templates_id(session)))
        return status_fail(error, bad,
                           "of a search with other templates, labels, thresholds or "
                           "gates");
    if (!pass_id(st, wishes_id(session)))
        return status_fail(error, bad,
                           "of a search with scores or paths, unlike this one, or "
                           "without");
    return SIGREP_OK;
}

/* ---- where is it? ---- */

static uint64_t frames_needed(const sigrep *session)
{
    const bool paths = session->path.is_wanted;
    const uint64_t at = searches_needed(session->searches, session->searches->to, paths);
    return paths ? label_groups_oldest(session->label_groups, at) : at;
}

/* The samples that were taken, and the last span. */
static void pass_place(sigrep *session, state_bytes *st)
{
    span *last = &session->spans[0]; /* all chunks are searched */
    uint64_t consumed =
        session->samples > session->resumed_at ? session->samples : session->resumed_at;
    state_u64(st, &consumed);
    state_u64(st, &session->gap_samples);
    state_u64(st, &last->first_frame);
    state_u64(st, &last->begin);
    state_must(st, last->begin <= consumed);
    if (st->is_reading) session->samples = session->resumed_at = consumed;
}

/* A front end without a state reads its span again. */
static void pass_front_end(sigrep *session, state_bytes *st)
{
    const span *last = &session->spans[0];
    state_must(st, last->first_frame <= session->frames);
    if (front_end_has_state(session->chain)) {
        front_end_pass_state(session->chain, st);
    } else if (st->is_reading && !st->is_wrong) {
        session->samples = last->begin;
        session->passed_frames = session->frames - last->first_frame;
    }
}

static sigrep_status pass_values(sigrep *session, state_bytes *st)
{
    uint64_t needed = st->is_reading ? 0 : frames_needed(session);
    pass_place(session, st);
    sigrep_status status = searches_pass_state(session->searches, st, &needed);
    if (st->is_reading) session->frames = session->searches->to;
    if (!status) status = label_groups_pass_state(session->label_groups, st, session->searches->to);
    pass_front_end(session, st);
    if (!status && st->is_reading) state_must(st, needed <= frames_needed(session));
    return status;
}

/* ---- the calls ---- */

static sigrep_status save(sigrep *session, sigrep_error *error)
{
    state_bytes *st = &session->state;
    sigrep_status status = session_search_all(session);
    if (!status) status = searches_settle(session->searches);
    session->over = status;
    if (status) return status;
    state_begin_writing(st);
    pass_ids(session, st, NULL);
    status = pass_values(session, st);
    return status ? status : state_end(st, error);
}

sigrep_status sigrep_save(sigrep *session, const void **state, size_t *size, sigrep_error *error)
{
    *state = NULL;
    *size = 0;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    if (session->best)
        return status_fail(error, SIGREP_BAD_CONFIG, "a best-of search has no state");
    if (session->cold_at)
        return status_fail(error, SIGREP_BAD_CONFIG, "the search began in the middle of its input");
    if (session->in_callback)
        return status_fail(error, SIGREP_BAD_CONFIG, "a callback cannot save the state");
    sigrep_status status = session->over;
    if (!status) {
        const float_env before = float_env_enter();
        status = save(session, error);
        float_env_leave(before);
    }
    if (status) return status_fail(error, status, "%s", sigrep_status_text(status));
    *state = session->state.to;
    *size = session->state.at;
    return SIGREP_OK;
}

static sigrep_status resume(sigrep *session, const void *bytes, size_t size, sigrep_error *error)
{
    state_bytes *st = &session->state;
    sigrep_status status = state_begin_reading(st, bytes, size, error);
    if (!status) status = pass_ids(session, st, error);
    if (status) return status;
    status = pass_values(session, st);
    if (status) session->over = status;
    if (status) return status_fail(error, status, "%s", sigrep_status_text(status));
    status = state_end(st, error);
    if (!status) return SIGREP_OK;
    session->frames = 0; /* those of the state, which session_reset would count */
    session_reset(session);
    return status;
}

sigrep_status sigrep_resume(sigrep *session, const void *state, size_t size, uint64_t *from,
                            sigrep_error *error)
{
    *from = 0;
    if (error) *error = (sigrep_error){.template_index = SIZE_MAX};
    if (session->best)
        return status_fail(error, SIGREP_BAD_CONFIG, "a best-of search has no state");
    if (session->cold_at)
        return status_fail(error, SIGREP_BAD_CONFIG, "the search began in the middle of its input");
    if (session_refuses(session) || session->samples || session->resumed_at)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "the search has taken samples already, or a callback runs");
    const float_env before = float_env_enter();
    const sigrep_status status = resume(session, state, size, error);
    float_env_leave(before);
    *from = session->samples;
    return status;
}
