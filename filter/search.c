#include "filter/search_state.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing)
{
    *se = (search){.index = index, .gate = gate, .lowest_only = lowest_only};
    se->before_d = malloc(length * sizeof *se->before_d);
    se->before_s = malloc(length * sizeof *se->before_s);
    if (!se->before_d || !se->before_s) return SIGREP_NO_MEMORY;
    sigrep_status status = walk_create(&se->on, index, x, length, dim, gate.length_max, spacing);
    if (!status) status = trace_create(&se->scout, NULL, x, length, dim);
    if (!status) status = endings_create(&se->late, length, gate);
    if (!status) search_reset(se);
    return status;
}

void search_free(search *se)
{
    walk_free(&se->on);
    trace_free(&se->scout);
    endings_free(&se->late);
    free(se->before_d);
    free(se->before_s);
}

size_t search_overlap(const search *se)
{
    return (size_t)se->gate.length_max + se->on.spacing;
}

static void begin_stretch(search *se, uint64_t origin)
{
    walk_begin(&se->on, origin);
    se->det.pending = false;
    se->known = 0;
    se->batch = se->enough = KERNEL_BLOCK;
    se->low = 0;
}

void search_reset(search *se)
{
    endings_forget(&se->late);
    begin_stretch(se, 0);
}

uint64_t search_pending_since(const search *se)
{
    return se->det.pending && !se->lowest_only ? later(se->known, se->first) : UINT64_MAX;
}

uint64_t search_cells_traced(const search *se)
{
    return (se->on.traced + se->late.columns) * se->on.tr.cells.length;
}

/* A quarter of the columns with starts costs as much as to carry them along through all. */
bool search_wants_starts(search *se, uint64_t frames, bool carried)
{
    const uint64_t before = se->looked_at;
    se->looked_at = se->on.traced + se->on.followed;
    return !se->lowest_only && (se->looked_at - before) * (carried ? 8 : 4) > frames;
}

/* Set the times of what was told: a match that was found before the one before it was final
 * could not be known earlier than that. */
static sigrep_status set_times(search *se, const sweep_step *in, found_list *out)
{
    sigrep_status status = search_find_late(se, in, out);
    for (; se->told < out->n && !status; se->told++) {
        found *match = &out->items[se->told];
        match->first = later(se->known, match->first);
        match->final = se->known = later(se->known, match->final);
    }
    return status;
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
    int64_t floor = walk_floor(&se->on);
    for (;; at++) {
        at = trace_next_within(&se->on.tr, at, bound_of_best(se));
        if (at >= se->on.tr.position) return at;
        trace_end end = trace_at(&se->on.tr, at);
        if (!is_of_interest(se, &end)) continue;
        if (end.s < floor) return at;
        if (search_take(se, &end)) walk_be_certain(&se->on);
    }
}

/* Where the next batch ends. Searches that begin anew every few columns need no whole block at
 * first; where it was too little, the next batch is longer. */
static uint64_t end_of_batch(search *se, uint64_t limit)
{
    const uint64_t end = search_end_of_block(se->on.tr.position, limit);
    const uint64_t most = se->on.tr.position + se->batch;
    if (se->batch < KERNEL_BLOCK) se->batch *= 2;
    return most < end ? most : end;
}

/* Columns up to `to`, from one that can be gone back to. */
static void run_batch(search *se, const sweep_step *in, uint64_t to)
{
    se->before = se->on.tr.position;
    trace_save(&se->on.tr, se->before_d, se->before_s);
    walk_to(&se->on, in, to, search_bound(se));
}

