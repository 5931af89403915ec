/* cursor_help.h - a swept stream, a trace_cursor over it, and which of its cells are exact. */
#ifndef TESTS_FILTER_SEARCH_CURSOR_HELP_H
#define TESTS_FILTER_SEARCH_CURSOR_HELP_H

#include <math.h>
#include <string.h>

#include "filter/search/cursor.h"
#include "filter/search/window.h"
#include "kernels/kernel.h"
#include "tests/check.h"

enum { M = 40, MAX = 2 * M, N = 4000, SPACING = KERNEL_BLOCK };
#define EPS 20.0f

/* A stream that was swept as one chunk, and a trace_cursor over it. */
typedef struct {
    float x[M], y[N];
    window frames;
    const kernel_ops *ops;
    void *kernel;
    float minima[N / KERNEL_BLOCK + 2];
    swept_chunk in;
    trace_cursor cursor;
} scene;

/* Whole numbers, now and then the template. */
static inline void make_signals(scene *s)
{
    uint64_t random = 5;
    for (size_t i = 0; i < M; i++) s->x[i] = (float)check_below(&random, 9);
    for (size_t t = 0; t < N; t++) s->y[t] = (float)check_below(&random, 9);
    for (size_t t = 300; t + M < N; t += 500) memcpy(s->y + t, s->x, sizeof s->x);
}

static inline void begin_with(scene *s, const char *kernel, size_t most)
{
    make_signals(s);
    CHECK(window_create(&s->frames, 1, most + SPACING, N) == SIGREP_OK);
    window_append(&s->frames, s->y, N);
    s->ops = kernel_choose("cpu", kernel, NULL);
    const kernel_template x = {.frames = s->x, .length = M, .eps = EPS, .history = most};
    CHECK(s->ops->create(
              &s->kernel,
              &(kernel_plan){.templates = &x, .n_templates = 1, .dim = 1, .max_chunk = N}) ==
          SIGREP_OK);
    CHECK(s->ops->sweep(s->kernel, s->y, N, &(kernel_output){.minima = s->minima}) == SIGREP_OK);
    s->in = (swept_chunk){.frames = &s->frames,
                          .checkpoint = s->ops->checkpoint,
                          .source = s->kernel,
                          .to = N,
                          .minima = s->minima};
    CHECK(cursor_create(&s->cursor, 0, s->x, M, 1, most, SPACING) == SIGREP_OK);
}

static inline void begin(scene *s)
{
    begin_with(s, "scalar", MAX);
}

static inline void end(scene *s)
{
    cursor_free(&s->cursor);
    s->ops->destroy(s->kernel);
    window_free(&s->frames);
}

/* Is every cell within EPS, whose start is `from` or later, that of a search from `origin`? */
static inline bool is_exact(const scene *s, uint64_t origin, int64_t from)
{
    trace tr;
    bool same = true;
    CHECK(trace_create(&tr, NULL, s->x, M, 1) == SIGREP_OK);
    trace_start_cold(&tr, origin);
    while (tr.position < s->cursor.trace.position)
        trace_run(&tr, s->y + tr.position, 1, INFINITY, NULL);
    for (size_t i = 0; i < M; i++) {
        trace_end a = trace_cell(&tr, i), b = trace_cell(&s->cursor.trace, i);
        if (b.d > EPS)
            same &= from > INT64_MIN || a.d > EPS;
        else if (b.s >= from)
            same &= a.d == b.d && a.s == b.s;
    }
    trace_free(&tr);
    return same;
}

#endif
