#include "filter/session/span_samples.h"

#include "filter/features/timing.h"
#include "filter/search/match_list.h"

const span *span_of(const span *list, size_t n, uint64_t frame)
{
    size_t low = 0, high = n; /* the answer is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((int64_t)(frame - list[middle].first_frame) >= 0) /* modulo 2^64: see cold_start.c */
            low = middle;
        else
            high = middle;
    }
    return &list[low];
}

/* The sample `offset` samples after the begin, clipped to the span. */
static uint64_t clip(const span *sp, int64_t offset)
{
    if (offset < 0) return sp->begin;
    return (uint64_t)offset > sp->end - sp->begin ? sp->end : sp->begin + (uint64_t)offset;
}

/* Samples from the begin of the span to the first that the frame owns. */
static int64_t edge(const span *sp, const frame_timing *timing, uint64_t frame)
{
    return timing_edge(timing, frame - sp->first_frame);
}

void span_samples(const span *sp, const frame_timing *timing, uint64_t frame, uint64_t *begin,
                  uint64_t *end)
{
    *begin = clip(sp, edge(sp, timing, frame));
    *end = clip(sp, edge(sp, timing, frame + 1));
}

void span_samples_of(const span *sp, const frame_timing *timing, uint64_t from, uint64_t to,
                     uint64_t least, uint64_t *begin, uint64_t *end)
{
    uint64_t unused;
    span_samples(sp, timing, from, begin, &unused);
    span_samples(sp, timing, to - 1, &unused, end);
    if (*begin == *end && *begin > least)
        --*begin;
    else if (*begin == *end)
        ++*end;
}

uint64_t span_ready(const span *sp, const front_end *chain, uint64_t frame)
{
    const uint64_t needed = front_end_samples_needed(chain, frame - sp->first_frame + 1);
    return clip(sp, needed > INT64_MAX ? INT64_MAX : (int64_t)needed);
}