/* The same columns again, or the first of them, with nothing in doubt. */
static sigrep_status run_settled(search *se, const sweep_step *in)
{
    const uint64_t to = se->on.tr.position;
    if (se->on.state == WALK_LOOSE) se->batch = se->enough;
    sigrep_status status = walk_settle(&se->on, in, se->before, search_bound(se));
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
        trace_run(&se->scout, window_at(in->frames, se->before), WATCHED, search_bound(se), NULL);
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
static sigrep_status next_origin(search *se, const sweep_step *in, found_list *out, bool *again)
{
    uint64_t origin = (uint64_t)se->det.last + 1;
    sigrep_status status = search_tell(se, when_final(se, in), out);
    walk_set_origin(&se->on, origin);
    *again =
        search_first_end(se) < se->low && search_may_end(se, in, search_first_end(se), se->low);
    if (*again) {
        walk_restart(&se->on, origin);
        se->batch = se->enough;
        se->low = 0;
    }
    return status;
}

/* The detector over the last batch. */
static sigrep_status examine(search *se, const sweep_step *in, found_list *out)
{
    uint64_t at = later(se->before, search_first_end(se));
    sigrep_status status = SIGREP_OK;
    while (!status) {
        at = take_candidates(se, at);
        if (at < se->on.tr.position) {
            uint64_t next = search_end_of_block(at, se->on.tr.position);
            if (search_may_end(se, in, at, next))
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
        at = later(search_first_end(se), se->before);
    }
    const uint64_t t = trace_last_within(&se->on.tr, se->gate.eps);
    if (t > se->before) se->low = t;
    return status;
}

static bool is_asleep(const search *se)
{
    return se->on.state != WALK_OWN && (se->lowest_only || !se->det.pending);
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
    at = later(at, search_first_end(se));
    while (at < to) {
        const uint64_t block = at / KERNEL_BLOCK;
        const size_t above =
            minima_above(in->minima + (block - first), (size_t)(end - block), bound);
        if (above) at = (block + above) * KERNEL_BLOCK;
        if (at >= to) break;
        const uint64_t next = search_end_of_block(at, to);
        if (search_may_end(se, in, at, next)) return at;
        at = next;
    }
    return to;
}

/* Frames [from, to) without a gap, the trace being at `from` or before. */
static sigrep_status search_piece(search *se, const sweep_step *in, uint64_t from, uint64_t to,
                                  found_list *out)
{
    sigrep_status status = SIGREP_OK;
    for (uint64_t at = from; at < to && !status; at = se->on.tr.position) {
        if (is_asleep(se) && at >= in->from) {
            at = next_candidate(se, in, at, to);
            if (at >= to) break;
            uint64_t first, last = to;
            if (walk_may_follow(&se->on, in, at, &first, &last)) {
                status = search_follow(se, in, first, last, out);
                continue;
            }
            status = walk_wake(&se->on, in, at, search_bound(se));
            if (status) break;
        }
        run_batch(se, in, end_of_batch(se, to));
        status = examine(se, in, out);
        if (!status && !se->det.pending) status = walk_couple(&se->on, in, se->gate.eps);
    }
    return status;
}

/* The stretch has ended before frame `at`, which was known after `at` + 1 frames. */
static sigrep_status end_stretch(search *se, const sweep_step *in, uint64_t at, found_list *out)
{
    sigrep_status status = SIGREP_OK;
    while (se->det.pending && !status) {
        uint64_t origin = (uint64_t)se->det.last + 1;
        status = search_tell(se, at + 1, out);
        if (se->lowest_only) break;
        walk_restart(&se->on, origin);
        while (se->on.tr.position < at && !status) {
            uint64_t end = se->on.tr.position + KERNEL_BLOCK;
            run_batch(se, in, end < at ? end : at);
            status = examine(se, in, out);
        }
    }
    return status ? status : set_times(se, in, out);
}

/* The frames before to - overlap are forgotten: nothing may be in doubt that needs them. */
static sigrep_status end_step(search *se, const sweep_step *in)
{
    walk *on = &se->on;
    if (on->state != WALK_LOOSE || on->origin + search_overlap(se) >= in->to) return SIGREP_OK;
    walk_restart(on, on->origin);
    sigrep_status status = SIGREP_OK;
    while (on->state == WALK_OWN && on->tr.position < in->to && !status) {
        uint64_t end = (on->tr.position / on->spacing + 1) * on->spacing;
        walk_to(on, in, end < in->to ? end : in->to, search_bound(se));
        status = walk_couple(on, in, se->gate.eps);
    }
    return status;
}

sigrep_status search_step(search *se, const sweep_step *in, found_list *out)
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
    if (!status) status = set_times(se, in, out);
    return status ? status : end_step(se, in);
}

sigrep_status search_finish(search *se, const sweep_step *in, found_list *out)
{
    se->told = out->n;
    return end_stretch(se, in, in->to, out);
}
