/*
 * sweep.h - the matrix d of one or several segments by anti-diagonals, a row of a segment for each
 * access. All algorithms of the papers do this; they differ in where d lies.
 *
 *     row 1   . . 3 . .     cells of diagonal 3: each reads x, y, left, up and diagonal, and writes
 *     row 2   . 3 . . .     one value. Then all wait. A cell that is outside, and an edge that is
 *     row 3   3 . . . .     not stored, cause no access.
 */
#ifndef PAPERS_MACHINE_SWEEP_H
#define PAPERS_MACHINE_SWEEP_H

#include "papers/machine/machine.h"
#include "papers/machine/task.h"

/* The address of d[i][j] of segment g, less that of the first word. */
typedef enum {
    LAYOUT_MATRIX, /* i N + j, for N > n a multiple of w: Lemma 6.1 */
    LAYOUT_SLID,   /* (i + j) N + j, for N = n + 1: Lemma 7.1 */
    LAYOUT_RING,   /* ((i + j) mod 3) M + g m + j mod m, for M = m times segments: Theorem 7.2 */
    LAYOUT_THREE,  /* (j mod 3) M + i, for M > m a multiple of w: HMM, Lemma 2 */
} sweep_layout;

typedef struct {
    machine *machine;
    size_t block;
    machine_memory where;
    sweep_layout layout;
    task task;       /* n: characters of one segment; x and y are not used */
    size_t segments; /* segment g begins at character g * shift */
    size_t shift;
    size_t y_length; /* segments end there at the latest */
    size_t x_at, y_at, d_at;
    double *best; /* of each segment: the least d[m][j], if LAYOUT_RING or LAYOUT_THREE */
} sweep;

/* Words that d takes. */
size_t sweep_words(sweep_layout layout, size_t width, const task *t, size_t segments);
/* Is d[i][0] stored, and d[0][j]? If so, sweep_edges writes them, and sweep_least reads d[m][j]. */
bool sweep_has_edges(sweep_layout layout);

/* false: out of memory, here and below. */
bool sweep_edges(const sweep *s);
bool sweep_run(const sweep *s);
/* By one thread. */
double sweep_least(const sweep *s);

/* The address of d[i][j]. */
size_t sweep_at(const sweep *s, size_t segment, size_t i, size_t j);

#endif
