#include "filter/search/pending_times.h"

#include <stdlib.h>
#include <string.h>

#include "filter/grown.h"
#include "filter/state/state.h"

sigrep_status pending_times_add(pending_times *times, uint64_t begin, uint64_t end)
{
    if (begin <= times->seen) begin = times->seen + 1;
    if (begin >= end) return SIGREP_OK;
    pending_time *items = grown(times->items, &times->capacity, times->n + 1, sizeof *items);
    if (!items) return SIGREP_NO_MEMORY;
    times->items = items;
    times->items[times->n++] = (pending_time){begin, end};
    return SIGREP_OK;
}

static int by_begin(const void *pa, const void *pb)
{
    const pending_time *a = pa, *b = pb;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Join the new times with each other and with those before. */
void pending_times_join(pending_times *times, uint64_t now)
{
    pending_time *items = times->items;
    size_t n = times->n_joined;
    if (times->n > n) qsort(items + n, times->n - n, sizeof *items, by_begin);
    for (size_t i = n; i < times->n; i++) {
        if (n == times->first || items[i].begin > items[n - 1].end)
            items[n++] = items[i];
        else if (items[i].end > items[n - 1].end)
            items[n - 1].end = items[i].end;
    }
    times->n = times->n_joined = n;
    times->seen = now;
}

uint64_t pending_times_first_quiet(pending_times *times, uint64_t at)
{
    while (times->first < times->n && times->items[times->first].end <= at) times->first++;
    if (times->first == times->n || times->items[times->first].begin > at) return at;
    return times->items[times->first].end;
}

uint64_t pending_times_last_quiet(const pending_times *times, uint64_t now)
{
    if (times->first == times->n || times->items[times->n - 1].end <= now) return now;
    return times->items[times->n - 1].begin - 1;
}

/* Move the times that are left to the front if half is over. So one moves once on average. */
void pending_times_forget(pending_times *times)
{
    if (times->first == 0 || 2 * times->first < times->n) return;
    times->n = times->n_joined -= times->first;
    memmove(times->items, times->items + times->first, times->n * sizeof *times->items);
    times->first = 0;
}

sigrep_status pending_times_pass_state(pending_times *times, state_bytes *st, uint64_t now)
{
    size_t n = times->n;
    state_count(st, &n, sizeof *times->items);
    pending_time *items = grown(times->items, &times->capacity, n, sizeof *items);
    if (n && !items) return SIGREP_NO_MEMORY;
    times->items = items;
    times->n = times->n_joined = n;
    for (size_t i = 0; i < n; i++) {
        state_u64(st, &items[i].begin);
        state_u64(st, &items[i].end);
        state_must(st, items[i].begin < items[i].end);
    }
    state_size(st, &times->first);
    times->seen = now;
    state_must(st, times->first <= n);
    if (st->is_wrong) pending_times_reset(times);
    return SIGREP_OK;
}

void pending_times_reset(pending_times *times)
{
    times->n = times->n_joined = times->first = 0;
    times->seen = 0;
}

void pending_times_free(pending_times *times)
{
    free(times->items);
    *times = (pending_times){0};
}
