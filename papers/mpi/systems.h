/*
 * systems.h - the parallel systems. Each rank calls the same functions for the same problem.
 *
 *     PASM, OPASM   each diagonal is cut into a part for each rank          diagonals.c
 *     EDM           rank r has rows of the matrix, in blocks of columns     blocks.c
 */
#ifndef PAPERS_MPI_SYSTEMS_H
#define PAPERS_MPI_SYSTEMS_H

#include "papers/mpi/cells.h"
#include "papers/mpi/messages.h"
#include "papers/mpi/peers.h"

extern const char *const system_names[];

/* Bytes of memory that a rank needs beside the problem. */
size_t system_memory(parallel_system which, const problem *p, const peers *with);

/* Compute p->distance of this rank's cells; those of all ranks are not joined yet. */
void system_run(parallel_system which, const problem *p, peers *with, void *memory);

/* Steps of all ranks together: of EDM 2p - 1, if there are p rows and columns. */
size_t system_steps(parallel_system which, const grid *g);

/* What system_run does for each; the diagonals of [steps.first, steps.end). */
void diagonals_run(parallel_system which, const problem *p, peers *with, void *memory, part steps);
size_t diagonals_memory(const problem *p);
void blocks_run(const problem *p, peers *with, void *memory);
size_t blocks_memory(const problem *p, const peers *with);

/* For the predictor: up to `most_rows` of this rank's first block. Returns its cells. */
size_t blocks_first(const problem *p, const peers *with, void *memory, size_t most_rows);

#endif
