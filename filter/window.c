#include "filter/window.h"

#include <stdlib.h>
#include <string.h>

sigrep_status window_create(window *w, size_t dim, size_t overlap, size_t chunk)
{
    *w = (window){.dim = dim, .capacity = overlap + chunk};
    if (w->capacity < chunk || w->capacity > SIZE_MAX / (2 * sizeof(float)) / dim)
        return SIGREP_NO_MEMORY;
    w->frames = malloc(2 * w->capacity * dim * sizeof(float));
    return w->frames ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void window_free(window *w)
{
    free(w->frames);
    w->frames = NULL;
}

void window_reset(window *w)
{
    w->end = 0;
}

/* Write n frames from `slot` on, which do not reach beyond the capacity, to both places. */
static void store(window *w, size_t slot, const float *frames, size_t n)
{
    size_t bytes = n * w->dim * sizeof(float);
    memcpy(w->frames + slot * w->dim, frames, bytes);
    memcpy(w->frames + (slot + w->capacity) * w->dim, frames, bytes);
}

void window_append(window *w, const float *frames, size_t n)
{
    size_t slot = (size_t)(w->end % w->capacity);
    size_t before_wrap = w->capacity - slot < n ? w->capacity - slot : n;
    store(w, slot, frames, before_wrap);
    store(w, 0, frames + before_wrap * w->dim, n - before_wrap);
    w->end += n;
}

const float *window_at(const window *w, uint64_t position)
{
    return w->frames + (size_t)(position % w->capacity) * w->dim;
}
