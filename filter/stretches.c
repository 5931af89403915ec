#include "filter/stretches.h"

static uint64_t clip(const stretch *st, int64_t offset)
{
    uint64_t sample = st->base + (uint64_t)offset;
    if (offset < 0 && (uint64_t)-offset > st->base - st->begin) return st->begin;
    return sample > st->end ? st->end : sample;
}

static int64_t offset_of(const stretch *st, const feature_timing *timing, uint64_t frame)
{
    return (int64_t)((frame - st->first_frame) * timing->hop) + timing->lead;
}

void stretch_samples(const stretch *st, const feature_timing *timing, uint64_t frame,
                     uint64_t *begin, uint64_t *end)
{
    int64_t offset = offset_of(st, timing, frame);
    *begin = clip(st, offset);
    *end = clip(st, offset + (int64_t)timing->hop);
}

uint64_t stretch_ready(const stretch *st, const feature_timing *timing, uint64_t frame)
{
    int64_t own_end = offset_of(st, timing, frame) + (int64_t)timing->hop;
    return clip(st, own_end + (int64_t)timing->look_ahead);
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
