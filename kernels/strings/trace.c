/*
 * trace.c - the recurrence of Sellers (1980), cell by cell: distances with starts, and without them
 * the readable reference of all kernels.
 *
 *     D(0,t) = 0      D(i,0) = i
 *     D(i,t) = min(D(i-1,t-1) + (x_i != y_t), D(i,t-1) + 1, D(i-1,t) + 1)
 */
#include "kernels/strings/trace.h"

#include <stdlib.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/strings/strings.h"

bool string_trace_init(string_trace *t, const string_pattern *p)
{
    *t = (string_trace){.p = p, .rows = malloc((p->m + 1) * sizeof *t->rows)};
    return t->rows != NULL;
}

/* D(i,o-1): the first i letters of the pattern hang over, or are deleted, if they may be. */
static uint64_t first_distance(const string_trace *t, size_t i, bool at_start)
{
    if (at_start && t->overhang) return string_overhang(t->overhang, i);
    return t->replaces_only ? UINT64_MAX : i;
}

void string_trace_begin(string_trace *t, uint64_t origin, bool at_start)
{
    const bool hangs = at_start && t->overhang;
    t->next = origin;
    t->last = 0;
    t->rows[0] = (trace_cell){.start = (int64_t)origin};
    for (size_t i = 1; i <= t->p->m && first_distance(t, i, at_start) <= t->p->edits; i++) {
        t->rows[i] = (trace_cell){.distance = (uint32_t)first_distance(t, i, at_start),
                                  .start = hangs ? -(int64_t)i : (int64_t)origin};
        t->last = i;
    }
}

/* Ties go to the diagonal, then left, then up. */
static trace_cell best_of(trace_cell diagonal, trace_cell left, trace_cell up)
{
    trace_cell best = diagonal;
    best.start = left.distance < best.distance ? left.start : best.start;
    best.distance = left.distance < best.distance ? left.distance : best.distance;
    best.start = up.distance < best.distance ? up.start : best.start;
    best.distance = up.distance < best.distance ? up.distance : best.distance;
    return best;
}

static trace_cell with_edit(trace_cell from)
{
    from.distance++;
    return from;
}

uint32_t string_trace_next(string_trace *t, unsigned char letter)
{
    const uint32_t above = (uint32_t)t->p->edits + 1;
    const size_t end = t->last < t->p->m ? t->last + 1 : t->p->m;
    trace_cell diagonal = t->rows[0]; /* its path begins with this letter */
    trace_cell *const rows = t->rows;
    size_t last = 0;
    if (end > t->last) t->rows[end] = (trace_cell){.distance = above};
    t->next++;
    rows[0].start = (int64_t)t->next;
    trace_cell up = rows[0];
    for (size_t i = 1; i <= end; i++) {
        const trace_cell left = rows[i];
        diagonal.distance += !string_matches(t->p, i, letter);
        rows[i] = up =
            t->replaces_only ? diagonal : best_of(diagonal, with_edit(left), with_edit(up));
        last = up.distance < above ? i : last;
        diagonal = left;
    }
    t->last = last;
    return t->last == t->p->m ? t->rows[t->last].distance : above;
}

trace_cell string_trace_end(const string_trace *t, size_t *after)
{
    trace_cell best = {.distance = (uint32_t)t->p->edits + 1};
    for (size_t i = t->last; i > 0; i--) {
        const uint64_t over = string_overhang(t->overhang, t->p->m - i);
        if (t->rows[i].distance + over >= best.distance) continue;
        best = t->rows[i];
        best.distance += (uint32_t)over;
        *after = t->p->m - i;
    }
    return best;
}

bool string_trace_has_rival(const string_trace *t, uint32_t distance, uint64_t end)
{
    for (size_t i = 1; i <= t->last; i++)
        if (t->rows[i].distance < distance && t->rows[i].start < (int64_t)end) return true;
    return false;
}

/* ---- the kernel ---- */

struct string_sweep {
    string_trace trace;
};

static void reset(string_sweep *s)
{
    string_trace_begin(&s->trace, 0, false);
}

static void destroy(string_sweep *s)
{
    if (s) free(s->trace.rows);
    free(s);
}

static string_sweep *create(const string_pattern *p, size_t chunk)
{
    (void)chunk;
    string_sweep *s = malloc(sizeof *s);
    if (s && string_trace_init(&s->trace, p)) {
        reset(s);
        return s;
    }
    free(s);
    return NULL;
}

static bool sweep(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    for (size_t t = 0; t < n; t++) {
        uint32_t *minimum = &minima[t / STRING_BLOCK];
        const uint32_t distance = string_trace_next(&s->trace, letters[t]);
        if (t % STRING_BLOCK == 0 || distance < *minimum) *minimum = distance;
    }
    return true;
}

const string_ops string_scalar = {.name = "scalar",
                                  .chunk = STRING_CPU_CHUNK,
                                  .usable = usable_anywhere,
                                  .create = create,
                                  .destroy = destroy,
                                  .reset = reset,
                                  .sweep = sweep};
