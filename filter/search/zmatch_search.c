#include "filter/search/zmatch_search.h"

#include <math.h>
#include <stdlib.h>

#include "filter/search/cursor.h"
#include "filter/search/detector.h"
#include "filter/search/match_list.h"
#include "filter/search/window.h"
#include "filter/state/state.h"
#include "filter/status.h"
#include "kernels/zmatch/zmatch.h"

enum { UNASKED = 1 << 22 }; /* values whose bounds are computed between two questions */

struct zmatch_search {
    size_t index; /* of the template */
    size_t m, band;
    detector_gate gate;
    bool lowest_only;
    zmatch *distances;
    detector det;
    uint64_t first_candidate; /* frames consumed at the first candidate of the pending match */
    uint64_t next;            /* the first frame of the next window */
    uint64_t end;             /* frames consumed */
    uint64_t unasked;         /* work since the last question whether to stop */
};

sigrep_status zmatch_search_create(zmatch_search **out, size_t index, const float *x, size_t length,
                                   double band, const detector_gate *gate, bool lowest_only)
{
    zmatch_search *se = *out = calloc(1, sizeof *se);
    if (!se) return SIGREP_NO_MEMORY;
    *se = (zmatch_search){.index = index,
                          .m = length,
                          .band = zmatch_band(band, length),
                          .gate = *gate,
                          .lowest_only = lowest_only};
    const sigrep_status status = zmatch_create(&se->distances, NULL, x, length, se->band);
    if (!status) return SIGREP_OK;
    zmatch_search_destroy(se);
    *out = NULL;
    return status;
}

void zmatch_search_destroy(zmatch_search *se)
{
    if (!se) return;
    zmatch_destroy(se->distances);
    free(se);
}

static void begin_span(zmatch_search *se, uint64_t at)
{
    se->det.pending = false;
    se->next = at;
}

void zmatch_search_reset(zmatch_search *se)
{
    begin_span(se, 0);
    se->end = 0;
}

uint64_t zmatch_search_pending_since(const zmatch_search *se)
{
    return se->det.pending && !se->lowest_only ? se->first_candidate : UINT64_MAX;
}

/* A window whose D is above this changes nothing. */
static float highest_d(const zmatch_search *se)
{
    return se->det.pending ? nextafterf(se->det.d, -INFINITY) : se->gate.eps;
}

/* Rule 1. The lowest candidate of a span replaces the best even without overlap. */
static void take(zmatch_search *se, const trace_end *end)
{
    if (!se->det.pending) se->first_candidate = end->t + 1;
    if (se->lowest_only) se->det.pending = false;
    detector_update(&se->det, &se->gate, end);
}

/* The pending match became final after `now` frames. */
static sigrep_status add_match(zmatch_search *se, uint64_t now, match_list *out)
{
    const detector *det = &se->det;
    se->det.pending = false;
    return match_list_add(out, &(frame_match){.index = se->index,
                                              .start = (uint64_t)det->start,
                                              .end = (uint64_t)det->last + 1,
                                              .first = se->first_candidate,
                                              .final = now,
                                              .d = det->d});
}

/* Rule 2: the pending match is final if the next window, at `next`, does not overlap it. */
static sigrep_status end_pending(zmatch_search *se, uint64_t next, match_list *out)
{
    const uint64_t last = (uint64_t)se->det.last;
    if (!se->det.pending || se->lowest_only || next <= last) return SIGREP_OK;
    return add_match(se, last + se->m, out);
}

/* Of the n next windows, how many overlap the pending match? All, if there is none. */
static size_t count_rivals(const zmatch_search *se, size_t n)
{
    if (!se->det.pending || se->lowest_only) return n;
    const uint64_t rivals = (uint64_t)se->det.last + 1 - se->next;
    return rivals < n ? (size_t)rivals : n;
}

/* D of the window that begins at `start`, if it is low enough. */
static sigrep_status take_candidate(zmatch_search *se, const swept_chunk *in, uint64_t start,
                                    float d, match_list *out)
{
    const uint64_t t = start + se->m - 1;
    const sigrep_status status = end_pending(se, start, out);
    if (in->scores) in->scores[t - in->from] = d;
    if (d <= highest_d(se)) take(se, &(trace_end){.t = t, .d = d, .s = (int64_t)start});
    return status;
}

