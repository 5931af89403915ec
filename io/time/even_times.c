#include "io/time/even_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/time/time_format.h"

struct even_times {
    double rate_hz;
    size_t channels;
    double *from, *to; /* the last two rows; the first row of a run is both */
    exact_time from_time, to_time;
    exact_time begin; /* of sample 0; unknown: no row has come */
    uint64_t n;       /* the next sample */
    bool is_broken;   /* the next row begins a run */
};

even_times *even_times_create(double rate_hz, size_t channels)
{
    even_times *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    *e = (even_times){.rate_hz = rate_hz, .channels = channels, .begin = exact_time_unknown()};
    e->from = calloc(channels, sizeof *e->from);
    e->to = calloc(channels, sizeof *e->to);
    if (e->from && e->to) return e;
    even_times_destroy(e);
    return NULL;
}

void even_times_destroy(even_times *e)
{
    if (!e) return;
    free(e->from);
    free(e->to);
    free(e);
}

void even_times_break(even_times *e)
{
    e->is_broken = true;
}

/* The time of sample n. */
static exact_time time_of(const even_times *e, uint64_t n)
{
    const unsigned of_rate = time_decimals(e->rate_hz), of_begin = (unsigned)e->begin.decimals;
    long double unit_ns = 1e9L;
    for (unsigned i = 0; i < (of_rate > of_begin ? of_rate : of_begin) && unit_ns > 1; i++)
        unit_ns /= 10;
    const long double seconds = (long double)n / (long double)e->rate_hz;
    const long double whole = floorl(seconds);
    const long double ns = roundl((seconds - whole) * 1e9L / unit_ns) * unit_ns;
    const int64_t all_ns = (int64_t)ns + e->begin.ns;
    exact_time t = exact_time_make(e->begin.seconds + (int64_t)whole + all_ns / 1000000000,
                                   (int32_t)(all_ns % 1000000000));
    t.is_local = e->begin.is_local;
    return t;
}

/* Begin a run with this row: the next sample is the first one that is not before it. */
static void begin_run(even_times *e, exact_time time)
{
    e->is_broken = false;
    if (!exact_time_is_known(e->begin) || exact_time_is_before(time, e->begin)) {
        e->begin = time;
        e->n = 0;
        return;
    }
    e->n = (uint64_t)(exact_time_ns_between(e->begin, time) / 1e9 * e->rate_hz);
    while (e->n > 0 && !exact_time_is_before(time_of(e, e->n - 1), time)) e->n--;
    while (exact_time_is_before(time_of(e, e->n), time)) e->n++;
}

void even_times_add(even_times *e, const double *row, exact_time time)
{
    double *const swapped = e->from;
    const bool is_first = e->is_broken || !exact_time_is_known(e->begin);
    e->from = e->to;
    e->from_time = is_first ? time : e->to_time;
    e->to = swapped;
    e->to_time = time;
    memcpy(e->to, row, e->channels * sizeof *row);
    if (is_first) begin_run(e, time);
}

bool even_times_take(even_times *e, double *sample, exact_time *time)
{
    if (e->is_broken || !exact_time_is_known(e->begin)) return false;
    const exact_time at = time_of(e, e->n);
    if (exact_time_is_before(e->to_time, at)) return false;
    const double way = exact_time_ns_between(e->from_time, at);
    const double all = exact_time_ns_between(e->from_time, e->to_time);
    const bool is_row = way >= all;
    for (size_t c = 0; c < e->channels; c++) {
        const double line = e->from[c] + (e->to[c] - e->from[c]) * (way / all);
        sample[c] = is_row ? e->to[c] : line;
    }
    *time = at;
    e->n++;
    return true;
}
