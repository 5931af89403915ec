#include "filter/search/cursor.h"

#include <stdlib.h>

#include "filter/search/window.h"

sigrep_status cursor_create(trace_cursor *cur, size_t index, const float *x, size_t length,
                            size_t dim, uint64_t length_max, size_t spacing)
{
    *cur = (trace_cursor){.index = index, .length_max = length_max, .spacing = spacing};
    sigrep_status status = trace_create(&cur->trace, NULL, x, length, dim);
    if (status) return status;
    cur->column = malloc(length * sizeof *cur->column);
    cur->saved_d = malloc(length * sizeof *cur->saved_d);
    cur->saved_s = malloc(length * sizeof *cur->saved_s);
    if (!cur->column || !cur->saved_d || !cur->saved_s) return SIGREP_NO_MEMORY;
    cursor_begin(cur, 0);
    return SIGREP_OK;
}

void cursor_free(trace_cursor *cur)
{
    trace_free(&cur->trace);
    free(cur->column);
    free(cur->saved_d);
    free(cur->saved_s);
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

/* Starts before `since` are in doubt. Once a path from there would be longer than length_max in the
 * next column, none matters any more. In earlier columns it may be shorter. */
static void forget_old_starts(trace_cursor *cur)
{
    bool aged = cur->since != INT64_MIN &&
                cur->trace.position + 1 >= (uint64_t)cur->since + cur->length_max;
    if (cur->state == CURSOR_LIKE_SWEEP && aged) cur->since = INT64_MIN;
}

void cursor_advance(trace_cursor *cur, const swept_chunk *in, uint64_t to, float bound)
{
    forget_old_starts(cur);
    while (cur->trace.position < to) {
        uint64_t n = to - cur->trace.position;
        if (n > TRACE_BATCH) n = TRACE_BATCH;
        trace_run(&cur->trace, window_at(in->frames, cur->trace.position), (size_t)n, bound, NULL);
        cur->columns += n;
    }
}

/* Go on from the checkpoint at `at`. */
static sigrep_status jump(trace_cursor *cur, const swept_chunk *in, uint64_t at)
{
    sigrep_status status = in->checkpoint(in->source, cur->index, at, trace_column(&cur->trace));
    trace_start_from(&cur->trace, at);
    cur->since = (int64_t)at;
    cur->swept = true;
    return status;
}

/* The newest checkpoint at least `history` columns before `at`; 0: there is none. */
static uint64_t checkpoint_before(const trace_cursor *cur, uint64_t at, uint64_t history)
{
    return at > history ? (at - history) / cur->spacing * cur->spacing : 0;
}

sigrep_status cursor_skip_to(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound)
{
    uint64_t m = cur->trace.cells.length, near = m + m / 4;
    uint64_t history = cur->far || near > cur->length_max ? cur->length_max : near;
    uint64_t checkpoint = checkpoint_before(cur, at, history);
    if (checkpoint > cur->trace.position) {
        if (cur->state == CURSOR_LIKE_SWEEP && cur->since == INT64_MIN) {
            trace_save(&cur->trace, cur->saved_d, cur->saved_s);
            cur->saved = cur->trace.position;
        }
        sigrep_status status = jump(cur, in, checkpoint);
        if (status) return status;
    }
    cursor_advance(cur, in, at, bound);
    forget_old_starts(cur);
    return SIGREP_OK;
}

sigrep_status cursor_resolve(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound)
{
    if (cur->state == CURSOR_FROM_OLDER) {
        cursor_restart(cur, cur->origin);
    } else {
        uint64_t checkpoint = checkpoint_before(cur, at, cur->length_max);
        cur->far = true;
        if (checkpoint > cur->saved) {
            sigrep_status status = jump(cur, in, checkpoint);
            if (status) return status;
        } else {
            trace_restore(&cur->trace, cur->saved_d, cur->saved_s, cur->saved);
            cur->since = INT64_MIN;
        }
    }
    cursor_advance(cur, in, at, bound);
    forget_old_starts(cur);
    return SIGREP_OK;
}

static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && (a[i] <= eps || b[i] <= eps)) return false;
    return true;
}

sigrep_status cursor_compare(trace_cursor *cur, const swept_chunk *in, float eps)
{
    /* Is no cell that matters in doubt? */
    if (cur->state == CURSOR_FROM_OLDER &&
        trace_begins_after(&cur->trace, cursor_known_from(cur), eps))
        cursor_clear_doubt(cur);
    uint64_t at = cur->trace.position;
    if (cur->state != CURSOR_FROM_ORIGIN || at < in->from || at % cur->spacing) return SIGREP_OK;
    sigrep_status status = in->checkpoint(in->source, cur->index, at, cur->column);
    if (status) return status;
    if (columns_agree(cur->column, trace_column(&cur->trace), cur->trace.cells.length, eps))
        cur->state = CURSOR_LIKE_SWEEP;
    return SIGREP_OK;
}
