#include "io/time/fill.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t missing; /* the run at the end, in frames */
    bool is_begun;  /* a value came before the run, since the last break ... */
    double before;  /* ... and this is the last one */
} channel_run;

/* Frames that were not taken yet: [first, first + n) of the two arrays. */
struct fill {
    size_t channels, most;
    channel_run *runs;
    double *frames;
    exact_time *times;
    size_t first, n, capacity;
};

fill *fill_create(size_t channels, size_t most)
{
    fill *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    *f = (fill){.channels = channels, .most = most};
    f->runs = calloc(channels, sizeof *f->runs);
    if (f->runs) return f;
    free(f);
    return NULL;
}

void fill_destroy(fill *f)
{
    if (!f) return;
    free(f->runs);
    free(f->frames);
    free(f->times);
    free(f);
}

/* Make room for another frame: move all to the front if half is free, else double the room. */
static bool make_room(fill *f)
{
    const size_t width = f->channels * sizeof *f->frames;
    if (f->first + f->n < f->capacity) return true;
    if (f->first > f->n) {
        memcpy(f->frames, f->frames + f->first * f->channels, f->n * width);
        memcpy(f->times, f->times + f->first, f->n * sizeof *f->times);
        f->first = 0;
        return true;
    }
    const size_t capacity = f->capacity ? 2 * f->capacity : 64;
    double *frames = capacity < SIZE_MAX / width ? realloc(f->frames, capacity * width) : NULL;
    if (frames) f->frames = frames;
    exact_time *times = frames ? realloc(f->times, capacity * sizeof *times) : NULL;
    if (!times) return false;
    f->times = times;
    f->capacity = capacity;
    return true;
}

/* Draw the line over the run that `after` ends. after: the value in the frame behind the run. */
static void draw_line(const fill *f, size_t channel, double *after)
{
    const channel_run *run = &f->runs[channel];
    const double from = run->before, rise = *after - from, steps = (double)run->missing + 1;
    for (size_t k = 1; k <= run->missing; k++)
        *(after - k * f->channels) = from + rise * (double)(run->missing + 1 - k) / steps;
}

bool fill_add(fill *f, const double *frame, exact_time time)
{
    if (!make_room(f)) return false;
    double *at = f->frames + (f->first + f->n) * f->channels;
    f->times[f->first + f->n++] = time;
    for (size_t c = 0; c < f->channels; c++) {
        channel_run *run = &f->runs[c];
        at[c] = frame ? frame[c] : (double)NAN;
        if (!isfinite((float)at[c])) {
            run->missing++;
            continue;
        }
        if (run->is_begun && run->missing <= f->most) draw_line(f, c, &at[c]);
        *run = (channel_run){.is_begun = true, .before = at[c]};
    }
    return true;
}

void fill_break(fill *f)
{
    for (size_t c = 0; c < f->channels; c++) f->runs[c] = (channel_run){0};
}

void fill_drop_waiting(fill *f)
{
    f->n = fill_ready(f);
    fill_break(f);
}

size_t fill_ready(const fill *f)
{
    size_t waiting = 0;
    for (size_t c = 0; c < f->channels; c++) {
        const channel_run *run = &f->runs[c];
        if (run->is_begun && run->missing <= f->most && run->missing > waiting)
            waiting = run->missing;
    }
    return f->n - waiting;
}

exact_time *fill_waiting_times(fill *f, size_t *n)
{
    const size_t ready = fill_ready(f);
    *n = f->n - ready;
    return *n > 0 ? f->times + f->first + ready : NULL;
}

size_t fill_take(fill *f, double *frames, exact_time *times, size_t max)
{
    size_t n = fill_ready(f);
    if (n > max) n = max;
    if (n == 0) return 0;
    memcpy(frames, f->frames + f->first * f->channels, n * f->channels * sizeof *frames);
    if (times) memcpy(times, f->times + f->first, n * sizeof *times);
    f->first += n;
    f->n -= n;
    return n;
}
