/*
 * cursor.h - the trace cursor: where a search's trace stands, and which of its cells are exact.
 *
 * The trace is at one column. It goes on from there, or skips to a checkpoint of the sweep:
 *
 *     sweep    |-----------o-----------------o-------------->    o: checkpoints
 *     trace    [ 0 .. 40 ] |     skip        [ columns ]
 *
 * Its state defines which cells are exact for a search from `origin`:
 *
 * CURSOR_LIKE_SWEEP    D is the sweep's if either is <= eps, and stays so. Starts before a
 *                      checkpoint are unknown, and too old to matter.
 * CURSOR_FROM_ORIGIN   Traced from the origin itself, so all is exact. The cursor may not skip
 *                      until a checkpoint agrees with it; then it is CURSOR_LIKE_SWEEP.
 * CURSOR_FROM_OLDER    Traced from an older origin. Cells with S >= origin are exact, the others
 *                      are in doubt. Without cells in doubt it is as good as CURSOR_FROM_ORIGIN,
 *                      and as CURSOR_LIKE_SWEEP if it came from there.
 *
 * Cells above eps need not agree: costs are never negative, so no path from them ends in a
 * candidate.
 */
#ifndef FILTER_SEARCH_CURSOR_H
#define FILTER_SEARCH_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/search/trace.h"
#include "sigrep.h"

typedef struct state_bytes state_bytes; /* filter/state/state.h */
typedef struct stopping stopping;       /* filter/status.h */
typedef struct window window;           /* filter/search/window.h */

/* A chunk that the kernel has swept. */
typedef struct swept_chunk {
    const window *frames; /* the chunk, and the frames before it that a search may need */
    sigrep_status (*checkpoint)(void *source, size_t index, uint64_t position, float *d);
    void *source;         /* checkpoint: kernel_ops.checkpoint of a kernel, or a stand-in for it */
    uint64_t base;        /* the kernel's frame 0: it counts from there */
    uint64_t from, to;    /* frames of the chunk, [from, to) */
    const uint64_t *gaps; /* gap frames among them, ascending */
    size_t n_gaps;
    const float *minima;  /* of each block that the chunk touches */
    float *scores;        /* of each frame, for a search without a sweep to write; or NULL */
    const stopping *stop; /* NULL: nobody is asked */
} swept_chunk;

typedef enum { CURSOR_LIKE_SWEEP, CURSOR_FROM_ORIGIN, CURSOR_FROM_OLDER } cursor_state;

typedef struct {
    trace trace;
    size_t index;        /* of the template */
    size_t spacing;      /* frames between checkpoints */
    uint64_t length_max; /* of a match */
    cursor_state state;
    bool swept;       /* the state before CURSOR_FROM_OLDER was CURSOR_LIKE_SWEEP */
    uint64_t origin;  /* the first frame that a path may use */
    int64_t since;    /* a skip lost earlier starts; INT64_MIN: none that matters */
    float *column;    /* m: a checkpoint to compare with */
    uint64_t columns; /* traced since create */
    uint64_t unasked; /* work since the last question whether to stop */
} trace_cursor;

/* x: length x dim, copied. The caller frees it with cursor_free. */
sigrep_status cursor_create(trace_cursor *cur, size_t index, const float *x, size_t length,
                            size_t dim, uint64_t length_max, size_t spacing);
void cursor_free(trace_cursor *cur);

/* Begin a span at `origin`. The sweep begins there too. */
void cursor_begin(trace_cursor *cur, uint64_t origin);

/* Set a later origin, at most the trace's position. cursor_restart also moves the trace there. */
void cursor_set_origin(trace_cursor *cur, uint64_t origin);
void cursor_restart(trace_cursor *cur, uint64_t origin);

/* A path with a known start ends in or before the last column. Paths do not cross, so all paths in
 * that column began there or later: its cells are exact. */
void cursor_clear_doubt(trace_cursor *cur);

/* Starts before this frame are in doubt, in the columns of the last cursor_advance and in the next
 * column; INT64_MIN: no start is. */
int64_t cursor_known_from(const trace_cursor *cur);

/* Trace the columns up to `to`. SIGREP_STOPPED: a question on the way was answered so. */
sigrep_status cursor_advance(trace_cursor *cur, const swept_chunk *in, uint64_t to, float bound);

/* Go to column `at`, from the last column or from a later checkpoint at least length_max before
 * `at`. */
sigrep_status cursor_skip_to(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound);

/* CURSOR_FROM_OLDER: go to column `at`, or to the origin if that is later, with no start in doubt.
 */
sigrep_status cursor_resolve(trace_cursor *cur, const swept_chunk *in, uint64_t at, float bound);

/* Compare the last column with the sweep's checkpoint, and update the state. */
sigrep_status cursor_compare(trace_cursor *cur, const swept_chunk *in, float eps);

/* Go to the chunk's end, with no cell <= eps in doubt. */
sigrep_status cursor_settle(trace_cursor *cur, const swept_chunk *in, float eps);

/* The earliest frame at which a match may begin that ends after the last column. */
uint64_t cursor_earliest(const trace_cursor *cur, float eps);

/* Pass over the origin and the cells <= eps of a settled cursor. One that is read stands at `at`,
 * and no sweep is known to agree with it. */
void cursor_pass_state(trace_cursor *cur, state_bytes *st, uint64_t at, float eps);

#endif
