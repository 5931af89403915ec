/*
 * trace_kernel.h - the interface of trace kernels: D with starts, a batch of columns at a time.
 *
 *     batch      |<-------- n <= TRACE_BATCH columns -------->|
 *     cells  d   | D(.,t) before ...            ... and after |   read and replaced
 *            s   | S(.,t)                                     |
 *     end_d      | D(m,t) of each column                      |   written
 *     end_s      | S(m,t)                                     |
 *
 * Beside each D is S, the frame at which the chosen path began (docs/SEMANTICS.md, "Scores";
 * SPRING: Sakurai, Faloutsos, Yamamuro, ICDE 2007). S doubles the cost, so the search traces only
 * the columns in which a match may be.
 *
 * Starts are 32-bit numbers relative to a frame that moves on with every batch. A path older than
 * 2^31 frames is "too old"; no length gate reaches so far.
 *
 * No path from a cell above `bound` ends below it, so such cells may count as +inf: a kernel skips
 * tiles of rows that have no other cell. Cells at or below `bound` have the same D and S in all
 * trace kernels, bit for bit.
 */
#ifndef KERNELS_TRACE_KERNEL_H
#define KERNELS_TRACE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sigrep.h"

enum {
    TRACE_BATCH = 512, /* most columns at once */
    TRACE_MARGIN = 64  /* values of scratch around a batch */
};

/* The start of a path from a column with unknown starts: too long ago. */
#define TRACE_START_TOO_OLD INT32_MIN

/* One template at one column. Rows are padded on top to a multiple of the kernel's tile_rows. */
typedef struct {
    size_t length, dim; /* m, K */
    size_t pad, rows;   /* rows = pad + m */
    float *x;           /* K x rows, value by value; padding 0 */
    float *d;           /* rows: D(.,t) of the last column; the padding is the kernel's */
    int32_t *s;         /* rows: S(.,t) relative to the next column's frame, so below 0 */
    float *y;           /* scratch: K planes of TRACE_MARGIN + TRACE_BATCH + TRACE_MARGIN */
    float *end_d;       /* after a batch: D(m,t) of its columns; and TRACE_MARGIN of scratch */
    int32_t *end_s;     /* likewise S(m,t), relative to the frame of the batch's first column */
} trace_cells;

/* Cells that keep a match pending: D < d, S <= last, t - S < length_max. Frames are relative to the
 * batch's first one. The kernel sets `latest`, the last column with such a cell; -1: none. Before
 * `last` any column may be reported. */
typedef struct {
    float d;
    int32_t last, length_max;
    int32_t latest;
} trace_watch;

typedef struct {
    const char *name;
    size_t tile_rows; /* rows are padded to a multiple of this, at most TRACE_MARGIN */
    bool (*usable)(void);

    /* Evaluate the next n <= TRACE_BATCH columns (n x dim floats, finite) and advance. `watch`: see
     * trace_watch; or NULL. */
    void (*run)(trace_cells *cells, const float *frames, size_t n, float bound, trace_watch *watch);
} trace_kernel;

extern const trace_kernel trace_scalar;   /* the reference */
extern const trace_kernel trace_portable; /* 128-bit vectors on any machine */
extern const trace_kernel trace_avx2;     /* x86-64 alone, like the next one */
extern const trace_kernel trace_avx512;

/* The i-th trace kernel, best first; NULL after the last one, the readable reference. */
const trace_kernel *trace_kernel_at(size_t i);

/* The first usable one. */
const trace_kernel *trace_kernel_best(void);

/* x: length x dim. The caller frees the cells. SIGREP_NO_MEMORY. */
sigrep_status trace_cells_create(trace_cells *cells, const trace_kernel *ops, const float *x,
                                 size_t length, size_t dim);
void trace_cells_free(trace_cells *cells);

/* S relative to a frame n frames later; a start outside of 32 bits is too old. */
static inline int32_t trace_start_moved(int32_t s, size_t n)
{
    return s < INT32_MIN + (int32_t)n ? TRACE_START_TOO_OLD : s - (int32_t)n;
}

#endif
