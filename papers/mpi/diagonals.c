/*
 * diagonals.c - PASM and OPASM: a diagonal after the other, each cut into a part for each rank.
 *
 *     compute own cells of Delta_nu --> send ends, get neighbours' ends --> Delta_(nu+1)
 *
 * A cell lies at its j, so received ones lie beside the own ones, and three diagonals take turns.
 */
#include "papers/mpi/systems.h"

size_t diagonals_memory(const problem *p)
{
    return 3 * (p->m + 1) * cells_size(p->kind);
}

static void exchange_ends(const diagonal_messages *of, peers *with, unsigned char *cells,
                          size_t size)
{
    message get[2], send[2];
    size_t n_get = 0, n_send = 0;
    const size_t r = with->rank;
    if (of->receives_left) get[n_get++] = (message){r - 1, cells + of->left_j * size, size};
    if (of->receives_right) get[n_get++] = (message){r + 1, cells + of->right_j * size, size};
    if (of->sends_left) send[n_send++] = (message){r - 1, cells + of->first_j * size, size};
    if (of->sends_right) send[n_send++] = (message){r + 1, cells + of->last_j * size, size};
    peers_exchange(with, get, n_get, send, n_send);
}

void diagonals_run(parallel_system which, const problem *p, peers *with, void *memory, part steps)
{
    const grid g = {p->n, p->m, with->ranks};
    const size_t size = cells_size(p->kind), bytes = (p->m + 1) * size;
    unsigned char *before = memory, *one = before + bytes, *now = one + bytes;
    for (size_t nu = steps.first; nu < steps.end; nu++) {
        const size_t start = diagonal_start(&g, nu);
        const part own = diagonal_part(&g, nu, with->rank);
        cells_diagonal(p, nu, start + own.first, start + own.end, before, one, now);
        cells_take_diagonal(p, nu, start + own.first, start + own.end, now);
        if (nu < g.n + g.m) {
            const diagonal_messages of = messages_after(which, &g, nu, with->rank);
            exchange_ends(&of, with, now, size);
        }
        unsigned char *spare = before;
        before = one;
        one = now;
        now = spare;
    }
}
