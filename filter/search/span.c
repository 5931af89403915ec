#include "filter/search/span.h"

const span *span_of(const span *list, size_t n, uint64_t frame)
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
