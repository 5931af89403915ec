/*
 * inputs.h - the two inputs, which rank 0 reads and shares: standard input, too, is rank 0's.
 */
#ifndef PAPERS_MPI_INPUTS_H
#define PAPERS_MPI_INPUTS_H

#include "papers/mpi/cells.h"
#include "papers/mpi/peers.h"

/* Values of one input; inputs_free frees them. */
typedef struct {
    void *values;
    size_t n;
} input_values;

/* Read `path` as values of this kind: "-" is standard input. false: rank 0 has reported why, and no
 * rank has values. All ranks call it. */
bool inputs_read(cells_kind kind, const char *path, const peers *with, input_values *to);
void inputs_free(input_values *of);

#endif
