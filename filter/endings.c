#include "filter/endings.h"

#include <stdlib.h>

enum {
    MOST = 8 * TRACE_ENDINGS, /* at once, so that those side by side have much in common */
    LATE = TRACE_ENDINGS / 4  /* of those side by side: the last are asked again, with others */
};

/* What they are asked of. */
typedef struct {
    const trace *tr;
    size_t index;
    const sweep_step *in;
} place;

sigrep_status endings_create(endings *list, size_t length)
{
    *list = (endings){.n = 0};
    if (length > SIZE_MAX / TRACE_ENDINGS / sizeof *list->d) return SIGREP_NO_MEMORY;
    list->items = malloc(MOST * sizeof *list->items);
    list->d = malloc(TRACE_ENDINGS * length * sizeof *list->d);
    return list->items && list->d ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void endings_free(endings *list)
{
    free(list->items);
    free(list->d);
}

void endings_forget(endings *list)
{
    list->n = 0;
}

bool endings_are_full(const endings *list)
{
    return list->n == MOST;
}

void endings_add(endings *list, ending one)
{
    list->items[list->n++] = one;
}

static int by_offset(const void *pa, const void *pb)
{
    const ending *a = pa, *b = pb;
    const uint64_t i = a->end - a->from, k = b->end - b->from;
    if (i != k) return i < k ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* Answer some. Those that are left out go to the front of the list, which `left` counts. */
static sigrep_status find_some(endings *list, const ending *some, size_t count, size_t leave,
                               const place *at, found_list *out, size_t *left)
{
    trace_ending asked[TRACE_ENDINGS];
    const trace *tr = at->tr;
    const sweep_step *in = at->in;
    for (size_t i = 0; i < count; i++) {
        const ending *e = &some[i];
        float *d = list->d + i * tr->cells.length;
        sigrep_status status = in->ops->column(in->kernel, at->index, e->from, d);
        if (status) return status;
        asked[i] = (trace_ending){.d = d,
                                  .frames = window_at(in->frames, e->from),
                                  .n = (size_t)(e->to - e->from),
                                  .ended = (size_t)(e->end - e->from),
                                  .best = e->d};
    }
    tr->ops->endings(&tr->cells, asked, count, leave);
    for (size_t i = 0; i < count; i++) {
        const ending e = some[i];
        if (asked[i].final <= asked[i].n) {
            out->items[e.item].final = e.from + asked[i].final;
            list->columns += asked[i].final;
        } else {
            list->items[(*left)++] = e;
        }
    }
    return SIGREP_OK;
}

sigrep_status endings_find(endings *list, const trace *tr, size_t index, const sweep_step *in,
                           found_list *out)
{
    const place at = {tr, index, in};
    sigrep_status status = SIGREP_OK;
    qsort(list->items, list->n, sizeof *list->items, by_offset);
    while (list->n && !status) {
        const size_t n = list->n, leave = n > TRACE_ENDINGS ? LATE : 0;
        list->n = 0;
        for (size_t i = 0; i < n && !status; i += TRACE_ENDINGS) {
            const size_t count = n - i < TRACE_ENDINGS ? n - i : TRACE_ENDINGS;
            status = find_some(list, list->items + i, count, leave, &at, out, &list->n);
        }
    }
    return status;
}
