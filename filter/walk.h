/*
 * walk.h - the trace of a search, and where it stands to the sweep.
 *
 * It is at one column and goes on from there, or jumps to a column that the sweep has kept.
 * Where the sweep carried starts, it stays behind and takes over a column later. What its cells
 * are worth to a search from `origin`:
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
#ifndef FILTER_WALK_H
#define FILTER_WALK_H

#include <stdbool.h>

#include "filter/trace.h"
#include "filter/window.h"
#include "kernels/kernel.h"

/* What the sweep has done since the last call. */
typedef struct {
    const window *frames;
    const kernel_ops *ops;
    void *kernel;
    uint64_t from, to;      /* the frames of the step */
    const uint64_t *breaks; /* gap frames among them, ascending */
    size_t n_breaks;
    const float *minima; /* of each block touched */
    kernel_ends ends;    /* where it carried starts; else n is 0 */
} sweep_step;

typedef enum { WALK_COUPLED, WALK_OWN, WALK_LOOSE } walk_state;

typedef struct {
    trace tr;
    size_t index;        /* of the template */
    size_t spacing;      /* of the columns that the kernel keeps */
    uint64_t length_max; /* of a match */
    walk_state state;
    bool swept;        /* LOOSE: what it came from was the sweep's */
    uint64_t tied;     /* OWN became COUPLED there, and paths of the sweep's may be older than the
                          search's, of the same D; 0: nowhere */
    uint64_t origin;   /* the first frame that a path may use */
    int64_t since;     /* earlier starts were lost in a jump; INT64_MIN: none that matters */
    bool far;          /* jump as far back as starts may matter: a shorter jump failed */
    float *column;     /* m: to compare with */
    int32_t *starts;   /* m: likewise */
    float *asleep_d;   /* m: the last exact column before a jump, COUPLED */
    int32_t *asleep_s; /* m */
    uint64_t asleep;   /* its position */
    uint64_t traced;   /* columns evaluated, for the statistics */
    uint64_t followed; /* columns of the sweep's, starts and all, that may hold a candidate */
} walk;

/* x: length x dim, copied. The caller frees it with walk_free. */
sigrep_status walk_create(walk *w, size_t index, const float *x, size_t length, size_t dim,
                          uint64_t length_max, size_t spacing);
void walk_free(walk *w);

/* Nothing before `origin` counts any more; the sweep starts cold there as well. */
void walk_begin(walk *w, uint64_t origin);

/* A new origin, at most the trace's position. walk_restart: cold from there. */
void walk_set_origin(walk *w, uint64_t origin);
void walk_restart(walk *w, uint64_t origin);

/* The path of an end whose start is known ends in or before the last column. Paths do not
 * cross, so all cells of that column began there or later: they are exact. */
void walk_be_certain(walk *w);

/* Starts before this frame are in doubt, in the columns that walk_to evaluated last and in the
 * next; INT64_MIN: none is. */
int64_t walk_floor(const walk *w);

/* Be at column `to`: evaluate, at most TRACE_BATCH columns at once. */
void walk_to(walk *w, const sweep_step *in, uint64_t to, float bound);

/* Has the sweep carried starts through column `at`, as the search would have them? It did in the
 * columns [*from, *to) between kept ones, of which the first is that at or before `at`, and the
 * last at or before the *to that is given. */
bool walk_may_follow(const walk *w, const sweep_step *in, uint64_t at, uint64_t *from,
                     uint64_t *to);

/* Nothing but the sweep's ends are looked at in the columns [from, to). The trace stays behind,
 * until walk_take_over or walk_settle. */
void walk_follow(walk *w, const sweep_step *in, uint64_t from, uint64_t to, float eps);

/* A trace of template `index` at a kept column, by the sweep's cells and starts there. */
sigrep_status walk_be_at_kept(trace *tr, size_t index, const sweep_step *in, uint64_t kept);

/* Be there. */
sigrep_status walk_take_over(walk *w, const sweep_step *in, uint64_t kept);

/* Be at column `at`, from where the trace is or from a kept column that is nearer. */
sigrep_status walk_wake(walk *w, const sweep_step *in, uint64_t at, float bound);

/* Be at column `at`, or at the origin if that is later, with nothing in doubt. */
sigrep_status walk_settle(walk *w, const sweep_step *in, uint64_t at, float bound);

/* Have the cells of the last column become exact, or the sweep's? */
sigrep_status walk_couple(walk *w, const sweep_step *in, float eps);

#endif
