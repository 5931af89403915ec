#include "filter/walk.h"

#include <stdlib.h>

sigrep_status walk_create(walk *w, size_t index, const float *x, size_t length, size_t dim,
                          uint64_t length_max, size_t spacing)
{
    *w = (walk){.index = index, .length_max = length_max, .spacing = spacing};
    sigrep_status status = trace_create(&w->tr, NULL, x, length, dim);
    if (status) return status;
    w->column = malloc(length * sizeof *w->column);
    w->starts = malloc(length * sizeof *w->starts);
    w->asleep_d = malloc(length * sizeof *w->asleep_d);
    w->asleep_s = malloc(length * sizeof *w->asleep_s);
    if (!w->column || !w->starts || !w->asleep_d || !w->asleep_s) return SIGREP_NO_MEMORY;
    walk_begin(w, 0);
    return SIGREP_OK;
}

void walk_free(walk *w)
{
    trace_free(&w->tr);
    free(w->column);
    free(w->starts);
    free(w->asleep_d);
    free(w->asleep_s);
}

void walk_begin(walk *w, uint64_t origin)
{
    walk_restart(w, origin);
    w->state = WALK_COUPLED;
}

void walk_restart(walk *w, uint64_t origin)
{
    trace_start_cold(&w->tr, origin);
    w->state = WALK_OWN;
    w->origin = origin;
    w->since = INT64_MIN;
    w->tied = 0;
}

void walk_set_origin(walk *w, uint64_t origin)
{
    if (w->state != WALK_LOOSE) w->swept = w->state == WALK_COUPLED;
    w->state = WALK_LOOSE;
    w->origin = origin;
}

void walk_be_certain(walk *w)
{
    if (w->state == WALK_LOOSE) w->state = w->swept ? WALK_COUPLED : WALK_OWN;
    w->since = INT64_MIN;
}

int64_t walk_floor(const walk *w)
{
    bool after_origin = w->since > (int64_t)w->origin;
    return w->state == WALK_LOOSE && !after_origin ? (int64_t)w->origin : w->since;
}

/* In the next column a path from before the jump has more than length_max frames. (In columns
 * that have been evaluated it may have fewer.) */
static void forget_old_starts(walk *w)
{
    bool aged = w->since != INT64_MIN && w->tr.position + 1 >= (uint64_t)w->since + w->length_max;
    if (w->state == WALK_COUPLED && aged) w->since = INT64_MIN;
}

/* Does the sweep know all starts that matter from column `at` on, as the search would have them? */
static bool sweep_has_starts(const walk *w, const sweep_step *in, uint64_t at)
{
    const kernel_ends *ends = &in->ends;
    const bool is_tied = w->state == WALK_COUPLED && w->tied > ends->since;
    const uint64_t since = is_tied ? w->tied : ends->since;
    return at >= ends->begin && at < ends->begin + ends->n && at + 1 >= since + w->length_max;
}

/* The sweep's columns from here on, and their starts; those that it does not know are too old.
 * Where the trace is LOOSE, they are worth the same. */
static void follow(walk *w)
{
    w->since = INT64_MIN;
    w->swept = true;
    w->tied = 0;
}

sigrep_status walk_be_at_kept(trace *tr, size_t index, const sweep_step *in, uint64_t kept)
{
    sigrep_status status = in->ops->column(in->kernel, index, kept, trace_column(tr));
    trace_be_at(tr, kept);
    in->ops->column_starts(in->kernel, index, kept, trace_starts(tr));
    return status;
}

sigrep_status walk_take_over(walk *w, const sweep_step *in, uint64_t kept)
{
    follow(w);
    return walk_be_at_kept(&w->tr, w->index, in, kept);
}

bool walk_may_follow(const walk *w, const sweep_step *in, uint64_t at, uint64_t *from, uint64_t *to)
{
    const uint64_t end = in->ends.begin + in->ends.n;
    *from = at / w->spacing * w->spacing;
    *to = (*to < end ? *to : end) / w->spacing * w->spacing;
    return w->state != WALK_OWN && *from && *from >= w->tr.position && at < *to &&
           sweep_has_starts(w, in, *from);
}

