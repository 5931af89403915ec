/*
 * window.h - windows of overlapping chunks over the last frames of a stream.
 *
 *     stream   ........|<------ overlap ------>|<---- chunk ---->|
 *                      ^ window_at(oldest)     ^ what is new      ^ end
 *
 * A chunk is what arrived, at most `chunk` frames; before it the last `overlap` frames are
 * still there, so that a search can look back. Frames are stored one behind the other in
 * memory for twice the capacity; at its end, those that may still be looked at move to the
 * front. So any window is contiguous, a frame is moved once at most, and whole chunks
 * cost the move of an overlap. How the stream was cut cannot be seen in a window.
 *
 * Where there is room for it, a chunk that is still at work stays where it is at the end of the
 * memory, and only its last frames, the overlap of the next one, are copied to the front: a turn.
 *
 *     memory   |overlap|<-- next chunk -->|      ....      |overlap|<-- chunk at work -->|
 *                  ^---------------------- copied --------------------------------|
 */
#ifndef FILTER_SEARCH_WINDOW_H
#define FILTER_SEARCH_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

typedef struct {
    float *frames;   /* 2 * capacity frames */
    size_t dim;      /* floats a frame */
    size_t capacity; /* overlap + chunk frames */
    size_t used;     /* of them hold frames, the newest last */
    uint64_t end;    /* frames appended since reset */
    uint64_t turned; /* frames before this position lie where they lay before the last turn: ... */
    uint64_t before; /* ... there this position was the memory's first */
} window;

/* The caller frees it with window_free. */
sigrep_status window_create(window *w, size_t dim, size_t overlap, size_t chunk);
void window_free(window *w);
void window_reset(window *w);

/* Append n <= capacity frames. */
void window_append(window *w, const float *frames, size_t n);

/* Where the next frames will lie, while no more are appended than were reserved. */
float *window_space(const window *w);

/* Append n frames that were written to window_space. */
void window_filled(window *w, size_t n);

/* Frames before `oldest` are not looked at any more, and after this n <= capacity more can be
 * appended while all others stay where they are seen now; those before `next` >= oldest are gone by
 * the next reserve, or once more than n have been appended. end - oldest <= capacity. */
void window_reserve(window *w, uint64_t oldest, uint64_t next, size_t n);

/* Frame `position` (end - capacity <= position <= end) and all that follow it, up to what was the
 * end at the last reserve or, from its `next` on, to the end. Valid until the next append, or as
 * window_reserve says. */
const float *window_at(const window *w, uint64_t position);

#endif
