/*
 * search_follow.c - where the sweep carried starts along, D and S of the last row are all that a
 * search needs. Paths do not cross: where one ends that began behind the pending best's end, so did
 * all above it, so no cell is live there and the best is final. When it was, is asked later.
 */
#include <float.h>
#include <math.h>

#include "filter/search_state.h"

/* Ends that change something: D <= eps, and below the pending best's or of a start behind its end,
 * which counts from the step's first frame. */
typedef struct {
    float eps, low;
    int32_t last;
} ends_wanted;

enum { RUN = 16 }; /* see trace.c */

static inline int any_wanted(const float *d, const int32_t *s, ends_wanted w, int n)
{
    int any = 0;
    for (int i = 0; i < n; i++) any |= (d[i] <= w.eps) & ((d[i] < w.low) | (s[i] > w.last));
    return any;
}

/* The first of them in [at, to), else `to`. */
static uint64_t next_wanted(const search *se, const sweep_step *in, uint64_t at, uint64_t to)
{
    const detector *det = &se->det;
    const kernel_ends *ends = &in->ends;
    const ends_wanted w = {.eps = se->gate.eps < FLT_MAX ? se->gate.eps : FLT_MAX,
                           .low = det->pending ? det->d : INFINITY,
                           .last = det->pending ? (int32_t)(det->last - (int64_t)ends->begin)
                                                : INT32_MAX};
    if (at >= to) return to;
    size_t i = (size_t)(at - ends->begin), n = (size_t)(to - ends->begin);
    while (i < n) {
        const size_t block = (i / KERNEL_BLOCK + 1) * KERNEL_BLOCK;
        if (!(in->minima[i / KERNEL_BLOCK] <= w.eps)) {
            i = block;
            continue;
        }
        while (i + RUN <= block && !any_wanted(ends->d + i, ends->s + i, w, RUN)) i += RUN;
        while (i < block && !any_wanted(ends->d + i, ends->s + i, w, 1)) i++;
        if (i < block) break;
    }
    return ends->begin + (i < n ? i : n);
}

static trace_end end_at(const kernel_ends *ends, uint64_t t)
{
    const size_t i = (size_t)(t - ends->begin);
    const int32_t s = ends->s[i];
    return (trace_end){.t = t,
                       .d = ends->d[i],
                       .s = s == KERNEL_TOO_OLD ? TRACE_TOO_OLD : (int64_t)ends->begin + s};
}

/* The best ends at `at`. While D falls further, by paths of the same start, so does what follows.
 */
static uint64_t descend(const search *se, const kernel_ends *ends, uint64_t at, uint64_t to)
{
    const uint64_t old = (uint64_t)se->det.start + se->gate.length_max;
    const size_t n = (size_t)((to < old ? to : old) - ends->begin);
    size_t i = (size_t)(at - ends->begin);
    while (i + 1 < n && ends->d[i + 1] < ends->d[i] && ends->s[i + 1] == ends->s[i]) i++;
    return ends->begin + i;
}

/* The best so far, if the end at `at` is that of a candidate. Gives what is to be seen next. */
static uint64_t take_from(search *se, const kernel_ends *ends, uint64_t at, uint64_t to)
{
    trace_end end = end_at(ends, at);
    if (!search_take(se, &end)) return at + 1;
    walk_be_certain(&se->on);
    const uint64_t lowest = descend(se, ends, at, to);
    end = end_at(ends, lowest);
    if (lowest > at) search_take(se, &end);
    return lowest + 1;
}

/* The pending best is final after `to` frames at most. Search on from its end. */
static sigrep_status tell_later(search *se, const sweep_step *in, uint64_t to, found_list *out)
{
    const uint64_t end = (uint64_t)se->det.last + 1, spacing = se->on.spacing;
    sigrep_status status = SIGREP_OK;
    if (endings_are_full(&se->late)) status = search_find_late(se, in, out);
    endings_add(
        &se->late,
        (ending){.item = out->n, .from = end / spacing * spacing, .to = to, .best = se->det});
    if (!status) status = search_tell(se, 0, out);
    walk_set_origin(&se->on, end);
    return status;
}

/* An end within eps may be one of a path from the origin, another than the sweep's. */
static sigrep_status leave(search *se, const sweep_step *in, uint64_t at)
{
    sigrep_status status =
        walk_settle(&se->on, in, at / KERNEL_BLOCK * KERNEL_BLOCK, search_bound(se));
    se->low = se->on.tr.position;
    return status;
}

/* All ends are seen. What is pending may be final, which gives a new origin. */
static sigrep_status arrive(search *se, const sweep_step *in, uint64_t to, found_list *out,
                            bool *again)
{
    sigrep_status status = walk_take_over(&se->on, in, to);
    se->low = to;
    *again = !status && se->det.pending && detector_is_final(&se->det, &se->gate, &se->on.tr);
    return *again ? tell_later(se, in, to, out) : status;
}

sigrep_status search_follow(search *se, const sweep_step *in, uint64_t from, uint64_t to,
                            found_list *out)
{
    sigrep_status status = SIGREP_OK;
    uint64_t at = from;
    walk_follow(&se->on, in, from, to, se->gate.eps);
    while (!status) {
        at = next_wanted(se, in, later(at, search_first_end(se)), to);
        if (at == to) {
            bool again;
            status = arrive(se, in, to, out, &again);
            if (!again) break;
            at = from;
            continue;
        }
        const trace_end end = end_at(&in->ends, at);
        if (se->det.pending && end.s > se->det.last) {
            status = tell_later(se, in, at + 1, out);
            at = from;
            continue;
        }
        if (!se->det.pending && end.s < walk_floor(&se->on)) {
            const uint64_t next = search_end_of_block(at, to);
            if (search_may_end(se, in, at, next)) return leave(se, in, at);
            at = next;
            continue;
        }
        at = take_from(se, &in->ends, at, to);
    }
    return status;
}
