/*
 * predictor.h - PRE: how long will OPASM and EDM take, from times that are measured on the spot?
 *
 *     OPASM   sum over diagonals of ceil(delta/p) t_cell  +  steps that send  x (t_s + t_w)
 *     EDM     (2p - 1) t_block                            +  (2p - 2) (t_s + s t_w)
 *
 * s is the number of cells of a block's last row. In OPASM all pairs of neighbours send at the same
 * time, so a step that sends counts one message.
 */
#ifndef PAPERS_MPI_PREDICTOR_H
#define PAPERS_MPI_PREDICTOR_H

#include "papers/mpi/cells.h"
#include "papers/mpi/messages.h"
#include "papers/mpi/peers.h"

/* Seconds. */
typedef struct {
    double cell_s;     /* t_cell, of a diagonal */
    double row_cell_s; /* of a block's row: t_block is that of all its cells */
    double start_s;    /* t_s, of a message */
    double word_s;     /* t_w, of a cell in a message */
} predictor_times;

/* Measure them, by computing parts of the problem without messages, and by messages without
 * computing. All ranks call it; each has system_memory of both systems at `memory`. false: out of
 * memory. */
bool predictor_measure(const problem *p, peers *with, void *memory, predictor_times *to);

/* Seconds of OPASM or EDM. */
double predictor_seconds(parallel_system which, const grid *g, const predictor_times *t);

#endif
