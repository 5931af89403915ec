#include "filter/search/match_list.h"

#include <stdlib.h>

#include "filter/grown.h"
#include "filter/state/state.h"

sigrep_status match_list_add(match_list *list, const frame_match *match)
{
    frame_match *items = grown(list->items, &list->capacity, list->n + 1, sizeof *items);
    if (!items) return SIGREP_NO_MEMORY;
    list->items = items;
    list->items[list->n++] = *match;
    return SIGREP_OK;
}

void match_list_free(match_list *list)
{
    free(list->items);
    *list = (match_list){0};
}

static void pass_match(frame_match *match, state_bytes *st, size_t n_templates, uint64_t now)
{
    state_size(st, &match->index);
    state_u64(st, &match->start);
    state_u64(st, &match->end);
    state_u64(st, &match->first);
    state_u64(st, &match->final);
    state_floats(st, &match->d, 1);
    state_must(st, match->index < n_templates && match->start < match->end && match->end <= now &&
                       match->final <= now);
}

sigrep_status match_list_pass_state(match_list *list, state_bytes *st, size_t n_templates,
                                    uint64_t now)
{
    enum { MATCH_BYTES = 44 };
    size_t n = list->n;
    state_count(st, &n, MATCH_BYTES);
    frame_match *items = grown(list->items, &list->capacity, n, sizeof *items);
    if (n && !items) return SIGREP_NO_MEMORY;
    list->items = items;
    list->n = n;
    for (size_t i = 0; i < n; i++) pass_match(&items[i], st, n_templates, now);
    if (st->is_wrong) list->n = 0;
    return SIGREP_OK;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_final(const void *pa, const void *pb)
{
    const frame_match *a = pa, *b = pb;
    int by = order(a->final, b->final);
    if (!by) by = order(a->end, b->end);
    if (!by) by = order(a->index, b->index);
    return by ? by : order(a->start, b->start);
}

void match_list_sort_by_final(match_list *list)
{
    if (list->n) qsort(list->items, list->n, sizeof *list->items, by_final);
}
