#include "papers/mpi/mpi_peers.h"

#include <mpi.h>

enum { MOST_AT_ONCE = 1 << 28 /* MPI counts in int */, MOST_MESSAGES = 4, TAG = 0 };

/* Receives are posted first, so that no rank waits for another one's in a circle. */
static void exchange(peers *with, const message *get, size_t n_get, const message *send,
                     size_t n_send)
{
    MPI_Request requests[MOST_MESSAGES];
    int n = 0;
    (void)with;
    for (size_t i = 0; i < n_get; i++)
        MPI_Irecv(get[i].data, (int)get[i].size, MPI_BYTE, (int)get[i].peer, TAG, MPI_COMM_WORLD,
                  &requests[n++]);
    for (size_t i = 0; i < n_send; i++)
        MPI_Isend(send[i].data, (int)send[i].size, MPI_BYTE, (int)send[i].peer, TAG, MPI_COMM_WORLD,
                  &requests[n++]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

peers mpi_begin(int *argc, char ***argv)
{
    int rank, ranks;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return (peers){.rank = (size_t)rank, .ranks = (size_t)ranks, .exchange = exchange};
}

void mpi_end(void)
{
    MPI_Finalize();
}

void mpi_share(void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += MOST_AT_ONCE) {
        const size_t rest = bytes - at, n = rest < MOST_AT_ONCE ? rest : MOST_AT_ONCE;
        MPI_Bcast((unsigned char *)data + at, (int)n, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

void mpi_least(uint32_t *values, size_t n)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t at = 0; at < n; at += MOST_AT_ONCE) {
        const size_t rest = n - at, some = rest < MOST_AT_ONCE ? rest : MOST_AT_ONCE;
        MPI_Reduce(rank ? values + at : MPI_IN_PLACE, rank ? NULL : values + at, (int)some,
                   MPI_UINT32_T, MPI_MIN, 0, MPI_COMM_WORLD);
    }
}

bool mpi_all(bool good)
{
    int all = good;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

uint64_t mpi_sum(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

double mpi_most(double value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

void mpi_wait_for_all(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
