/*
 * messages.h - who sends which cell of a diagonal to whom, before the next diagonal is computed.
 *
 *     Delta_nu      | rank r - 1        | rank r          l | rank r + 1
 *                   .  .  .  .  .  .  .  f  .  .  .  .  .  l  .  .  .
 *                           first cell, left <-- f      l --> last cell, right
 *
 * PASM: neighbours swap these two cells in each step. OPASM: each is sent if the neighbour is the
 * one that reads it, as algorithm PP-COMM has it. A receiver evaluates the rule of the sender.
 */
#ifndef PAPERS_MPI_MESSAGES_H
#define PAPERS_MPI_MESSAGES_H

#include "papers/mpi/partition.h"

typedef enum { PASM, OPASM, EDM } parallel_system;

/* A rank's messages of one step, and the j of each cell. */
typedef struct {
    bool sends_left, sends_right;
    bool receives_left, receives_right; /* from the rank there */
    size_t first_j, last_j;             /* its own cells, of which it sends one or both */
    size_t left_j, right_j;             /* the neighbours' cells that it receives */
} diagonal_messages;

/* After diagonal nu < n + m, for PASM and OPASM. */
diagonal_messages messages_after(parallel_system which, const grid *g, size_t nu, size_t r);

#endif
