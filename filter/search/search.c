#include "filter/search/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BATCH = 8 }; /* columns: fewer cost as much */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The highest D that still matters. */
static float highest_d(const search *se)
{
    return se->lowest_only && se->det.pending ? se->det.d : se->gate.eps;
}

/* The first frame at which a path from the origin can have the least length. */
static uint64_t first_end(const search *se)
{
    return se->on.origin + se->gate.length_min - 1;
}

/* The end of the block of frame `at`, or `limit` if that is earlier. */
static uint64_t end_of_block(uint64_t at, uint64_t limit)
{
    uint64_t end = (at / KERNEL_BLOCK + 1) * KERNEL_BLOCK;
    return end < limit ? end : limit;
}

/* May a path from the origin end as a candidate in frames [from, to)? It began length_max
 * before one of them at most. The lower bound of its cost decides. */
static bool may_end(const search *se, const sweep_step *in, uint64_t from, uint64_t to)
{
    uint64_t begin = from + 1 > se->gate.length_max ? from + 1 - se->gate.length_max : 0;
    begin = later(begin, se->on.origin);
    return trace_least(&se->on.tr, window_at(in->frames, begin), (size_t)(to - begin)) <=
           highest_d(se);
}

/* Report the pending match, which `now` frames made final. */
static sigrep_status report(search *se, uint64_t now, match_list *out)
{
    const detector *det = &se->det;
    se->det.pending = false;
    const uint64_t twice = 2 * ((uint64_t)det->last + 1 - se->on.origin);
    se->enough = twice > LEAST_BATCH ? twice : LEAST_BATCH;
    return match_list_add(out, &(frame_match){.index = se->index,
                                              .start = (uint64_t)det->start,
                                              .end = (uint64_t)det->last + 1,
                                              .first = se->first,
                                              .final = now,
                                              .d = det->d});
}

/* Rule 1, or for the lowest of all: overlap does not matter, equals go to the earlier. Is this
 * the best now? */
static bool take_end(search *se, const trace_end *end)
{
    detector none = {.pending = false};
    detector *det = se->lowest_only ? &none : &se->det;
    bool was_pending = se->det.pending;
    detector_column(det, &se->gate, end);
    if (none.pending) se->det = none;
    if (se->det.pending && !was_pending) se->first = end->t + 1;
    return se->det.pending && se->det.last == (int64_t)end->t;
}

sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing)
{
    *se = (search){.index = index, .gate = gate, .lowest_only = lowest_only};
    se->before_d = malloc(length * sizeof *se->before_d);
    se->before_s = malloc(length * sizeof *se->before_s);
    if (!se->before_d || !se->before_s) return SIGREP_NO_MEMORY;
    sigrep_status status = cursor_create(&se->on, index, x, length, dim, gate.length_max, spacing);
    if (!status) status = trace_create(&se->scout, NULL, x, length, dim);
    if (!status) search_reset(se);
    return status;
}

void search_free(search *se)
{
    cursor_free(&se->on);
    trace_free(&se->scout);
    free(se->before_d);
    free(se->before_s);
}

size_t search_overlap(const search *se)
{
    return (size_t)se->gate.length_max + se->on.spacing;
}

static void begin_stretch(search *se, uint64_t origin)
{
    cursor_begin(&se->on, origin);
    se->det.pending = false;
    se->known = 0;
    se->batch = se->enough = KERNEL_BLOCK;
    se->low = 0;
}

void search_reset(search *se)
{
    begin_stretch(se, 0);
}

uint64_t search_pending_since(const search *se)
{
    return se->det.pending && !se->lowest_only ? later(se->known, se->first) : UINT64_MAX;
}

uint64_t search_cells_traced(const search *se)
{
    return se->on.traced * se->on.tr.cells.length;
}

/* Set the times of what was told: a match that was found before the one before it was final
 * could not be known earlier than that. */
static void set_times(search *se, match_list *out)
{
    for (; se->told < out->n; se->told++) {
        frame_match *match = &out->items[se->told];
        match->first = later(se->known, match->first);
        match->final = se->known = later(se->known, match->final);
    }
}

/* Could this end change what is pending? */
static bool is_of_interest(const search *se, const trace_end *end)
{
    if (!(end->d <= se->gate.eps) || !isfinite(end->d)) return false;
    return !se->det.pending || end->d < se->det.d;
}

/* No D above can be of interest. */
static float bound_of_best(const search *se)
{
    return se->det.pending && se->det.d < se->gate.eps ? se->det.d : se->gate.eps;
}

