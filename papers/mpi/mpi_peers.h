/*
 * mpi_peers.h - the ranks by Open MPI. Errors of MPI end all ranks (MPI_Abort), with its own words.
 * All ranks call each function here, in the same order.
 */
#ifndef PAPERS_MPI_MPI_PEERS_H
#define PAPERS_MPI_MPI_PEERS_H

#include "papers/mpi/peers.h"

peers mpi_begin(int *argc, char ***argv);
void mpi_end(void);

/* Rank 0's bytes for all. */
void mpi_share(void *data, size_t bytes);
/* Of n values each the least, for rank 0. */
void mpi_least(uint32_t *values, size_t n);
/* Is it true of all ranks? */
bool mpi_all(bool good);
uint64_t mpi_sum(uint64_t value);
double mpi_most(double value);
void mpi_wait_for_all(void);

#endif
