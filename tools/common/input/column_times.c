#include "tools/common/input/column_times.h"

#include <stdlib.h>

#include "io/spool.h"

/* Either a ring that grows up to the horizon, or a spool. */
struct column_times {
    uint64_t horizon;
    uint64_t count;   /* samples so far */
    exact_time *ring; /* sample i at ring[i % capacity] */
    size_t capacity;
    int32_t decimals; /* the most that a time so far needs */
    exact_time first; /* that is known */
    spool *all;
};

enum { FIRST_CAPACITY = 4096 };

column_times *column_times_create(uint64_t horizon)
{
    column_times *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->horizon = horizon;
    t->first = exact_time_unknown();
    if (horizon == UINT64_MAX && !(t->all = spool_create(SPOOL_MEMORY))) {
        free(t);
        return NULL;
    }
    return t;
}

void column_times_destroy(column_times *t)
{
    if (!t) return;
    spool_destroy(t->all);
    free(t->ring);
    free(t);
}

/* Double the ring; samples move to their places in the larger one. */
static int grow(column_times *t)
{
    size_t capacity = t->capacity ? 2 * t->capacity : FIRST_CAPACITY;
    exact_time *ring = malloc(capacity * sizeof *ring);
    if (!ring) return -1;
    uint64_t first = t->count < t->capacity ? 0 : t->count - t->capacity;
    for (uint64_t i = first; i < t->count; i++) ring[i % capacity] = t->ring[i % t->capacity];
    free(t->ring);
    t->ring = ring;
    t->capacity = capacity;
    return 0;
}

const char *column_times_add(column_times *t, exact_time *times, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (times[i].decimals > t->decimals) t->decimals = times[i].decimals;
        times[i].decimals = t->decimals;
        if (!exact_time_is_known(t->first)) t->first = times[i];
    }
    if (t->all) {
        t->count += n;
        return spool_append(t->all, times, n * sizeof *times) ? spool_error(t->all) : NULL;
    }
    while (t->capacity < t->horizon && t->capacity < t->count + n) {
        if (grow(t)) return "out of memory";
    }
    for (size_t i = 0; i < n; i++) t->ring[t->count++ % t->capacity] = times[i];
    return NULL;
}

exact_time column_times_first(const column_times *t)
{
    return t->first;
}

exact_time column_times_at(column_times *t, uint64_t sample)
{
    exact_time time = exact_time_unknown();
    if (sample >= t->count) return time;
    if (!t->all) return t->count - sample > t->capacity ? time : t->ring[sample % t->capacity];
    if (spool_read(t->all, sample * sizeof time, &time, sizeof time)) return exact_time_unknown();
    return time;
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
    return t->all ? spool_error(t->all) : "";
}
