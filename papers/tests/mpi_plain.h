/* mpi_plain.h - problems for the tests of sigrep-mpi, and their results by plain recurrences. */
#ifndef PAPERS_TESTS_MPI_PLAIN_H
#define PAPERS_TESTS_MPI_PLAIN_H

#include "papers/mpi/cells.h"

enum { PLAIN_MOST = 96 /* n and m */ };

/* A problem with room for all its values. */
typedef struct {
    problem p;
    float x_samples[PLAIN_MOST], y_samples[PLAIN_MOST];
    uint8_t x_letters[PLAIN_MOST], y_letters[PLAIN_MOST];
    uint32_t distance[PLAIN_MOST];
} plain_problem;

/* Random values of few kinds, so that minima have ties; or of many. h as MAXSHIFT needs it. */
void plain_random(plain_problem *to, cells_kind kind, size_t n, size_t m, uint64_t *random);
/* From two strings. */
void plain_from(plain_problem *to, cells_kind kind, const char *y, const char *x, size_t h);

/* D[i][j] of factors: the least edits from the last h letters of x[1..j] to a part of y that ends
 * at i. By a matrix of their own. */
uint32_t plain_factor(const problem *p, size_t i, size_t j);

/* Distances as cells_take leaves them, by definition, but for CELLS_MAXSHIFT. */
void plain_distances(const problem *p, uint32_t *distance);

#endif
