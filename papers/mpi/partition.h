/*
 * partition.h - the anti-diagonals of the matrix D[0..n][0..m], and the cells of each rank.
 *
 *          j  0  1  2  3  = m
 *     i  0    a  b  c  d           diagonal nu has the cells with i + j = nu; Delta[x] is its x-th,
 *        1    b  c  d  e           from the lowest j on. Of delta cells, the first delta mod p
 *    n = 2    c  d  e  f           ranks get one more than the others. Ranks beyond get none.
 *
 * The paper has m <= n. Here any lengths do: m >= 1, n >= 1.
 */
#ifndef PAPERS_MPI_PARTITION_H
#define PAPERS_MPI_PARTITION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t n, m;  /* text and pattern */
    size_t ranks; /* p >= 1 */
} grid;

/* Some of a row of things: [first, end). */
typedef struct {
    size_t first, end;
} part;

static inline bool part_is_empty(part p)
{
    return p.first == p.end;
}

/* Equation 2: what rank r has of `total` things. */
part part_of(size_t total, size_t ranks, size_t r);

/* The lowest j of diagonal nu, from 0 to n + m, and its length, delta. */
size_t diagonal_start(const grid *g, size_t nu);
size_t diagonal_length(const grid *g, size_t nu);

/* The indices x in diagonal nu of the cells of rank r. Delta[x] has j = x + diagonal_start. */
part diagonal_part(const grid *g, size_t nu, size_t r);

#endif
