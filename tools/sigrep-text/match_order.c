#include "tools/sigrep-text/match_order.h"

#include <stdlib.h>

bool match_order_add(match_order *list, const text_match *match, size_t pattern)
{
    if (list->n == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        ordered_match *items = realloc(list->items, room * sizeof *items);
        list->failed |= !items;
        if (!items) return false;
        list->items = items;
        list->room = room;
    }
    list->items[list->n++] = (ordered_match){.match = *match, .pattern = pattern};
    return true;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_order(const void *first, const void *second)
{
    const ordered_match *a = first, *b = second;
    if (a->match.final != b->match.final) return compare(a->match.final, b->match.final);
    if (a->match.end != b->match.end) return compare(a->match.end, b->match.end);
    return compare(a->pattern, b->pattern);
}

void match_order_sort(match_order *list)
{
    if (list->n > 1) qsort(list->items, list->n, sizeof *list->items, by_order);
}

void match_order_clear(match_order *list)
{
    list->n = 0;
    list->failed = false;
}