/* Columns of the last batch from `at` on. Gives the first whose start is in doubt and
 * matters, else the end of the batch. */
static uint64_t take_candidates(search *se, uint64_t at)
{
    int64_t floor = cursor_floor(&se->on);
    for (;; at++) {
        at = trace_next_within(&se->on.tr, at, bound_of_best(se));
        if (at >= se->on.tr.position) return at;
        trace_end end = trace_at(&se->on.tr, at);
        if (!is_of_interest(se, &end)) continue;
        if (end.s < floor) return at;
        if (take_end(se, &end)) cursor_be_certain(&se->on);
    }
}

/* Where the next batch ends. Searches that begin anew every few columns need no whole block at
 * first; where it was too little, the next batch is longer. */
static uint64_t end_of_batch(search *se, uint64_t limit)
{
    const uint64_t end = end_of_block(se->on.tr.position, limit);
    const uint64_t most = se->on.tr.position + se->batch;
    if (se->batch < KERNEL_BLOCK) se->batch *= 2;
    return most < end ? most : end;
}

/* Columns up to `to`, from one that can be gone back to. */
static void run_batch(search *se, const sweep_step *in, uint64_t to)
{
    se->before = se->on.tr.position;
    trace_save(&se->on.tr, se->before_d, se->before_s);
    cursor_to(&se->on, in, to, highest_d(se));
}

/* The same columns again, or the first of them, with nothing in doubt. */
static sigrep_status run_settled(search *se, const sweep_step *in)
{
    const uint64_t to = se->on.tr.position;
    if (se->on.state == CURSOR_LOOSE) se->batch = se->enough;
    sigrep_status status = cursor_settle(&se->on, in, se->before, highest_d(se));
    run_batch(se, in, end_of_batch(se, to));
    return status;
}

enum { WATCHED = 2 * KERNEL_BLOCK }; /* columns: a piece, in long batches of many matches */

/* The column to evaluate from, on to the last such piece before the pending best's end. */
static void move_before(search *se, const sweep_step *in)
{
    trace_restore(&se->scout, se->before_d, se->before_s, se->before);
    if (se->before + WATCHED > (uint64_t)se->det.last) return;
    while (se->before + WATCHED <= (uint64_t)se->det.last) {
        trace_run(&se->scout, window_at(in->frames, se->before), WATCHED, highest_d(se), NULL);
        se->before += WATCHED;
        se->on.traced += WATCHED;
    }
    trace_save(&se->scout, se->before_d, se->before_s);
}

/* After how many frames was the pending best final? At the end of the batch it is. Only cells
 * below the best count, so that few are evaluated. */
static uint64_t when_final(search *se, const sweep_step *in)
{
    uint64_t dead = (uint64_t)se->det.last;
    move_before(se, in);
    do {
        uint64_t begin = se->scout.position, left = se->on.tr.position - begin;
        size_t n = left < WATCHED ? (size_t)left : WATCHED;
        trace_watch w = detector_watch(&se->det, &se->gate, begin);
        trace_run(&se->scout, window_at(in->frames, begin), n, nextafterf(w.d, -1), &w);
        se->on.traced += n;
        dead = later(dead, begin + (uint64_t)(w.latest + 1));
    } while (!detector_is_final(&se->det, &se->gate, &se->scout));
    return dead + 1;
}

/* The pending best is final. Search on from its end: with the trace as it is, if nothing
 * before the batch may be the end of a candidate, else with a new one. */
static sigrep_status next_origin(search *se, const sweep_step *in, match_list *out, bool *again)
{
    uint64_t origin = (uint64_t)se->det.last + 1;
    sigrep_status status = report(se, when_final(se, in), out);
    cursor_set_origin(&se->on, origin);
    *again = first_end(se) < se->low && may_end(se, in, first_end(se), se->low);
    if (*again) {
        cursor_restart(&se->on, origin);
        se->batch = se->enough;
        se->low = 0;
    }
    return status;
}

/* The detector over the last batch. */
static sigrep_status examine(search *se, const sweep_step *in, match_list *out)
{
    uint64_t at = later(se->before, first_end(se));
    sigrep_status status = SIGREP_OK;
    while (!status) {
        at = take_candidates(se, at);
        if (at < se->on.tr.position) {
            uint64_t next = end_of_block(at, se->on.tr.position);
            if (may_end(se, in, at, next))
                status = run_settled(se, in);
            else
                at = next;
            if (at > se->on.tr.position) at = se->on.tr.position; /* the rest comes again */
            continue;
        }
        if (!se->det.pending || se->lowest_only) break;
        if (!detector_is_final(&se->det, &se->gate, &se->on.tr)) break;
        bool again;
        status = next_origin(se, in, out, &again);
        if (again) return status;
        at = later(first_end(se), se->before);
    }
    const uint64_t t = trace_last_within(&se->on.tr, se->gate.eps);
    if (t > se->before) se->low = t;
    return status;
}

