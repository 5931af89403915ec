/*
 * window.h - windows of overlapping chunks over the last frames of a stream.
 *
 *     stream   ........|<------ overlap ------>|<---- chunk ---->|
 *                      ^ window_at(oldest)     ^ what is new      ^ end
 *
 * A chunk has at most `chunk` frames. The last `overlap` frames before it are still there, so that
 * a search can look back. The memory holds twice a window. At its end the overlap is copied to the
 * front, which is a turn. So each window is contiguous, and a window does not show how the stream
 * was cut.
 *
 * A chunk that is still being swept stays at the end of the memory if there is room:
 *
 *     memory   |overlap|<-- next chunk -->|      ....      |overlap|<-- chunk at work -->|
 *                  ^---------------------- copied --------------------------------|
 */
#ifndef FILTER_SEARCH_WINDOW_H
#define FILTER_SEARCH_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

typedef struct window {
    float *frames;   /* 2 * capacity frames */
    size_t dim;      /* floats a frame */
    size_t capacity; /* overlap + chunk frames */
    size_t used;     /* of them hold frames, the newest last */
    uint64_t end;    /* frames appended since reset */
    uint64_t turned; /* frames before this position still lie where they lay before the last turn */
    uint64_t before; /* the position of the memory's first frame before that turn */
} window;

/* The caller frees it with window_free. */
sigrep_status window_create(window *w, size_t dim, size_t overlap, size_t chunk);
void window_free(window *w);

/* Begin anew: the next frame is number `at`. */
void window_reset(window *w, uint64_t at);

/* Append n <= capacity frames. */
void window_append(window *w, const float *frames, size_t n);

/* The place of the next frames, while no more are appended than were reserved. */
float *window_space(const window *w);

/* Append n frames that were written to window_space. */
void window_filled(window *w, size_t n);

/* Make room for n <= capacity more frames. Frames before `oldest` are lost. The others stay in
 * place while at most n are appended. Then, or at the next reserve, frames before `next` are lost.
 * end - oldest <= capacity, oldest <= next. */
void window_reserve(window *w, uint64_t oldest, uint64_t next, size_t n);

/* Frame `position`, with end - capacity <= position <= end, and the frames after it. They go up to
 * the end at the last reserve, or from that reserve's `next` on up to the end now. Valid until the
 * next append, or as long as window_reserve promises. */
const float *window_at(const window *w, uint64_t position);

#endif
