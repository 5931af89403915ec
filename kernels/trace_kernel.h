/*
 * trace_kernel.h - the recurrence with starts, a batch of columns at a time: the interface
 * of the code that does it, which is chosen at run time by what the machine can.
 *
 * As kernels do (kernel.h) it sweeps D(.,t); beside each D it carries S, the frame at which
 * the chosen path began (docs/SEMANTICS.md, "Scores"; SPRING: Sakurai, Faloutsos, Yamamuro,
 * ICDE 2007). That costs about twice as much, so it runs only where a match may be.
 *
 * Starts are 32-bit numbers relative to a frame that moves on with every batch. A path older
 * than 2^31 frames is "too old"; no length gate reaches so far.
 *
 * A cell above `bound` may count as +inf, since no path from it ends below: strips of rows
 * without any other cell are skipped. What is at most `bound` has the same D and S in all
 * of these, bit for bit.
 */
#ifndef KERNELS_TRACE_KERNEL_H
#define KERNELS_TRACE_KERNEL_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

enum {
    TRACE_BATCH = 512, /* most columns at once */
    TRACE_MARGIN = 64  /* values of scratch around a batch */
};

/* The start of a path that came out of a column whose starts are unknown: too long ago. */
#define TRACE_START_TOO_OLD INT32_MIN

/* One template at one column. Rows are padded on top to a multiple of the kernel's. */
typedef struct {
    size_t length, dim; /* m, K */
    size_t pad, rows;   /* rows = pad + m */
    float *x;           /* K x rows, value by value; padding 0 */
    float *d;           /* rows: D(.,t) of the last column; those of the padding are ours */
    int32_t *s;         /* rows: S(.,t) relative to the next column's frame, so below 0 */
    float *y;           /* scratch: K planes of TRACE_MARGIN + TRACE_BATCH + TRACE_MARGIN */
    float *end_d;       /* after a batch: D(m,t) of its columns; and TRACE_MARGIN of scratch */
    int32_t *end_s;     /* likewise S(m,t), relative to the frame of the batch's first column */
} trace_cells;

/* Which cells keep a match pending: D < d, S <= last, t - S < length_max. Frames are relative
 * to the batch's first; what is answered is the last column that has such a cell, -1: none
 * has. Columns before `last` are of no interest: the answer may be one of them by chance. */
typedef struct {
    float d;
    int32_t last, length_max;
    int32_t latest;
} trace_watch;

typedef struct {
    const char *name;
    size_t strip; /* rows are padded to a multiple of this, at most TRACE_MARGIN */
    bool (*usable)(void);

    /* Evaluate the next n <= TRACE_BATCH columns (n x dim floats, finite) and advance; where
     * `watch` is given, watch them. */
    void (*run)(trace_cells *cells, const float *frames, size_t n, float bound, trace_watch *watch);

    /* What the template's n >= 1 frames cost at least, whatever the path that stays within
     * these (finite) ones: each meets a value of its own at best, or the nearest end of the
     * range of all. The sum's rounding is allowed for, so no D(m,.) is below. */
    float (*least)(const trace_cells *cells, const float *frames, size_t n);
} trace_kernel;

/* The i-th, best first; NULL after the last, which is the readable reference. */
const trace_kernel *trace_kernel_at(size_t i);

/* The first usable one. */
const trace_kernel *trace_kernel_best(void);

/* x: length x dim. The caller frees the cells. SIGREP_NO_MEMORY. */
sigrep_status trace_cells_create(trace_cells *cells, const trace_kernel *ops, const float *x,
                                 size_t length, size_t dim);
void trace_cells_free(trace_cells *cells);

/* A bound out of the sum of `terms` costs, in any order. Each of the additions, and each of D's,
 * errs by 2^-24 at most; a sum that overflows says little of D. */
static inline float trace_sum_allowed_for(float sum, size_t terms)
{
    float doubt = (float)(terms + 1) * 0x1p-22f;
    if (!(sum < FLT_MAX / 2)) sum = FLT_MAX / 2;
    return doubt < 1 ? sum * (1 - doubt) : 0;
}

/* S of an older base, n frames on; what falls out of 32 bits is too old. */
static inline int32_t trace_start_moved(int32_t s, size_t n)
{
    return s < INT32_MIN + (int32_t)n ? TRACE_START_TOO_OLD : s - (int32_t)n;
}

#endif
