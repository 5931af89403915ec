#include "filter/calibration/candidates.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024 };

bool candidates_add(candidate_list *list, candidate at)
{
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        candidate *items = realloc(list->items, capacity * sizeof *items);
        if (!items) return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->n++] = at;
    return true;
}

bool candidates_copy(candidate_list *to, const candidate_list *from)
{
    *to = (candidate_list){.items = malloc((from->n + 1) * sizeof *to->items), .n = from->n};
    to->capacity = from->n + 1;
    if (to->items && from->n) memcpy(to->items, from->items, from->n * sizeof *to->items);
    return to->items != NULL;
}

void candidates_free(candidate_list *list)
{
    free(list->items);
    *list = (candidate_list){0};
}
