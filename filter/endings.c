#include "filter/endings.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST = 64 * TRACE_ENDINGS, /* at once: those side by side have much in common */
    LATE = TRACE_ENDINGS / 4,  /* of those side by side: the last are asked again, with others */
    SOON = 16,                 /* columns after its end in which a match is final, but for few */
    PIECE = KERNEL_BLOCK       /* columns: a piece, of those few */
};

/* What they are asked of. */
typedef struct {
    trace *tr;
    size_t index, spacing;
    const sweep_step *in;
} place;

sigrep_status endings_create(endings *list, size_t length, detector_gate gate)
{
    *list = (endings){.gate = gate};
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

static uint64_t end_of(const ending *e)
{
    return (uint64_t)e->best.last + 1;
}

static int by_offset(const void *pa, const void *pb)
{
    const ending *a = pa, *b = pb;
    const uint64_t i = end_of(a) - a->from, k = end_of(b) - b->from;
    if (i != k) return i < k ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* The frames to be asked of: behind these a path that matters may be too old, which the kernels do
 * not look at, and they are not for the few that take long. */
static uint64_t last_of(const endings *list, const ending *e)
{
    const uint64_t old = (uint64_t)e->best.start + list->gate.length_max, late = end_of(e) + SOON;
    const uint64_t last = old < late ? old : late;
    return e->to < last ? e->to : last;
}

static bool is_final(const endings *list, const ending *e, const trace *tr)
{
    return tr->position >= end_of(e) && detector_is_final(&e->best, &list->gate, tr);
}

/* Be at the last kept column in which it is not final, as it was not after last_of. */
static sigrep_status be_at_last_live(endings *list, const ending *e, const place *at)
{
    uint64_t kept = last_of(list, e) / at->spacing * at->spacing;
    sigrep_status status = walk_be_at_kept(at->tr, at->index, at->in, kept);
    while (!status && kept + at->spacing <= e->to) {
        status = walk_be_at_kept(at->tr, at->index, at->in, kept + at->spacing);
        if (status) break;
        if (is_final(list, e, at->tr)) return walk_be_at_kept(at->tr, at->index, at->in, kept);
        kept += at->spacing;
    }
    return status;
}

/* By the trace, from there on. */
static sigrep_status find_alone(endings *list, const ending *e, const place *at, found_list *out)
{
    trace *tr = at->tr;
    int64_t dead = e->best.last;
    sigrep_status status = be_at_last_live(list, e, at);
    while (!status && !is_final(list, e, tr)) {
        const uint64_t begin = tr->position, left = e->to - begin;
        const size_t n = left < PIECE ? (size_t)left : PIECE;
        trace_watch w = detector_watch(&e->best, &list->gate, begin);
        trace_run(tr, window_at(at->in->frames, begin), n, nextafterf(w.d, -1), &w);
        list->columns += n;
        if ((int64_t)begin + w.latest >= dead) dead = (int64_t)begin + w.latest + 1;
    }
    out->items[e->item].final = (uint64_t)dead + 1;
    return status;
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
                                  .n = (size_t)(last_of(list, e) - e->from),
                                  .ended = (size_t)(end_of(e) - e->from),
                                  .best = e->best.d};
    }
    tr->ops->endings(&tr->cells, asked, count, leave);
    sigrep_status status = SIGREP_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const ending e = some[i];
        if (asked[i].final == TRACE_LEFT_OUT) {
            list->items[(*left)++] = e;
        } else if (asked[i].final <= asked[i].n) {
            out->items[e.item].final = e.from + asked[i].final;
            list->columns += asked[i].final;
        } else {
            status = find_alone(list, &e, at, out);
        }
    }
    return status;
}

sigrep_status endings_find(endings *list, trace *tr, size_t index, const sweep_step *in,
                           found_list *out)
{
    if (!list->n) return SIGREP_OK; /* always so where the kernel carries no starts */
    const place at = {tr, index, in->ops->spacing(in->kernel, index), in};
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
