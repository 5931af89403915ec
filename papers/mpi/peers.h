/*
 * peers.h - what a system needs of message passing: the ranks, and one step of messages.
 *
 *     system --> peers_exchange --> mpi_peers.c: Open MPI
 *                              `--> tests: threads of one process
 */
#ifndef PAPERS_MPI_PEERS_H
#define PAPERS_MPI_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t peer; /* from whom, or to whom */
    void *data;
    size_t size; /* bytes */
} message;

typedef struct peers {
    size_t rank, ranks;
    /* Get and send these messages, and wait for them all. Between two ranks they keep their
     * order. */
    void (*exchange)(struct peers *with, const message *get, size_t n_get, const message *send,
                     size_t n_send);
    /* What exchanges sent so far. */
    uint64_t messages, swapped; /* of which the peer sent another one in the same step */
    uint64_t bytes;
} peers;

/* As exchange, and counts. */
static inline void peers_exchange(peers *with, const message *get, size_t n_get,
                                  const message *send, size_t n_send)
{
    for (size_t i = 0; i < n_send; i++) {
        with->bytes += send[i].size;
        for (size_t k = 0; k < n_get; k++) with->swapped += get[k].peer == send[i].peer;
    }
    with->messages += n_send;
    if (n_get + n_send > 0) with->exchange(with, get, n_get, send, n_send);
}

#endif
