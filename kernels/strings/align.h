/*
 * align.h - two sequences as wholes: edit distance or dynamic time warping, and the alignment.
 *
 *     row m  .  .  .  .  .  o  D(m,n)      the chosen path of the cell (m,n): ties go to the
 *            .  .  .  o  o  .              diagonal, then left, then up
 *            .  o  o  .  .  .
 *     row 0  o  .  .  .  .  .              time O(m n), memory O(m + n)
 *           t=0             n
 *
 * Columns are computed from cell A to cell B. From the middle column on, each cell carries the row
 * at which its path left the middle. So B knows a third cell of the path, and both parts are solved
 * likewise: Hirschberg (CACM 18, 1975), but forwards only, so that sums are those of the
 * recurrence.
 */
#ifndef KERNELS_STRINGS_ALIGN_H
#define KERNELS_STRINGS_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/strings/pattern.h"

/* Borrowed. `same`: strings x[0..m) and y[0..n), for the edit distance. NULL: signals of m and n
 * frames of `dim` values, m and n at least 1, for DTW with L1 costs in float32. */
typedef struct {
    size_t m, n;
    string_same_fn *same;
    const unsigned char *x, *y;
    const float *x_frames, *y_frames;
    size_t dim;
} align_problem;

typedef struct {
    size_t i, t; /* from 0 */
} align_pair;

/*
 * *distance becomes D(m,n). `pairs` (NULL: not wanted) has room for m + n; *n_pairs becomes their
 * number. Of strings they are the letters that stand against each other, equal or replaced; letters
 * that are inserted or deleted are in no pair. Of signals they are all pairs of the warping path.
 * false: out of memory.
 */
bool align(const align_problem *p, double *distance, align_pair *pairs, size_t *n_pairs);

#endif