static bool is_asleep(const search *se)
{
    return se->on.state != CURSOR_OWN && (se->lowest_only || !se->det.pending);
}

/* The highest minimum of a block that may hold a candidate. */
static float candidate_bound(const search *se)
{
    if (!se->lowest_only) return fminf(se->gate.eps, FLT_MAX);
    return se->det.pending ? nextafterf(se->det.d, -1) : FLT_MAX;
}

/* How many of the n minima at the head are above the bound? Most of a stream is passed over here,
 * between two steps of a GPU, so compilers shall make vectors of it. */
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
static uint64_t next_candidate(const search *se, const sweep_step *in, uint64_t at, uint64_t to)
{
    const uint64_t first = in->from / KERNEL_BLOCK, end = (to + KERNEL_BLOCK - 1) / KERNEL_BLOCK;
    const float bound = candidate_bound(se);
    at = later(at, first_end(se));
    while (at < to) {
        const uint64_t block = at / KERNEL_BLOCK;
        const size_t above =
            minima_above(in->minima + (block - first), (size_t)(end - block), bound);
        if (above) at = (block + above) * KERNEL_BLOCK;
        if (at >= to) break;
        const uint64_t next = end_of_block(at, to);
        if (may_end(se, in, at, next)) return at;
        at = next;
    }
    return to;
}

/* Frames [from, to) without a gap, the trace being at `from` or before. */
static sigrep_status search_piece(search *se, const sweep_step *in, uint64_t from, uint64_t to,
                                  match_list *out)
{
    sigrep_status status = SIGREP_OK;
    for (uint64_t at = from; at < to && !status; at = se->on.tr.position) {
        if (is_asleep(se) && at >= in->from) {
            at = next_candidate(se, in, at, to);
            if (at >= to) break;
            status = cursor_wake(&se->on, in, at, highest_d(se));
            if (status) break;
        }
        run_batch(se, in, end_of_batch(se, to));
        status = examine(se, in, out);
        if (!status && !se->det.pending) status = cursor_couple(&se->on, in, se->gate.eps);
    }
    return status;
}

/* The span has ended before frame `at`, which was known after `at` + 1 frames. */
static sigrep_status end_stretch(search *se, const sweep_step *in, uint64_t at, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    while (se->det.pending && !status) {
        uint64_t origin = (uint64_t)se->det.last + 1;
        status = report(se, at + 1, out);
        if (se->lowest_only) break;
        cursor_restart(&se->on, origin);
        while (se->on.tr.position < at && !status) {
            uint64_t end = se->on.tr.position + KERNEL_BLOCK;
            run_batch(se, in, end < at ? end : at);
            status = examine(se, in, out);
        }
    }
    if (!status) set_times(se, out);
    return status;
}

/* The frames before to - overlap are forgotten: nothing may be in doubt that needs them. */
static sigrep_status end_step(search *se, const sweep_step *in)
{
    trace_cursor *on = &se->on;
    if (on->state != CURSOR_LOOSE || on->origin + search_overlap(se) >= in->to) return SIGREP_OK;
    cursor_restart(on, on->origin);
    sigrep_status status = SIGREP_OK;
    while (on->state == CURSOR_OWN && on->tr.position < in->to && !status) {
        uint64_t end = (on->tr.position / on->spacing + 1) * on->spacing;
        cursor_to(on, in, end < in->to ? end : in->to, highest_d(se));
        status = cursor_couple(on, in, se->gate.eps);
    }
    return status;
}

sigrep_status search_step(search *se, const sweep_step *in, match_list *out)
{
    size_t next_break = 0;
    uint64_t at = in->from;
    sigrep_status status = SIGREP_OK;
    se->told = out->n;
    while (at < in->to && !status) {
        bool more = next_break < in->n_breaks;
        uint64_t to = more ? in->breaks[next_break] : in->to;
        status = search_piece(se, in, at, to, out);
        if (!status && more) status = end_stretch(se, in, to, out);
        if (more) begin_stretch(se, to + 1);
        next_break++;
        at = more ? to + 1 : to;
    }
    if (status) return status;
    set_times(se, out);
    return end_step(se, in);
}

sigrep_status search_finish(search *se, const sweep_step *in, match_list *out)
{
    se->told = out->n;
    return end_stretch(se, in, in->to, out);
}
