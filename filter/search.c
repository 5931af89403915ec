#include "filter/search.h"

#include <math.h>
#include <stdlib.h>

sigrep_status search_create(search *se, size_t index, const float *x, size_t length, size_t dim,
                            detector_gate gate, bool lowest_only, size_t spacing)
{
    *se = (search){.index = index, .gate = gate, .lowest_only = lowest_only, .spacing = spacing};
    sigrep_status status = trace_create(&se->tr, x, length, dim);
    if (status) return status;
    se->column = malloc(length * sizeof *se->column);
    if (!se->column) return SIGREP_NO_MEMORY;
    search_reset(se);
    return SIGREP_OK;
}

void search_free(search *se)
{
    trace_free(&se->tr);
    free(se->column);
}

size_t search_overlap(const search *se)
{
    return (size_t)se->gate.length_max + se->spacing;
}

/* Nothing before `origin` counts any more; the sweep starts cold there as well. */
static void begin_stretch(search *se, uint64_t origin)
{
    trace_start_cold(&se->tr, origin);
    se->det.pending = false;
    se->coupled = true;
    se->known = 0;
}

void search_reset(search *se)
{
    begin_stretch(se, 0);
}

uint64_t search_pending_since(const search *se)
{
    return se->det.pending && !se->lowest_only ? se->first : UINT64_MAX;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static sigrep_status tell(search *se, found_list *out)
{
    const detector *det = &se->det;
    return found_add(out, &(found){.index = se->index,
                                   .start = (uint64_t)det->start,
                                   .end = (uint64_t)det->last + 1,
                                   .first = se->first,
                                   .final = se->known,
                                   .d = det->d});
}

/* Tell the pending match and search on from the frame after its end. */
static sigrep_status tell_and_restart(search *se, uint64_t now, found_list *out)
{
    se->known = later(se->known, now);
    sigrep_status status = tell(se, out);
    trace_start_cold(&se->tr, (uint64_t)se->det.last + 1);
    se->det.pending = false;
    se->coupled = false;
    return status;
}

static void trace_next(search *se, const window *frames)
{
    trace_column(&se->tr, window_at(frames, se->tr.position));
    se->traced++;
}

/* Rule 1 for the lowest of all: overlap does not matter, equals go to the earlier. */
static void take_lowest(search *se)
{
    detector none = {.pending = false};
    float d = trace_distance(&se->tr);
    if (se->det.pending && d >= se->det.d) return;
    detector_column(&none, &se->gate, &se->tr);
    if (none.pending) se->det = none;
}

/* Columns up to `to`, with the detector; goes back after every match. */
static sigrep_status run(search *se, const window *frames, uint64_t to, found_list *out)
{
    while (se->tr.position < to) {
        trace_next(se, frames);
        if (se->lowest_only) {
            take_lowest(se);
            continue;
        }
        bool was_pending = se->det.pending;
        detector_column(&se->det, &se->gate, &se->tr);
        if (!se->det.pending) continue;
        if (!was_pending) se->first = later(se->known, se->tr.position);
        if (!detector_is_final(&se->det, &se->gate, &se->tr)) continue;
        sigrep_status status = tell_and_restart(se, se->tr.position, out);
        if (status) return status;
    }
    return SIGREP_OK;
}

/* Be at column `at` with every start within the gate exact: from where the search fell
 * asleep, or from a kept column if that is nearer. */
static sigrep_status wake(search *se, const search_step_input *in, uint64_t at)
{
    uint64_t history = se->gate.length_max;
    uint64_t kept = at > history ? (at - history) / se->spacing * se->spacing : 0;
    if (kept > se->tr.position) {
        sigrep_status status = in->ops->column(in->kernel, se->index, kept, se->tr.d);
        if (status) return status;
        trace_start_from(&se->tr, kept);
    }
    while (se->tr.position < at) trace_next(se, in->frames);
    return SIGREP_OK;
}

/* Do two columns agree as far as it matters? Above eps no path can lead to a candidate. */
static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && (a[i] <= eps || b[i] <= eps)) return false;
    return true;
}

/* After a match: does the search's column agree with the sweep's by now? */
static sigrep_status couple(search *se, const search_step_input *in)
{
    if (se->coupled || se->tr.position % se->spacing) return SIGREP_OK;
    sigrep_status status = in->ops->column(in->kernel, se->index, se->tr.position, se->column);
    if (status) return status;
    se->coupled = columns_agree(se->column, se->tr.d, se->tr.length, se->gate.eps);
    return SIGREP_OK;
}

static bool may_hold_candidate(const search *se, float minimum)
{
    if (!isfinite(minimum)) return false;
    if (se->lowest_only) return !se->det.pending || minimum < se->det.d;
    return minimum <= se->gate.eps;
}

/* A piece [from, to) lies in one block and has no gap. */
static sigrep_status search_piece(search *se, const search_step_input *in, uint64_t from,
                                  uint64_t to, float minimum, found_list *out)
{
    bool asleep = se->coupled && (se->lowest_only || !se->det.pending);
    if (asleep) {
        if (!may_hold_candidate(se, minimum)) return SIGREP_OK;
        sigrep_status status = wake(se, in, from);
        if (status) return status;
    }
    sigrep_status status = run(se, in->frames, to, out);
    return status ? status : couple(se, in);
}

/* The stretch has ended before frame `at`, which was known after `at` + 1 frames. */
static sigrep_status end_stretch(search *se, const window *frames, uint64_t at, found_list *out)
{
    se->known = later(se->known, at + 1);
    if (se->lowest_only) return se->det.pending ? tell(se, out) : SIGREP_OK;
    while (se->det.pending) {
        sigrep_status status = tell_and_restart(se, at + 1, out);
        if (!status) status = run(se, frames, at, out);
        if (status) return status;
    }
    return SIGREP_OK;
}

sigrep_status search_step(search *se, const search_step_input *in, found_list *out)
{
    size_t next_break = 0;
    uint64_t at = in->from;
    while (at < in->to) {
        bool more = next_break < in->n_breaks;
        if (more && in->breaks[next_break] == at) {
            sigrep_status status = end_stretch(se, in->frames, at, out);
            if (status) return status;
            begin_stretch(se, ++at);
            next_break++;
            continue;
        }
        uint64_t to = (at / KERNEL_BLOCK + 1) * KERNEL_BLOCK;
        if (to > in->to) to = in->to;
        if (more && in->breaks[next_break] < to) to = in->breaks[next_break];
        float minimum = in->minima[at / KERNEL_BLOCK - in->from / KERNEL_BLOCK];
        sigrep_status status = search_piece(se, in, at, to, minimum, out);
        if (status) return status;
        at = to;
    }
    return SIGREP_OK;
}

sigrep_status search_finish(search *se, const search_step_input *in, found_list *out)
{
    return end_stretch(se, in->frames, in->to, out);
}
