#include "filter/found.h"

#include <stdlib.h>

bool found_overlap(const found *a, const found *b)
{
    return a->start < b->end && b->start < a->end;
}

sigrep_status found_add(found_list *list, const found *match)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        found *items = realloc(list->items, capacity * sizeof *items);
        if (!items) return SIGREP_NO_MEMORY;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->n++] = *match;
    return SIGREP_OK;
}

void found_free(found_list *list)
{
    free(list->items);
    *list = (found_list){0};
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_final(const void *pa, const void *pb)
{
    const found *a = pa, *b = pb;
    int by = order(a->final, b->final);
    if (!by) by = order(a->end, b->end);
    if (!by) by = order(a->index, b->index);
    return by ? by : order(a->start, b->start);
}

static int by_start(const void *pa, const void *pb)
{
    const found *a = pa, *b = pb;
    int by = order(a->start, b->start);
    if (!by) by = order(a->end, b->end);
    return by ? by : order(a->index, b->index);
}

void found_sort_by_final(found_list *list)
{
    if (list->n) qsort(list->items, list->n, sizeof *list->items, by_final);
}

void found_sort_by_start(found_list *list)
{
    if (list->n) qsort(list->items, list->n, sizeof *list->items, by_start);
}
