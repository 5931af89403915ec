#include "filter/search/trace.h"

#include <math.h>
#include <string.h>

#include "filter/state/state.h"

/* Compilers vectorise loops of a fixed length without an exit. */
enum { TOGETHER = 16 };

sigrep_status trace_create(trace *tr, const trace_kernel *ops, const float *x, size_t length,
                           size_t dim)
{
    *tr = (trace){.ops = ops ? ops : trace_kernel_best()};
    sigrep_status status = trace_cells_create(&tr->cells, tr->ops, x, length, dim);
    if (!status) trace_start_cold(tr, 0);
    return status;
}

void trace_free(trace *tr)
{
    trace_cells_free(&tr->cells);
}

float *trace_column(trace *tr)
{
    return tr->cells.d + tr->cells.pad;
}

void trace_start_cold(trace *tr, uint64_t origin)
{
    float *d = trace_column(tr);
    for (size_t i = 0; i < tr->cells.length; i++) d[i] = INFINITY;
    trace_start_from(tr, origin);
}

void trace_start_from(trace *tr, uint64_t position)
{
    int32_t *s = tr->cells.s + tr->cells.pad;
    for (size_t i = 0; i < tr->cells.length; i++) s[i] = TRACE_START_TOO_OLD;
    trace_be_at(tr, position);
}

void trace_be_at(trace *tr, uint64_t position)
{
    tr->begin = tr->position = position;
}

int32_t *trace_starts(trace *tr)
{
    return tr->cells.s + tr->cells.pad;
}

void trace_run(trace *tr, const float *frames, size_t n, float bound, trace_watch *watch)
{
    tr->ops->run(&tr->cells, frames, n, bound, watch);
    tr->begin = tr->position;
    tr->position += n;
}

static int64_t frame_of(uint64_t base, int32_t s)
{
    return s == TRACE_START_TOO_OLD ? TRACE_TOO_OLD : (int64_t)base + s;
}

trace_end trace_at(const trace *tr, uint64_t t)
{
    size_t i = (size_t)(t - tr->begin);
    return (trace_end){
        .t = t, .d = tr->cells.end_d[i], .s = frame_of(tr->begin, tr->cells.end_s[i])};
}

static bool any_within(const float *d, float limit)
{
    int any = 0;
    for (int i = 0; i < TOGETHER; i++) any |= d[i] <= limit;
    return any;
}

uint64_t trace_next_within(const trace *tr, uint64_t at, float limit)
{
    const float *d = tr->cells.end_d;
    size_t i = (size_t)(at - tr->begin), n = (size_t)(tr->position - tr->begin);
    while (i + TOGETHER <= n && !any_within(d + i, limit)) i += TOGETHER;
    while (i < n && !(d[i] <= limit)) i++;
    return tr->begin + i;
}

uint64_t trace_last_within(const trace *tr, float limit)
{
    const float *d = tr->cells.end_d;
    size_t n = (size_t)(tr->position - tr->begin);
    while (n >= TOGETHER && !any_within(d + n - TOGETHER, limit)) n -= TOGETHER;
    while (n && !(d[n - 1] <= limit)) n--;
    return tr->begin + n;
}

/* Starts relative to the next column's frame. */
typedef struct {
    int32_t from, to;
} start_range;

static inline int has(const float *d, const int32_t *s, float limit, start_range r, int n)
{
    int any = 0;
    for (int i = 0; i < n; i++) any |= (d[i] <= limit) & (s[i] >= r.from) & (s[i] <= r.to);
    return any;
}

static bool column_has(const trace *tr, float limit, start_range r)
{
    const float *d = tr->cells.d + tr->cells.pad;
    const int32_t *s = tr->cells.s + tr->cells.pad;
    size_t i = 0, length = tr->cells.length;
    for (; i + TOGETHER <= length; i += TOGETHER)
        if (has(d + i, s + i, limit, r, TOGETHER)) return true;
    return has(d + i, s + i, limit, r, (int)(length - i));
}

static int32_t clamped(int64_t s)
{
    return s < INT32_MIN ? INT32_MIN : s > INT32_MAX ? INT32_MAX : (int32_t)s;
}

