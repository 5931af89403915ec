#include "filter/search/cursor.h"

#include <stdlib.h>

#include "filter/search/window.h"

sigrep_status cursor_create(trace_cursor *w, size_t index, const float *x, size_t length,
                            size_t dim, uint64_t length_max, size_t spacing)
{
    *w = (trace_cursor){.index = index, .length_max = length_max, .spacing = spacing};
    sigrep_status status = trace_create(&w->trace, NULL, x, length, dim);
    if (status) return status;
    w->column = malloc(length * sizeof *w->column);
    w->asleep_d = malloc(length * sizeof *w->asleep_d);
    w->asleep_s = malloc(length * sizeof *w->asleep_s);
    if (!w->column || !w->asleep_d || !w->asleep_s) return SIGREP_NO_MEMORY;
    cursor_begin(w, 0);
    return SIGREP_OK;
}

void cursor_free(trace_cursor *w)
{
    trace_free(&w->trace);
    free(w->column);
    free(w->asleep_d);
    free(w->asleep_s);
}

void cursor_begin(trace_cursor *w, uint64_t origin)
{
    cursor_restart(w, origin);
    w->state = CURSOR_LIKE_SWEEP;
}

void cursor_restart(trace_cursor *w, uint64_t origin)
{
    trace_start_cold(&w->trace, origin);
    w->state = CURSOR_FROM_ORIGIN;
    w->origin = origin;
    w->since = INT64_MIN;
}

void cursor_set_origin(trace_cursor *w, uint64_t origin)
{
    if (w->state != CURSOR_FROM_OLDER) w->swept = w->state == CURSOR_LIKE_SWEEP;
    w->state = CURSOR_FROM_OLDER;
    w->origin = origin;
}

void cursor_clear_doubt(trace_cursor *w)
{
    if (w->state == CURSOR_FROM_OLDER) w->state = w->swept ? CURSOR_LIKE_SWEEP : CURSOR_FROM_ORIGIN;
    w->since = INT64_MIN;
}

int64_t cursor_known_from(const trace_cursor *w)
{
    bool after_origin = w->since > (int64_t)w->origin;
    return w->state == CURSOR_FROM_OLDER && !after_origin ? (int64_t)w->origin : w->since;
}

/* In the next column a path from before the jump has more than length_max frames. (In columns
 * that have been evaluated it may have fewer.) */
static void forget_old_starts(trace_cursor *w)
{
    bool aged =
        w->since != INT64_MIN && w->trace.position + 1 >= (uint64_t)w->since + w->length_max;
    if (w->state == CURSOR_LIKE_SWEEP && aged) w->since = INT64_MIN;
}

void cursor_advance(trace_cursor *w, const swept_chunk *in, uint64_t to, float bound)
{
    forget_old_starts(w);
    while (w->trace.position < to) {
        uint64_t n = to - w->trace.position;
        if (n > TRACE_BATCH) n = TRACE_BATCH;
        trace_run(&w->trace, window_at(in->frames, w->trace.position), (size_t)n, bound, NULL);
        w->columns += n;
    }
}

static sigrep_status jump(trace_cursor *w, const swept_chunk *in, uint64_t kept)
{
    sigrep_status status = in->checkpoint(in->source, w->index, kept, trace_column(&w->trace));
    trace_start_from(&w->trace, kept);
    w->since = (int64_t)kept;
    w->swept = true;
    return status;
}

/* The newest kept column at least `history` before `at`, 0 if there is none. */
static uint64_t kept_before(const trace_cursor *w, uint64_t at, uint64_t history)
{
    return at > history ? (at - history) / w->spacing * w->spacing : 0;
}

sigrep_status cursor_skip_to(trace_cursor *w, const swept_chunk *in, uint64_t at, float bound)
{
    uint64_t m = w->trace.cells.length, near = m + m / 4;
    uint64_t history = w->far || near > w->length_max ? w->length_max : near;
    uint64_t kept = kept_before(w, at, history);
    if (kept > w->trace.position) {
        if (w->state == CURSOR_LIKE_SWEEP && w->since == INT64_MIN) {
            trace_save(&w->trace, w->asleep_d, w->asleep_s);
            w->asleep = w->trace.position;
        }
        sigrep_status status = jump(w, in, kept);
        if (status) return status;
    }
    cursor_advance(w, in, at, bound);
    forget_old_starts(w);
    return SIGREP_OK;
}

sigrep_status cursor_resolve(trace_cursor *w, const swept_chunk *in, uint64_t at, float bound)
{
    if (w->state == CURSOR_FROM_OLDER) {
        cursor_restart(w, w->origin);
    } else {
        uint64_t kept = kept_before(w, at, w->length_max);
        w->far = true;
        if (kept > w->asleep) {
            sigrep_status status = jump(w, in, kept);
            if (status) return status;
        } else {
            trace_restore(&w->trace, w->asleep_d, w->asleep_s, w->asleep);
            w->since = INT64_MIN;
        }
    }
    cursor_advance(w, in, at, bound);
    forget_old_starts(w);
    return SIGREP_OK;
}

static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && (a[i] <= eps || b[i] <= eps)) return false;
    return true;
}

sigrep_status cursor_compare(trace_cursor *w, const swept_chunk *in, float eps)
{
    /* Is no cell that matters in doubt? */
    if (w->state == CURSOR_FROM_OLDER && trace_begins_after(&w->trace, cursor_known_from(w), eps))
        cursor_clear_doubt(w);
    uint64_t at = w->trace.position;
    if (w->state != CURSOR_FROM_ORIGIN || at < in->from || at % w->spacing) return SIGREP_OK;
    sigrep_status status = in->checkpoint(in->source, w->index, at, w->column);
    if (status) return status;
    if (columns_agree(w->column, trace_column(&w->trace), w->trace.cells.length, eps))
        w->state = CURSOR_LIKE_SWEEP;
    return SIGREP_OK;
}
