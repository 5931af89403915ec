#include "filter/search/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "filter/search/cursor.h"
#include "filter/search/detector.h"
#include "filter/search/match_list.h"
#include "filter/search/window.h"
#include "filter/search/zmatch_search.h"
#include "filter/state/state.h"
#include "kernels/kernel.h"

enum { LEAST_BATCH = 8 }; /* columns; fewer take as long */

struct search {
    zmatch_search *zmatch; /* does it all; NULL: the fields below do */
    size_t index;          /* of the template */
    detector_gate gate;
    bool lowest_only;
    trace_cursor cursor;
    detector det;
    finality fin;             /* marks the column before the last batch */
    size_t n_timed;           /* matches of the list whose times are set */
    uint64_t last_final;      /* frames: no later match becomes final before that */
    uint64_t first_candidate; /* frames consumed at the first candidate of the pending match */
    uint64_t batch;           /* columns: the length of the next batch */
    uint64_t first_batch;     /* columns of the batch at an origin: twice the last match's */
    uint64_t last_low;        /* frame before which D(m,.) was last <= eps, in earlier batches */
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Cells above this D cannot matter. */
static float highest_d(const search *se)
{
    return se->lowest_only && se->det.pending ? se->det.d : se->gate.eps;
}

/* The first frame at which a path from the origin is long enough. */
static uint64_t first_end(const search *se)
{
    return se->cursor.origin + se->gate.length_min - 1;
}

/* The end of the block of frame `at`, or `limit` if that is earlier. */
static uint64_t end_of_block(uint64_t at, uint64_t limit)
{
    uint64_t end = (at / KERNEL_BLOCK + 1) * KERNEL_BLOCK;
    return end < limit ? end : limit;
}

/* The pending match became final after `now` frames: add it. */
static sigrep_status add_match(search *se, uint64_t now, match_list *out)
{
    const detector *det = &se->det;
    se->det.pending = false;
    const uint64_t twice = 2 * ((uint64_t)det->last + 1 - se->cursor.origin);
    se->first_batch = twice > LEAST_BATCH ? twice : LEAST_BATCH;
    return match_list_add(out, &(frame_match){.index = se->index,
                                              .start = (uint64_t)det->start,
                                              .end = (uint64_t)det->last + 1,
                                              .first = se->first_candidate,
                                              .final = now,
                                              .d = det->d});
}

/* Apply rule 1. The lowest candidate of a span replaces the best even without overlap. Returns
 * whether this end is the best now. */
static bool take_end(search *se, const trace_end *end)
{
    detector none = {.pending = false};
    detector *det = se->lowest_only ? &none : &se->det;
    bool was_pending = se->det.pending;
    detector_update(det, &se->gate, end);
    if (none.pending) se->det = none;
    if (se->det.pending && !was_pending) se->first_candidate = end->t + 1;
    return se->det.pending && se->det.last == (int64_t)end->t;
}

sigrep_status search_create(search **out, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing)
{
    search *se = *out = calloc(1, sizeof *se);
    if (!se) return SIGREP_NO_MEMORY;
    *se = (search){.index = index, .gate = gate, .lowest_only = lowest_only};
    sigrep_status status =
        cursor_create(&se->cursor, index, x, length, dim, gate.length_max, spacing);
    if (!status) status = finality_create(&se->fin, x, length, dim);
    if (!status) {
        search_reset(se);
        return SIGREP_OK;
    }
    search_destroy(se);
    *out = NULL;
    return status;
}

sigrep_status search_create_zmatch(search **out, size_t index, const float *x, size_t length,
                                   double band, detector_gate gate, bool lowest_only)
{
    search *se = *out = calloc(1, sizeof *se);
    if (!se) return SIGREP_NO_MEMORY;
    se->gate = gate;
    const sigrep_status status =
        zmatch_search_create(&se->zmatch, index, x, length, band, &gate, lowest_only);
    if (!status) return SIGREP_OK;
    free(se);
    *out = NULL;
    return status;
}

void search_destroy(search *se)
{
    if (!se) return;
    zmatch_search_destroy(se->zmatch);
    cursor_free(&se->cursor);
    finality_free(&se->fin);
    free(se);
}

size_t search_overlap(const search *se)
{
    return (size_t)se->gate.length_max + se->cursor.spacing;
}

static void begin_span(search *se, uint64_t origin)
{
    cursor_begin(&se->cursor, origin);
    se->det.pending = false;
    se->last_final = 0;
    se->batch = se->first_batch = KERNEL_BLOCK;
    se->last_low = 0;
}

void search_reset(search *se)
{
    if (se->zmatch) {
        zmatch_search_reset(se->zmatch);
        return;
    }
    begin_span(se, 0);
}

uint64_t search_pending_since(const search *se)
{
    if (se->zmatch) return zmatch_search_pending_since(se->zmatch);
    return se->det.pending && !se->lowest_only ? later(se->last_final, se->first_candidate)
                                               : UINT64_MAX;
}

uint64_t search_cells_traced(const search *se)
{
    return se->cursor.columns * se->cursor.trace.cells.length;
}

/* Set the times of the new matches. A match is unknown until the match before it is final. */
static void set_times(search *se, match_list *out)
{
    for (; se->n_timed < out->n; se->n_timed++) {
        frame_match *match = &out->items[se->n_timed];
        match->first = later(se->last_final, match->first);
        match->final = se->last_final = later(se->last_final, match->final);
    }
}

/* May this end change the pending match? */
static bool is_of_interest(const search *se, const trace_end *end)
{
    if (!(end->d <= se->gate.eps) || !isfinite(end->d)) return false;
    return !se->det.pending || end->d < se->det.d;
}

/* No end above this D is of interest. */
static float bound_of_best(const search *se)
{
    return se->det.pending && se->det.d < se->gate.eps ? se->det.d : se->gate.eps;
}

/* Take the candidates of the last batch from column `at` on. Returns the first end that matters
 * and whose start is in doubt, else the end of the batch. */
static uint64_t take_candidates(search *se, uint64_t at)
{
    const int64_t known_from = cursor_known_from(&se->cursor);
    for (;; at++) {
        at = trace_next_within(&se->cursor.trace, at, bound_of_best(se));
        if (at >= se->cursor.trace.position) return at;
        trace_end end = trace_at(&se->cursor.trace, at);
        if (!is_of_interest(se, &end)) continue;
        if (end.s < known_from) return at;
        if (take_end(se, &end)) cursor_clear_doubt(&se->cursor);
    }
}

/* The end of the next batch. After a match the first batch is short, since the next match may be
 * near. Each later batch is twice as long, up to a block. */
static uint64_t end_of_batch(search *se, uint64_t limit)
{
    const uint64_t end = end_of_block(se->cursor.trace.position, limit);
    const uint64_t most = se->cursor.trace.position + se->batch;
    if (se->batch < KERNEL_BLOCK) se->batch *= 2;
    return most < end ? most : end;
}

/* Trace the columns up to `to`, and mark the column before them. */
static sigrep_status run_batch(search *se, const swept_chunk *in, uint64_t to)
{
    finality_mark(&se->fin, &se->cursor.trace);
    return cursor_advance(&se->cursor, in, to, highest_d(se));
}

/* Trace the last batch again, or its first columns, with no start in doubt. */
static sigrep_status run_resolved(search *se, const swept_chunk *in)
{
    const uint64_t to = se->cursor.trace.position;
    se->batch = se->first_batch;
    const sigrep_status status = cursor_resolve(&se->cursor, in, se->fin.position, highest_d(se));
    return status ? status : run_batch(se, in, end_of_batch(se, to));
}

/* The pending match is final: search on after it. If a candidate of the new origin may end before
 * this batch, the trace starts again from the origin (*again). Else it goes on as it is. */
static sigrep_status next_origin(search *se, const swept_chunk *in, match_list *out, bool *again)
{
    uint64_t origin = (uint64_t)se->det.last + 1;
    sigrep_status status = add_match(se,
                                     finality_of(&se->fin, &se->det, &se->gate, in->frames,
                                                 se->cursor.trace.position, &se->cursor.columns),
                                     out);
    cursor_set_origin(&se->cursor, origin);
    *again = first_end(se) < se->last_low;
    if (*again) {
        cursor_restart(&se->cursor, origin);
        se->batch = se->first_batch;
        se->last_low = 0;
    }
    return status;
}

/* Apply the detector to the last batch. */
static sigrep_status examine(search *se, const swept_chunk *in, match_list *out)
{
    uint64_t at = later(se->fin.position, first_end(se));
    sigrep_status status = SIGREP_OK;
    while (!status) {
        at = take_candidates(se, at);
        if (at < se->cursor.trace.position) {
            status = run_resolved(se, in);
            if (at > se->cursor.trace.position)
                at = se->cursor.trace.position; /* the others follow in the next batch */
            continue;
        }
        if (!se->det.pending || se->lowest_only) break;
        if (!detector_is_final(&se->det, &se->gate, &se->cursor.trace)) break;
        bool again;
        status = next_origin(se, in, out, &again);
        if (again) return status;
        at = later(first_end(se), se->fin.position);
    }
    const uint64_t t = trace_last_within(&se->cursor.trace, se->gate.eps);
    if (t > se->fin.position) se->last_low = t;
    return status;
}

/* May the search pass over columns without tracing them? */
static bool may_skip(const search *se)
{
    return se->cursor.state != CURSOR_FROM_ORIGIN && (se->lowest_only || !se->det.pending);
}

/* A block whose minimum is above this holds no candidate that matters. */
static float candidate_bound(const search *se)
{
    if (!se->lowest_only) return fminf(se->gate.eps, FLT_MAX);
    return se->det.pending ? nextafterf(se->det.d, -1) : FLT_MAX;
}

/* How many of the first n minima are above the bound? This loop passes over most of a stream while
 * a GPU waits, so compilers must be able to vectorise it. */
static size_t minima_above(const float *minima, size_t n, float bound)
{
    enum { TOGETHER = 16 };
    size_t i = 0;
    for (unsigned some = 0; n - i >= TOGETHER; i += TOGETHER) {
        for (size_t k = 0; k < TOGETHER; k++) some |= minima[i + k] <= bound;
        if (some) break;
    }
    while (i < n && !(minima[i] <= bound)) i++;
    return i;
}

/* The first frame from `at` on in a block that may hold a candidate, or `to`. */
static uint64_t next_candidate(const search *se, const swept_chunk *in, uint64_t at, uint64_t to)
{
    const uint64_t first = in->from / KERNEL_BLOCK, end = (to + KERNEL_BLOCK - 1) / KERNEL_BLOCK;
    at = later(at, first_end(se));
    if (at >= to) return to;
    const uint64_t block = at / KERNEL_BLOCK;
    const float *minima = in->minima + (block - first);
    const size_t above = minima_above(minima, (size_t)(end - block), candidate_bound(se));
    if (above) at = (block + above) * KERNEL_BLOCK;
    return at < to ? at : to;
}

/* Search frames [from, to), which have no gap. The cursor is at `from` or before. */
static sigrep_status search_gapless(search *se, const swept_chunk *in, uint64_t from, uint64_t to,
                                    match_list *out)
{
    sigrep_status status = SIGREP_OK;
    for (uint64_t at = from; at < to && !status; at = se->cursor.trace.position) {
        if (may_skip(se) && at >= in->from) {
            at = next_candidate(se, in, at, to);
            if (at >= to) break;
            status = cursor_skip_to(&se->cursor, in, at, highest_d(se));
            if (status) break;
        }
        status = run_batch(se, in, end_of_batch(se, to));
        if (!status) status = examine(se, in, out);
        if (!status && !se->det.pending) status = cursor_compare(&se->cursor, in, se->gate.eps);
    }
    return status;
}

/* A span ends before frame `at`, which is known once `at` + 1 frames are consumed. */
static sigrep_status end_span(search *se, const swept_chunk *in, uint64_t at, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    while (se->det.pending && !status) {
        uint64_t origin = (uint64_t)se->det.last + 1;
        status = add_match(se, at + 1, out);
        if (se->lowest_only) break;
        cursor_restart(&se->cursor, origin);
        while (se->cursor.trace.position < at && !status) {
            uint64_t end = se->cursor.trace.position + KERNEL_BLOCK;
            status = run_batch(se, in, end < at ? end : at);
            if (!status) status = examine(se, in, out);
        }
    }
    if (!status) set_times(se, out);
    return status;
}

/* The window forgets the frames before to - overlap. If a start in doubt needs them, trace from the
 * origin while they are there. */
static sigrep_status end_chunk(search *se, const swept_chunk *in)
{
    trace_cursor *cur = &se->cursor;
    if (cur->state != CURSOR_FROM_OLDER || cur->origin + search_overlap(se) >= in->to)
        return SIGREP_OK;
    cursor_restart(cur, cur->origin);
    sigrep_status status = SIGREP_OK;
    while (cur->state == CURSOR_FROM_ORIGIN && cur->trace.position < in->to && !status) {
        uint64_t end = (cur->trace.position / cur->spacing + 1) * cur->spacing;
        status = cursor_advance(cur, in, end < in->to ? end : in->to, highest_d(se));
        if (!status) status = cursor_compare(cur, in, se->gate.eps);
    }
    return status;
}

sigrep_status search_chunk(search *se, const swept_chunk *in, match_list *out)
{
    if (se->zmatch) return zmatch_search_chunk(se->zmatch, in, out);
    size_t next_gap = 0;
    uint64_t at = in->from;
    sigrep_status status = SIGREP_OK;
    se->n_timed = out->n;
    while (at < in->to && !status) {
        bool more = next_gap < in->n_gaps;
        uint64_t to = more ? in->gaps[next_gap] : in->to;
        status = search_gapless(se, in, at, to, out);
        if (!status && more) status = end_span(se, in, to, out);
        if (more) begin_span(se, to + 1);
        next_gap++;
        at = more ? to + 1 : to;
    }
    if (status) return status;
    set_times(se, out);
    return end_chunk(se, in);
}

sigrep_status search_finish(search *se, const swept_chunk *in, match_list *out)
{
    if (se->zmatch) return zmatch_search_finish(se->zmatch, in, out);
    se->n_timed = out->n;
    return end_span(se, in, in->to, out);
}

sigrep_status search_settle(search *se, const swept_chunk *in)
{
    if (se->zmatch) return SIGREP_OK;
    return cursor_settle(&se->cursor, in, se->gate.eps);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t search_needed(const search *se, uint64_t at, bool with_paths)
{
    if (se->zmatch) return zmatch_search_needed(se->zmatch, at, with_paths);
    const detector *det = &se->det;
    if (det->pending) at = earlier(at, (uint64_t)(with_paths ? det->start : det->last + 1));
    return with_paths ? earlier(at, cursor_earliest(&se->cursor, se->gate.eps)) : at;
}

static void pass_pending(search *se, state_bytes *st, uint64_t at)
{
    detector *det = &se->det;
    state_flag(st, &det->pending);
    if (!det->pending) return;
    state_floats(st, &det->d, 1);
    state_i64(st, &det->start);
    state_i64(st, &det->last);
    /* A match is final at most length_max frames after its end. */
    state_must(st, det->d >= 0 && det->d <= se->gate.eps && det->start >= 0 &&
                       det->start <= det->last && (uint64_t)det->last < at &&
                       at - (uint64_t)det->last <= se->gate.length_max + 1 &&
                       (uint64_t)(det->last - det->start) < se->gate.length_max);
    se->first_candidate = at; /* earlier times were counted: pending_times.h */
    det->pending = !st->is_wrong;
}

void search_pass_state(search *se, state_bytes *st, uint64_t at)
{
    if (se->zmatch) {
        zmatch_search_pass_state(se->zmatch, st, at);
        return;
    }
    if (st->is_reading) begin_span(se, at);
    pass_pending(se, st, at);
    cursor_pass_state(&se->cursor, st, at, se->gate.eps);
    state_u64(st, &se->last_low);
    state_must(st, se->last_low <= at);
    if (se->det.pending) state_must(st, (int64_t)se->cursor.origin <= se->det.start);
}

/* Both have the same pending match, which began and ended equally long ago. */
static bool pending_agrees(const search *se, const search *other)
{
    const detector *a = &se->det, *b = &other->det;
    const int64_t now_a = (int64_t)se->cursor.trace.position;
    const int64_t now_b = (int64_t)other->cursor.trace.position;
    if (!a->pending || !b->pending) return a->pending == b->pending;
    return a->d == b->d && now_a - a->start == now_b - b->start &&
           now_a - a->last == now_b - b->last;
}

bool search_agrees(const search *se, const search *other)
{
    if (se->zmatch) return zmatch_search_agrees(se->zmatch, other->zmatch);
    return pending_agrees(se, other) &&
           trace_agrees(&se->cursor.trace, &other->cursor.trace, se->gate.eps, se->gate.length_max);
}
