/*
 * cells.h - the cells of D for signals and strings, and of algorithm MAXSHIFT.
 *
 *     corner D[i-1][j-1]   up   D[i-1][j]        D[i][0] is computed from D[i-1][0], and D[0][j]
 *     left   D[i][j-1]   ->     D[i][j]          from D[0][j-1]: so edges are cells like all others
 *
 * i counts the text y, j the pattern x. A match may begin anywhere in the text: D[i][0] = 0.
 */
#ifndef PAPERS_MPI_CELLS_H
#define PAPERS_MPI_CELLS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CELLS_SIGNALS,  /* the ADSM: float32, in the order of operations of kernels/cpu/scalar.c */
    CELLS_STRINGS,  /* edit distance */
    CELLS_MAXSHIFT, /* the last h letters of x[1..j], as MAXSHIFT is printed: not exact */
    CELLS_FACTORS,  /* the same, exact */
    CELLS_KINDS
} cells_kind;

extern const char *const cells_names[CELLS_KINDS];

enum { CELLS_MOST_H = 32 /* MAXSHIFT's words need 2 h bits */ };

/* Samples are float, finite; letters are uint8_t. All is borrowed. */
typedef struct {
    cells_kind kind;
    size_t n, m;        /* >= 1 */
    const void *y, *x;  /* n, m */
    size_t h;           /* of MAXSHIFT and factors: from 1 to CELLS_MOST_H, at most m */
    uint32_t *distance; /* n: see cells_take */
} problem;

/* Bytes of a cell, and of a letter or a sample. */
size_t cells_size(cells_kind kind);
size_t cells_value_size(cells_kind kind);

/* Compute the cells j of [first, end) of diagonal nu. Each array holds the cells of one diagonal,
 * D[.][j] at j: nu - 2, nu - 1 and nu. */
void cells_diagonal(const problem *p, size_t nu, size_t first, size_t end, const void *before,
                    const void *one, void *now);

/* Compute the cells j of [first, end) of row i. `row` holds row i - 1, D[.][j] at j, and becomes
 * row i. *left is D[i][first-1], *corner D[i-1][first-1]; neither is read if first is 0. */
void cells_row(const problem *p, size_t i, size_t first, size_t end, void *row, const void *left,
               const void *corner);

/* Results: of D[i][m], the bits of its float32 or its edits; of factors, the least D[i][j] of all
 * j >= h. */
void cells_begin(const problem *p);
/* Take the results among the cells j of [first, end) of a row i (diagonal: NULL) or of a diagonal,
 * in an array as above. */
void cells_take_row(const problem *p, size_t i, size_t first, size_t end, const void *row);
void cells_take_diagonal(const problem *p, size_t nu, size_t first, size_t end, const void *now);

#endif
