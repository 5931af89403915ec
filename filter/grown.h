/* grown.h - arrays that grow. */
#ifndef FILTER_GROWN_H
#define FILTER_GROWN_H

#include <stdint.h>
#include <stdlib.h>

/* The array `items`, with room for n items of `size` bytes: twice as many if it must move, so that
 * adding one by one takes O(1) on average. NULL without memory; then `items` stays. */
static inline void *grown(void *items, size_t *capacity, size_t n, size_t size)
{
    enum { LEAST = 64 };
    if (n <= *capacity) return items;
    const size_t room = n < LEAST ? LEAST : 2 * n;
    void *moved = n <= SIZE_MAX / 2 && room <= SIZE_MAX / size ? realloc(items, room * size) : NULL;
    if (moved) *capacity = room;
    return moved;
}

#endif