/* Ask whether to stop, after bounds of n windows and the D of some. */
static bool is_stopped(zmatch_search *se, const swept_chunk *in, size_t n)
{
    const uint64_t work = se->m * (n + ZMATCH_LANES * (2 * (uint64_t)se->band + 1));
    return in->stop && stopping_wanted(in->stop, &se->unasked, work);
}

/* Search the n next windows. Those that overlap the pending match come alone, since after it more
 * of D is low enough. */
static sigrep_status search_windows(zmatch_search *se, const swept_chunk *in, size_t n,
                                    match_list *out)
{
    const size_t most = 1 + UNASKED / se->m;
    zmatch_candidates candidates;
    sigrep_status status = SIGREP_OK;
    zmatch_look(se->distances, window_at(in->frames, se->next), n);
    for (size_t s = 0, from = 0; s < n && !status; from = s) {
        const size_t rivals = count_rivals(se, n), to = rivals - s < most ? rivals : s + most;
        const float bound = in->scores ? INFINITY : highest_d(se);
        s = zmatch_find(se->distances, s, to, bound, &candidates);
        for (size_t i = 0; i < candidates.n && !status; i++)
            status = take_candidate(se, in, se->next + candidates.at[i], candidates.d[i], out);
        if (!status && s == count_rivals(se, n)) status = end_pending(se, se->next + s, out);
        if (!status && is_stopped(se, in, s - from)) status = SIGREP_STOPPED;
    }
    se->next += n;
    return status;
}

/* Search all windows that end before frame `to`. */
static sigrep_status search_gapless(zmatch_search *se, const swept_chunk *in, uint64_t to,
                                    match_list *out)
{
    sigrep_status status = SIGREP_OK;
    while (se->next + se->m <= to && !status) {
        const uint64_t left = to - se->m + 1 - se->next;
        status = search_windows(se, in, left < se->m ? (size_t)left : se->m, out);
    }
    return status;
}

sigrep_status zmatch_search_chunk(zmatch_search *se, const swept_chunk *in, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    for (uint64_t t = in->from; in->scores && t < in->to; t++) in->scores[t - in->from] = NAN;
    for (size_t i = 0; i < in->n_gaps && !status; i++) {
        const uint64_t gap = in->gaps[i];
        status = search_gapless(se, in, gap, out);
        if (!status && se->det.pending) status = add_match(se, gap + 1, out);
        begin_span(se, gap + 1);
    }
    se->end = in->to;
    return status ? status : search_gapless(se, in, in->to, out);
}

sigrep_status zmatch_search_finish(zmatch_search *se, const swept_chunk *in, match_list *out)
{
    return se->det.pending ? add_match(se, in->to + 1, out) : SIGREP_OK;
}

/* The next window began equally long ago in both, and so did the pending match. */
bool zmatch_search_agrees(const zmatch_search *se, const zmatch_search *other)
{
    const detector *a = &se->det, *b = &other->det;
    if (se->end - se->next != other->end - other->next || a->pending != b->pending) return false;
    return !a->pending ||
           (a->d == b->d && (int64_t)se->end - a->start == (int64_t)other->end - b->start);
}

uint64_t zmatch_search_needed(const zmatch_search *se, uint64_t at, bool with_paths)
{
    const uint64_t start = (uint64_t)se->det.start;
    const uint64_t first = se->det.pending && with_paths ? start : se->next;
    return first < at ? first : at;
}

void zmatch_search_pass_state(zmatch_search *se, state_bytes *st, uint64_t at)
{
    detector *det = &se->det;
    if (st->is_reading) begin_span(se, at);
    se->end = at;
    state_u64(st, &se->next);
    state_must(st, se->next <= at && at - se->next < se->m);
    state_flag(st, &det->pending);
    if (!det->pending) return;
    state_floats(st, &det->d, 1);
    state_i64(st, &det->start);
    state_must(st, det->d >= 0 && det->d <= se->gate.eps && det->start >= 0 &&
                       (uint64_t)det->start < se->next && se->next - (uint64_t)det->start < se->m);
    det->last = st->is_wrong ? 0 : det->start + ((int64_t)se->m - 1);
    se->first_candidate = at; /* earlier times were counted: pending_times.h */
    det->pending = !st->is_wrong;
    if (st->is_wrong) se->next = at;
}
