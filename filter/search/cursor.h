/*
 * trace_cursor.h - the trace of a search, and where it stands to the sweep.
 *
 * It is at one column and goes on from there, or jumps to a column that the sweep has kept.
 * What its cells are worth to a search from `origin`:
 *
 *     COUPLED   D is the sweep's, wherever either is within eps, for ever. A jump loses the
 *               starts before the column: they are in doubt until they are too old to matter.
 *               (Starts need not be the sweep's: a path from before the origin may cost the same.)
 *     OWN       evaluated from the origin itself: all is exact. It may not sleep until a
 *               kept column agrees with it, which makes it COUPLED.
 *     LOOSE     evaluated from an older origin (that of the sweep, or of a match ago): exact
 *               where S >= origin, else in doubt. If no cell is left in doubt, it is as
 *               exact as OWN is, and COUPLED if it came from the sweep.
 *
 * Cells above eps need not agree: costs are never negative, so no path from them ends in a
 * candidate.
 */
#ifndef FILTER_SEARCH_CURSOR_H
#define FILTER_SEARCH_CURSOR_H

#include <stdbool.h>

#include "filter/search/trace.h"
#include "filter/search/window.h"
#include "kernels/kernel.h"

/* What the sweep has done since the last call. */
typedef struct {
    const window *frames;
    sigrep_status (*checkpoint)(void *source, size_t index, uint64_t position, float *d);
    void *source;      /* checkpoint: kernel_ops.checkpoint of a kernel, or what stands for one */
    uint64_t from, to; /* the frames of the step */
    const uint64_t *breaks; /* gap frames among them, ascending */
    size_t n_breaks;
    const float *minima; /* of each block touched */
} sweep_step;

typedef enum { CURSOR_COUPLED, CURSOR_OWN, CURSOR_LOOSE } cursor_state;

typedef struct {
    trace tr;
    size_t index;        /* of the template */
    size_t spacing;      /* of the columns that the kernel keeps */
    uint64_t length_max; /* of a match */
    cursor_state state;
    bool swept;        /* LOOSE: what it came from was the sweep's */
    uint64_t origin;   /* the first frame that a path may use */
    int64_t since;     /* earlier starts were lost in a jump; INT64_MIN: none that matters */
    bool far;          /* jump as far back as starts may matter: a shorter jump failed */
    float *column;     /* m: to compare with */
    float *asleep_d;   /* m: the last exact column before a jump, COUPLED */
    int32_t *asleep_s; /* m */
    uint64_t asleep;   /* its position */
    uint64_t traced;   /* columns evaluated, for the statistics */
} trace_cursor;

/* x: length x dim, copied. The caller frees it with cursor_free. */
sigrep_status cursor_create(trace_cursor *w, size_t index, const float *x, size_t length,
                            size_t dim, uint64_t length_max, size_t spacing);
void cursor_free(trace_cursor *w);

/* Nothing before `origin` counts any more; the sweep starts cold there as well. */
void cursor_begin(trace_cursor *w, uint64_t origin);

/* A new origin, at most the trace's position. cursor_restart: cold from there. */
void cursor_set_origin(trace_cursor *w, uint64_t origin);
void cursor_restart(trace_cursor *w, uint64_t origin);

/* The path of an end whose start is known ends in or before the last column. Paths do not
 * cross, so all cells of that column began there or later: they are exact. */
void cursor_be_certain(trace_cursor *w);

/* Starts before this frame are in doubt, in the columns that cursor_to evaluated last and in the
 * next; INT64_MIN: none is. */
int64_t cursor_floor(const trace_cursor *w);

/* Be at column `to`: evaluate, at most TRACE_BATCH columns at once. */
void cursor_to(trace_cursor *w, const sweep_step *in, uint64_t to, float bound);

/* Be at column `at`, from where the trace is or from a kept column that is nearer. */
sigrep_status cursor_wake(trace_cursor *w, const sweep_step *in, uint64_t at, float bound);

/* Be at column `at`, or at the origin if that is later, with nothing in doubt. */
sigrep_status cursor_settle(trace_cursor *w, const sweep_step *in, uint64_t at, float bound);

/* Have the cells of the last column become exact, or the sweep's? */
sigrep_status cursor_couple(trace_cursor *w, const sweep_step *in, float eps);

#endif
