#include "tools/common/input/column_times.h"

#include <stdlib.h>

#include "tools/common/input/history.h"

struct column_times {
    uint64_t horizon;
    history kept;
    int16_t decimals;  /* the most that a time so far needs */
    exact_time first;  /* that is known */
    const char *wrong; /* why a time could not be read back */
};

column_times *column_times_create(uint64_t horizon)
{
    column_times *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->horizon = horizon;
    t->first = exact_time_unknown();
    t->wrong = "";
    if (history_begin(&t->kept, sizeof t->first, horizon == UINT64_MAX)) return t;
    free(t);
    return NULL;
}

void column_times_destroy(column_times *t)
{
    if (!t) return;
    history_end(&t->kept);
    free(t);
}

void column_times_begin_at(column_times *t, uint64_t sample, int16_t decimals, exact_time first)
{
    history_begin_at(&t->kept, sample);
    t->decimals = decimals;
    t->first = first;
}

int16_t column_times_decimals(const column_times *t)
{
    return t->decimals;
}

const char *column_times_add(column_times *t, exact_time *times, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (times[i].decimals > t->decimals) t->decimals = times[i].decimals;
        times[i].decimals = t->decimals;
        if (!exact_time_is_known(t->first)) t->first = times[i];
    }
    const char *wrong = history_add(&t->kept, times, n);
    const uint64_t count = t->kept.count; /* a step needs one time more */
    if (count > t->horizon) history_forget(&t->kept, count - t->horizon - 1);
    return wrong;
}

exact_time column_times_first(const column_times *t)
{
    return t->first;
}

exact_time column_times_at(column_times *t, uint64_t sample)
{
    exact_time time = exact_time_unknown();
    if (sample < t->kept.first || sample >= t->kept.count) return time;
    const char *wrong = history_read(&t->kept, sample, &time, 1);
    if (!wrong) return time;
    t->wrong = wrong;
    return exact_time_unknown();
}

exact_time column_times_end(column_times *t, uint64_t end)
{
    if (end == 0) return exact_time_unknown();
    const exact_time last = column_times_at(t, end - 1);
    if (end == 1 || !exact_time_is_known(last)) return last;
    const exact_time previous = column_times_at(t, end - 2);
    if (!exact_time_is_known(previous) || exact_time_is_before(last, previous)) return last;
    exact_time over = exact_time_step_on(previous, last);
    over.decimals = last.decimals;
    return over;
}

const char *column_times_error(const column_times *t)
{
    return t->wrong;
}