bool trace_has(const trace *tr, float limit, int64_t from, int64_t to)
{
    const int64_t now = (int64_t)tr->position;
    return column_has(tr, limit, (start_range){clamped(from - now), clamped(to - now)});
}

bool trace_begins_after(const trace *tr, int64_t floor, float limit)
{
    if (floor <= (int64_t)tr->position + TRACE_START_TOO_OLD) return floor == INT64_MIN;
    const int32_t least = (int32_t)(floor - (int64_t)tr->position);
    return !column_has(tr, limit, (start_range){INT32_MIN, least - 1});
}

int64_t trace_earliest(const trace *tr, float limit, int64_t oldest)
{
    int64_t earliest = (int64_t)tr->position;
    for (size_t i = 0; i < tr->cells.length; i++) {
        const trace_end end = trace_cell(tr, i);
        if (end.d <= limit && end.s >= oldest && end.s < earliest) earliest = end.s;
    }
    return earliest;
}

trace_end trace_cell(const trace *tr, size_t i)
{
    size_t row = tr->cells.pad + i;
    return (trace_end){.t = tr->position - 1,
                       .d = tr->cells.d[row],
                       .s = frame_of(tr->position, tr->cells.s[row])};
}

/* How many columns ago a path of the last column began; length_max if that is too old. */
static uint64_t age_of(int32_t start, uint64_t length_max)
{
    const uint64_t age = (uint64_t) - (int64_t)start;
    return age < length_max ? age : length_max;
}

bool trace_agrees(const trace *tr, const trace *other, float limit, uint64_t length_max)
{
    const trace_cells *a = &tr->cells, *b = &other->cells;
    for (size_t i = 0; i < a->length; i++) {
        const float d = a->d[a->pad + i], d_other = b->d[b->pad + i];
        if (!(d <= limit) && !(d_other <= limit)) continue;
        if (d != d_other) return false;
        if (age_of(a->s[a->pad + i], length_max) != age_of(b->s[b->pad + i], length_max))
            return false;
    }
    return true;
}

void trace_save(const trace *tr, float *d, int32_t *s)
{
    const trace_cells *c = &tr->cells;
    memcpy(d, c->d + c->pad, c->length * sizeof *d);
    memcpy(s, c->s + c->pad, c->length * sizeof *s);
}

void trace_restore(trace *tr, const float *d, const int32_t *s, uint64_t position)
{
    trace_cells *c = &tr->cells;
    memcpy(c->d + c->pad, d, c->length * sizeof *d);
    memcpy(c->s + c->pad, s, c->length * sizeof *s);
    trace_be_at(tr, position);
}

/* A cell in a state. */
static void pass_cell(trace *tr, state_bytes *st, size_t *i, float limit, int64_t oldest)
{
    const int64_t now = (int64_t)tr->position;
    state_size(st, i);
    state_must(st, *i < tr->cells.length);
    if (st->is_wrong) return;
    float *d = trace_column(tr) + *i;
    int32_t *s = trace_starts(tr) + *i;
    int64_t age = *s == TRACE_START_TOO_OLD || *s + now < oldest ? 0 : -(int64_t)*s;
    state_floats(st, d, 1);
    state_i64(st, &age);
    state_must(st, *d >= 0 && *d <= limit && age >= 0 && age <= now - oldest);
    if (st->is_reading) *s = age ? (int32_t)-age : TRACE_START_TOO_OLD;
}

void trace_pass_state(trace *tr, state_bytes *st, float limit, int64_t oldest)
{
    enum { CELL_BYTES = 20 };
    const float *d = trace_column(tr);
    size_t n = 0;
    for (size_t i = 0; i < tr->cells.length; i++) n += d[i] <= limit;
    state_count(st, &n, CELL_BYTES);
    if (st->is_reading) trace_start_cold(tr, tr->position);
    for (size_t k = 0, i = 0; k < n && !st->is_wrong; k++, i++) {
        while (!st->is_reading && !(d[i] <= limit)) i++;
        pass_cell(tr, st, &i, limit, oldest);
    }
}
