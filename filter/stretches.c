#include "filter/stretches.h"

#include "filter/features/timing.h"

/* The sample `offset` behind the begin, clipped to the stretch. */
static uint64_t clip(const stretch *st, int64_t offset)
{
    if (offset < 0) return st->begin;
    return (uint64_t)offset > st->end - st->begin ? st->end : st->begin + (uint64_t)offset;
}

/* Samples from the begin to where the frame begins. */
static int64_t edge(const stretch *st, const feature_timing *timing, uint64_t frame)
{
    return timing_edge(timing, frame - st->first_frame);
}

void stretch_samples(const stretch *st, const feature_timing *timing, uint64_t frame,
                     uint64_t *begin, uint64_t *end)
{
    *begin = clip(st, edge(st, timing, frame));
    *end = clip(st, edge(st, timing, frame + 1));
}

uint64_t stretch_ready(const stretch *st, const front_end *chain, uint64_t frame)
{
    const uint64_t needed = front_end_needed(chain, frame - st->first_frame + 1);
    return clip(st, needed > INT64_MAX ? INT64_MAX : (int64_t)needed);
}

const stretch *stretch_of(const stretch *list, size_t n, uint64_t frame)
{
    size_t low = 0, high = n; /* the answer is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list[middle].first_frame <= frame)
            low = middle;
        else
            high = middle;
    }
    return &list[low];
}
