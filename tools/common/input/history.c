#include "tools/common/input/history.h"

#include <stdlib.h>
#include <string.h>

#include "io/spool.h"

enum { FIRST_CAPACITY = 1024 };

bool history_begin(history *h, size_t size, bool keeps_all)
{
    *h = (history){.size = size, .all = keeps_all ? spool_create(SPOOL_MEMORY) : NULL};
    return h->all || !keeps_all;
}

void history_begin_at(history *h, uint64_t first)
{
    h->first = h->count = first;
}

void history_end(history *h)
{
    spool_destroy(h->all);
    free(h->ring);
}

/* Where record i lies in a ring, and how many from i on, at most n, lie there in one piece. */
static unsigned char *piece(const history *h, uint64_t i, size_t *n)
{
    const size_t at = (size_t)(i % h->capacity);
    if (*n > h->capacity - at) *n = h->capacity - at;
    return h->ring + at * h->size;
}

static void copy_out(const history *h, uint64_t first, unsigned char *records, size_t n)
{
    for (size_t part; n > 0; first += part, records += part * h->size, n -= part) {
        part = n;
        const unsigned char *from = piece(h, first, &part);
        memcpy(records, from, part * h->size);
    }
}

/* Make room for n more. Those that are kept move to their places in the larger ring. */
static bool make_room(history *h, size_t n)
{
    const size_t kept = (size_t)(h->count - h->first), most = SIZE_MAX / 2 / h->size;
    size_t capacity = h->capacity ? h->capacity : FIRST_CAPACITY;
    if (kept + n <= h->capacity) return true;
    while (capacity < kept + n && capacity <= most) capacity *= 2;
    history larger = {.size = h->size, .capacity = capacity};
    if (capacity > most || !(larger.ring = malloc(capacity * h->size))) return false;
    for (size_t i = 0, part; i < kept; i += part) {
        part = kept - i;
        unsigned char *to = piece(&larger, h->first + i, &part);
        copy_out(h, h->first + i, to, part);
    }
    free(h->ring);
    h->ring = larger.ring;
    h->capacity = capacity;
    return true;
}

const char *history_add(history *h, const void *records, size_t n)
{
    const unsigned char *from = records;
    if (h->all) {
        if (spool_append(h->all, records, n * h->size)) return spool_error(h->all);
        h->count += n;
        return NULL;
    }
    if (!make_room(h, n)) return "out of memory";
    for (size_t part; n > 0; h->count += part, from += part * h->size, n -= part) {
        part = n;
        unsigned char *to = piece(h, h->count, &part);
        memcpy(to, from, part * h->size);
    }
    return NULL;
}

void history_forget(history *h, uint64_t first)
{
    if (!h->all && first > h->first) h->first = first < h->count ? first : h->count;
}

const char *history_read(history *h, uint64_t first, void *records, size_t n)
{
    if (h->all)
        return spool_read(h->all, first * h->size, records, n * h->size) ? spool_error(h->all)
                                                                         : NULL;
    copy_out(h, first, records, n);
    return NULL;
}
