#include "tools/sigrep-plot/timeline.h"

#include <math.h>

#include "tools/common/input/column_times.h"
#include "tools/sigrep-plot/recording.h"

typedef enum { FITS, TOO_MANY, GOES_BACK } fit_result;

/* Pieces of which no known time is more than `off_s` off. */
static fit_result fit(timeline *t, const recording *r, double off_s)
{
    double last_s = -INFINITY;
    t->n = 0;
    for (uint64_t i = 0; i < r->n; i++) {
        const exact_time at = column_times_at(r->times, i);
        if (!exact_time_is_known(at)) continue;
        const double time_s = exact_time_ns_between(t->origin, at) / 1e9;
        if (time_s < last_s) return GOES_BACK;
        last_s = time_s;
        if (t->n && fabs(time_s - timeline_at(t, i)) <= off_s) continue;
        if (t->n == TIMELINE_MOST) return TOO_MANY;
        t->pieces[t->n++] = (time_piece){i, time_s};
    }
    return FITS;
}

static bool fit_times(timeline *t, const recording *r)
{
    fit_result result = TOO_MANY;
    for (double off_s = t->step_s / 2; result == TOO_MANY; off_s *= 4) result = fit(t, r, off_s);
    return result == FITS && t->n > 0;
}

void timeline_make(timeline *t, const recording *r)
{
    t->step_s = 1 / r->info.rate_hz;
    t->origin = r->times ? column_times_first(r->times) : exact_time_unknown();
    t->has_dates = r->info.times == SOURCE_ISO || r->info.times == SOURCE_EPOCH;
    t->counts = !r->info.rate_known && !r->times;
    const bool has_times = exact_time_is_known(t->origin);
    if (has_times && fit_times(t, r)) return;
    t->counts |= has_times;
    t->origin = exact_time_unknown();
    t->pieces[0] = (time_piece){0, 0};
    t->n = 1;
}

double timeline_at(const timeline *t, uint64_t sample)
{
    size_t low = 0, high = t->n; /* the piece is in [low, high) */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (t->pieces[middle].first <= sample)
            low = middle;
        else
            high = middle;
    }
    const time_piece *p = &t->pieces[low];
    return p->time_s + ((double)sample - (double)p->first) * t->step_s;
}
