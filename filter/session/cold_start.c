/*
 * cold_start.c - a search that begins in the middle of an input.
 *
 *     samples   ------|-- warm-up --|-------- position ------>
 *                     from          the first frame that counts: a cold start
 *
 * The front end begins at a multiple of its period and reads its memory, so from `position` on its
 * frames are those of the whole input, if no gap came before. The frames of the warm-up are
 * dropped. They keep their numbers in the span, so first_frame lies before 0 (modulo 2^64).
 */
#include "filter/features/timing.h"
#include "filter/search/label_groups.h"
#include "filter/search/searches.h"
#include "filter/session/session.h"
#include "filter/status.h"
#include "kernels/float_env.h"

sigrep_status sigrep_begin_at(sigrep *session, uint64_t position, uint64_t *from,
                              sigrep_error *error)
{
    const frame_timing *timing = &session->timing;
    if (session->samples > 0 || session_refuses(session) || session->best || session->on_scores)
        return status_fail(error, SIGREP_BAD_CONFIG,
                           "only a new search by thresholds, without scores, begins in the middle");
    if (timing->period == 0 || timing->per > 1 || timing->memory == UINT64_MAX)
        return status_fail(error, SIGREP_BAD_FRONT_END,
                           "'%.60s' depends on all samples before; it cannot begin in the middle",
                           session->spec);
    if (position > INT64_MAX / 2)
        return status_fail(error, SIGREP_BAD_CONFIG, "a position beyond 2^62");
    const uint64_t frame = timing_frame_at(timing, position);
    const uint64_t needed = timing_samples_needed(timing, frame + 1);
    uint64_t begin = needed > timing->memory ? needed - timing->memory : 0;
    if (begin > position) begin = position;
    *from = begin / timing->period * timing->period;
    session->samples = *from;
    session->cold_at = position;
    session->spans[0] = session_begin_span(session, *from);
    return SIGREP_OK;
}

/* ---- have two joined? ---- */

/* Do both front ends give the same frames from now on? One that has read its memory since its
 * begin does as any that began a number of periods earlier. */
static bool front_ends_agree(const sigrep *session, const sigrep *other)
{
    const uint64_t a = session->spans[0].begin, b = other->spans[0].begin;
    const uint64_t apart = a < b ? b - a : a - b;
    if (session->passed_frames || other->passed_frames) return false;
    return apart % session->timing.period == 0;
}

/* Search what was taken. */
static sigrep_status settle(sigrep *session)
{
    if (session->over) return session->over;
    session->over = session_search_all(session);
    if (!session->over) session->over = searches_settle(session->searches);
    return session->over;
}

sigrep_status sigrep_has_joined(sigrep *session, sigrep *other, int *joined)
{
    *joined = 0;
    if (session->best || other->best || session->n_templates != other->n_templates ||
        session->samples != other->samples || session->timing.period == 0 || session->in_callback ||
        other->in_callback)
        return SIGREP_BAD_CONFIG;
    const float_env before = float_env_enter();
    sigrep_status status = settle(session);
    if (!status) status = settle(other);
    float_env_leave(before);
    if (status) return status;
    *joined = front_ends_agree(session, other) &&
              searches_agree(session->searches, other->searches) &&
              label_groups_agree(session->label_groups, session->frames, other->label_groups,
                                 other->frames);
    return SIGREP_OK;
}
