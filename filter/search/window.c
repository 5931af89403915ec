#include "filter/search/window.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/pinnable.h"

sigrep_status window_create(window *w, size_t dim, size_t overlap, size_t chunk)
{
    *w = (window){.dim = dim, .capacity = overlap + chunk};
    if (w->capacity < chunk || w->capacity > SIZE_MAX / (2 * sizeof(float)) / dim)
        return SIGREP_NO_MEMORY;
    w->frames = pinnable_allocate(2 * w->capacity * dim);
    return w->frames ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void window_free(window *w)
{
    free(w->frames);
    w->frames = NULL;
}

void window_reset(window *w, uint64_t at)
{
    w->used = 0;
    w->end = at;
    w->turned = 0;
}

/* Is there room for n frames after the newest one? */
static bool has_room(const window *w, size_t n)
{
    return w->used + n <= 2 * w->capacity;
}

/* Move the newest `kept` frames to the front of the memory. */
static void copy_to_front(window *w, size_t kept)
{
    memmove(w->frames, w->frames + (w->used - kept) * w->dim, kept * w->dim * sizeof(float));
    w->used = kept;
}

/* Make room for n frames after the newest one; `kept` frames are still needed. */
static void make_room(window *w, size_t kept, size_t n)
{
    if (has_room(w, n)) return;
    copy_to_front(w, kept < w->used ? kept : w->used);
    w->turned = 0;
}

float *window_space(const window *w)
{
    return w->frames + w->used * w->dim;
}

void window_filled(window *w, size_t n)
{
    w->used += n;
    w->end += n;
}

void window_append(window *w, const float *frames, size_t n)
{
    if (n == 0) return;
    make_room(w, w->capacity - n, n);
    float *to = window_space(w);
    if (frames != to) memmove(to, frames, n * w->dim * sizeof *to);
    window_filled(w, n);
}

void window_reserve(window *w, uint64_t oldest, uint64_t next, size_t n)
{
    const size_t kept = (size_t)(w->end - oldest), again = (size_t)(w->end - next);
    if (has_room(w, n)) return;
    if (again + n > w->used - kept) { /* it would reach those that stay */
        make_room(w, kept, n);
        return;
    }
    w->before = w->end - w->used;
    w->turned = next;
    copy_to_front(w, again);
}

const float *window_at(const window *w, uint64_t position)
{
    const uint64_t first = position < w->turned ? w->before : w->end - w->used;
    return w->frames + (size_t)(position - first) * w->dim;
}
