#include "filter/search/cursor.h"

#include <stdlib.h>

#include "filter/search/window.h"
#include "filter/state/state.h"
#include "filter/status.h"

sigrep_status cursor_create(trace_cursor *cur, size_t index, const float *x, size_t length,
                            size_t dim, uint64_t length_max, size_t spacing)
{
    *cur = (trace_cursor){.index = index, .length_max = length_max, .spacing = spacing};
    sigrep_status status = trace_create(&cur->trace, NULL, x, length, dim);
    if (status) return status;
    cur->column = malloc(length * sizeof *cur->column);
    if (!cur->column) return SIGREP_NO_MEMORY;
    cursor_begin(cur, 0);
    return SIGREP_OK;
}

void cursor_free(trace_cursor *cur)
{
    trace_free(&cur->trace);
    free(cur->column);
}

void cursor_begin(trace_cursor *cur, uint64_t origin)
{
    cursor_restart(cur, origin);
    cur->state = CURSOR_LIKE_SWEEP;
}

void cursor_restart(trace_cursor *cur, uint64_t origin)
{
    trace_start_cold(&cur->trace, origin);
    cur->state = CURSOR_FROM_ORIGIN;
    cur->origin = origin;
    cur->since = INT64_MIN;
}

void cursor_set_origin(trace_cursor *cur, uint64_t origin)
{
    if (cur->state != CURSOR_FROM_OLDER) cur->swept = cur->state == CURSOR_LIKE_SWEEP;
    cur->state = CURSOR_FROM_OLDER;
    cur->origin = origin;
}

void cursor_clear_doubt(trace_cursor *cur)
{
    if (cur->state == CURSOR_FROM_OLDER)
        cur->state = cur->swept ? CURSOR_LIKE_SWEEP : CURSOR_FROM_ORIGIN;
    cur->since = INT64_MIN;
}

int64_t cursor_known_from(const trace_cursor *cur)
{
    bool after_origin = cur->since > (int64_t)cur->origin;
    return cur->state == CURSOR_FROM_OLDER && !after_origin ? (int64_t)cur->origin : cur->since;
}

sigrep_status cursor_advance(trace_cursor *cur, const swept_chunk *in, uint64_t to, float bound)
{
    const trace_cells *cells = &cur->trace.cells;
    while (cur->trace.position < to) {
        uint64_t n = to - cur->trace.position;
        if (n > TRACE_BATCH) n = TRACE_BATCH;
        const uint64_t work = n * cells->length * cells->dim;
        if (in->stop && stopping_wanted(in->stop, &cur->unasked, work)) return SIGREP_STOPPED;
        trace_run(&cur->trace, window_at(in->frames, cur->trace.position), (size_t)n, bound, NULL);
        cur->columns += n;
    }
    return SIGREP_OK;
}

/* Go on from the checkpoint at `at`. */
static sigrep_status jump(trace_cursor *cur, const swept_chunk *in, uint64_t at)
{
    sigrep_status status =
        in->checkpoint(in->source, cur->index, at - in->base, trace_column(&cur->trace));
    trace_start_from(&cur->trace, at);
    cur->since = (int64_t)at;
    cur->swept = true;
    return status;
}

/* The last checkpoint at least `back` frames before `at`. */
static uint64_t checkpoint_before(const trace_cursor *cur, uint64_t at, uint64_t back)
{
    return (at > back ? at - back : 0) / cur->spacing * cur->spacing;
}

sigrep_status cursor_skip_to(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound)
{
    const uint64_t checkpoint = checkpoint_before(cur, at, cur->length_max);
    if (checkpoint > cur->trace.position) {
        sigrep_status status = jump(cur, in, checkpoint);
        if (status) return status;
    }
    const sigrep_status status = cursor_advance(cur, in, at, bound);
    /* A path that began before the checkpoint is too long at the next column. */
    if (cur->state == CURSOR_LIKE_SWEEP) cur->since = INT64_MIN;
    return status;
}

sigrep_status cursor_resolve(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound)
{
    cursor_restart(cur, cur->origin);
    return cursor_advance(cur, in, at, bound);
}

static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && (a[i] <= eps || b[i] <= eps)) return false;
    return true;
}

/* Is no cell that matters in doubt? */
static void clear_if_certain(trace_cursor *cur, float eps)
{
    if (cur->state == CURSOR_FROM_OLDER &&
        trace_begins_after(&cur->trace, cursor_known_from(cur), eps))
        cursor_clear_doubt(cur);
}

sigrep_status cursor_compare(trace_cursor *cur, const swept_chunk *in, float eps)
{
    clear_if_certain(cur, eps);
    uint64_t at = cur->trace.position;
    if (cur->state != CURSOR_FROM_ORIGIN || at < in->from || at % cur->spacing) return SIGREP_OK;
    sigrep_status status = in->checkpoint(in->source, cur->index, at - in->base, cur->column);
    if (status) return status;
    if (columns_agree(cur->column, trace_column(&cur->trace), cur->trace.cells.length, eps))
        cur->state = CURSOR_LIKE_SWEEP;
    return SIGREP_OK;
}

/* As cursor_skip_to of the chunk's end. Mostly all paths <= eps are much shorter than length_max,
 * so a nearer checkpoint gives their starts. */
static sigrep_status skip_to_end(trace_cursor *cur, const swept_chunk *in, float eps)
{
    const uint64_t farthest = checkpoint_before(cur, in->to, cur->length_max);
    sigrep_status status = SIGREP_OK;
    if (farthest <= cur->trace.position) return cursor_advance(cur, in, in->to, eps);
    for (uint64_t back = 0, at = farthest + 1; !status && at > farthest; back = 2 * back + 1) {
        at = checkpoint_before(cur, in->to, back * cur->spacing);
        if (at < farthest) at = farthest;
        status = jump(cur, in, at);
        if (!status) status = cursor_advance(cur, in, in->to, eps);
        if (trace_begins_after(&cur->trace, (int64_t)at, eps)) break;
    }
    if (cur->state == CURSOR_LIKE_SWEEP) cur->since = INT64_MIN;
    return status;
}

sigrep_status cursor_settle(trace_cursor *cur, const swept_chunk *in, float eps)
{
    sigrep_status status = skip_to_end(cur, in, eps);
    clear_if_certain(cur, eps);
    if (!status && cur->state == CURSOR_FROM_OLDER) status = cursor_resolve(cur, in, in->to, eps);
    return status;
}

/* The earliest start that matters at the next column: no path is longer than length_max. */
static int64_t oldest_start(const trace_cursor *cur)
{
    const uint64_t at = cur->trace.position, most = cur->length_max ? cur->length_max - 1 : 0;
    return (int64_t)(at - cur->origin > most ? at - most : cur->origin);
}

uint64_t cursor_earliest(const trace_cursor *cur, float eps)
{
    return (uint64_t)trace_earliest(&cur->trace, eps, oldest_start(cur));
}

void cursor_pass_state(trace_cursor *cur, state_bytes *st, uint64_t at, float eps)
{
    uint64_t origin = cur->origin;
    state_u64(st, &origin);
    state_must(st, origin <= at);
    if (st->is_reading) {
        cursor_restart(cur, at);
        cur->origin = st->is_wrong ? at : origin;
    }
    trace_pass_state(&cur->trace, st, eps, oldest_start(cur));
}