void walk_follow(walk *w, const sweep_step *in, uint64_t from, uint64_t to, float eps)
{
    const uint64_t first = in->from / KERNEL_BLOCK;
    for (uint64_t block = from / KERNEL_BLOCK; block < to / KERNEL_BLOCK; block++)
        if (in->minima[block - first] <= eps) w->followed += KERNEL_BLOCK;
    follow(w);
}

void walk_to(walk *w, const sweep_step *in, uint64_t to, float bound)
{
    forget_old_starts(w);
    while (w->tr.position < to) {
        uint64_t n = to - w->tr.position;
        if (n > TRACE_BATCH) n = TRACE_BATCH;
        trace_run(&w->tr, window_at(in->frames, w->tr.position), (size_t)n, bound, NULL);
        w->traced += n;
    }
}

static sigrep_status jump(walk *w, const sweep_step *in, uint64_t kept)
{
    sigrep_status status = in->ops->column(in->kernel, w->index, kept, trace_column(&w->tr));
    trace_start_from(&w->tr, kept);
    w->since = (int64_t)kept;
    w->swept = true;
    return status;
}

/* The newest kept column at least `history` before `at`, 0 if there is none. */
static uint64_t kept_before(const walk *w, uint64_t at, uint64_t history)
{
    return at > history ? (at - history) / w->spacing * w->spacing : 0;
}

sigrep_status walk_wake(walk *w, const sweep_step *in, uint64_t at, float bound)
{
    const uint64_t last_kept = at / w->spacing * w->spacing;
    if (last_kept >= w->tr.position && last_kept > 0 && sweep_has_starts(w, in, last_kept))
        return walk_take_over(w, in, last_kept);
    uint64_t m = w->tr.cells.length, near = m + m / 4;
    uint64_t history = w->far || near > w->length_max ? w->length_max : near;
    uint64_t kept = kept_before(w, at, history);
    if (kept > w->tr.position) {
        if (w->state == WALK_COUPLED && w->since == INT64_MIN) {
            trace_save(&w->tr, w->asleep_d, w->asleep_s);
            w->asleep = w->tr.position;
        }
        sigrep_status status = jump(w, in, kept);
        if (status) return status;
    }
    walk_to(w, in, at, bound);
    forget_old_starts(w);
    return SIGREP_OK;
}

sigrep_status walk_settle(walk *w, const sweep_step *in, uint64_t at, float bound)
{
    if (w->state == WALK_LOOSE) {
        walk_restart(w, w->origin);
    } else {
        uint64_t kept = kept_before(w, at, w->length_max);
        w->far = true;
        if (kept > w->asleep) {
            sigrep_status status = jump(w, in, kept);
            if (status) return status;
        } else {
            trace_restore(&w->tr, w->asleep_d, w->asleep_s, w->asleep);
            w->since = INT64_MIN;
        }
    }
    walk_to(w, in, at, bound);
    forget_old_starts(w);
    return SIGREP_OK;
}

static bool columns_agree(const float *a, const float *b, size_t length, float eps)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && (a[i] <= eps || b[i] <= eps)) return false;
    return true;
}

/* Are the sweep's paths to the last column known, and the search's, wherever D is within eps? */
static bool starts_agree(const walk *w, const sweep_step *in, float eps)
{
    const kernel_ends *ends = &in->ends;
    const uint64_t at = w->tr.position;
    const trace_cells *c = &w->tr.cells;
    if (!ends->n || at < ends->begin || at > ends->begin + ends->n) return false;
    in->ops->column_starts(in->kernel, w->index, at, w->starts);
    for (size_t i = 0; i < c->length; i++)
        if (w->starts[i] != c->s[c->pad + i] && c->d[c->pad + i] <= eps) return false;
    return true;
}

sigrep_status walk_couple(walk *w, const sweep_step *in, float eps)
{
    /* Is no cell that matters in doubt? */
    if (w->state == WALK_LOOSE && trace_begins_after(&w->tr, walk_floor(w), eps))
        walk_be_certain(w);
    uint64_t at = w->tr.position;
    if (w->state != WALK_OWN || at < in->from || at % w->spacing) return SIGREP_OK;
    sigrep_status status = in->ops->column(in->kernel, w->index, at, w->column);
    if (status) return status;
    if (columns_agree(w->column, trace_column(&w->tr), w->tr.cells.length, eps)) {
        w->state = WALK_COUPLED;
        w->tied = starts_agree(w, in, eps) ? 0 : at;
    }
    return SIGREP_OK;
}
