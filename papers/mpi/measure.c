/*
 * measure.c - the times of the predictor.
 *
 *     diagonals, blocks without messages --> t_cell, t_block
 *     OPASM's messages without cells, short and long --> t_s, t_w
 */
#include <stdlib.h>
#include <time.h>

#include "papers/mpi/mpi_peers.h"
#include "papers/mpi/predictor.h"
#include "papers/mpi/systems.h"
#include "tools/common/median.h"

enum {
    MOST_STEPS = 20000,         /* diagonals of a measurement */
    MOST_CELLS = 1 << 25,       /* of a rank */
    LEAST_LONG = 256,           /* cells of a long message */
    MOST_LONG_BYTES = 64 << 20, /* of all long messages of a rank */
    ROUNDS = 5,                 /* their median counts */
    SAMPLES = 16,
};

static double now_s(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void no_exchange(peers *with, const message *get, size_t n_get, const message *send,
                        size_t n_send)
{
    (void)with;
    (void)get;
    (void)n_get;
    (void)send;
    (void)n_send;
}

/* Up to `most` diagonals in the middle: [first, end). */
static part middle(const grid *g, size_t most)
{
    const size_t all = g->n + g->m, steps = most < all ? most : all;
    const size_t first = (all - steps) / 2;
    return (part){first, first + steps};
}

/* Of short and long diagonals, since caches hold short ones: each SAMPLES-th part of them has some
 * that count. */
static double cell_s(const problem *p, const peers *with, void *memory)
{
    peers alone = *with;
    const grid g = {p->n, p->m, with->ranks};
    const size_t longest = diagonal_length(&g, g.m < g.n ? g.m : g.n) / with->ranks + 1;
    const size_t most = MOST_CELLS / longest / SAMPLES + 1;
    double cells = 0;
    alone.exchange = no_exchange;
    mpi_wait_for_all();
    const double begin = now_s();
    for (size_t k = 0; k < SAMPLES; k++) {
        part steps = part_of(g.n + g.m, SAMPLES, k);
        if (steps.end - steps.first > most) steps.end = steps.first + most;
        diagonals_run(OPASM, p, &alone, memory, steps);
        for (size_t nu = steps.first; nu < steps.end; nu++) {
            const part longest_of_all = diagonal_part(&g, nu, 0);
            cells += (double)(longest_of_all.end - longest_of_all.first);
        }
    }
    return mpi_most(now_s() - begin) / cells;
}

static double row_cell_s(const problem *p, const peers *with, void *memory)
{
    const size_t columns = p->m / with->ranks + 1;
    size_t cells = 0;
    mpi_wait_for_all();
    const double begin = now_s();
    cells = blocks_first(p, with, memory, MOST_CELLS / columns + 1);
    return mpi_most(cells ? (now_s() - begin) / (double)cells : 0);
}

/* A step that sends, with messages of so many bytes. `room` has four of them. */
static double message_s(const problem *p, peers *with, unsigned char *room, size_t bytes)
{
    const grid g = {p->n, p->m, with->ranks};
    const size_t steps = MOST_LONG_BYTES / bytes;
    const part some = middle(&g, steps < MOST_STEPS ? steps : MOST_STEPS);
    mpi_wait_for_all();
    const double begin = now_s();
    for (size_t nu = some.first; nu < some.end; nu++) {
        const diagonal_messages of = messages_after(OPASM, &g, nu, with->rank);
        message get[2], send[2];
        size_t n_get = 0, n_send = 0;
        if (of.receives_left) get[n_get++] = (message){with->rank - 1, room, bytes};
        if (of.receives_right) get[n_get++] = (message){with->rank + 1, room + bytes, bytes};
        if (of.sends_left) send[n_send++] = (message){with->rank - 1, room + 2 * bytes, bytes};
        if (of.sends_right) send[n_send++] = (message){with->rank + 1, room + 3 * bytes, bytes};
        if (n_get + n_send > 0) with->exchange(with, get, n_get, send, n_send);
    }
    return mpi_most(now_s() - begin) / (double)(some.end - some.first);
}

bool predictor_measure(const problem *p, peers *with, void *memory, predictor_times *to)
{
    const size_t cell = cells_size(p->kind), columns = p->m / with->ranks + 1;
    const size_t words = columns > LEAST_LONG ? columns : LEAST_LONG;
    const bool sends = with->ranks > 1;
    double cells[ROUNDS], row_cells[ROUNDS], one[ROUNDS] = {0}, many[ROUNDS] = {0};
    unsigned char *room = calloc(4 * words, cell);
    if (!mpi_all(room)) {
        free(room);
        return false;
    }
    for (int i = 0; i < ROUNDS; i++) {
        cells[i] = cell_s(p, with, memory);
        row_cells[i] = row_cell_s(p, with, memory);
        if (sends) one[i] = message_s(p, with, room, cell);
        if (sends) many[i] = message_s(p, with, room, words * cell);
    }
    free(room);
    *to =
        (predictor_times){.cell_s = median(cells, ROUNDS), .row_cell_s = median(row_cells, ROUNDS)};
    const double short_s = median(one, ROUNDS), more_s = median(many, ROUNDS) - short_s;
    to->word_s = more_s > 0 ? more_s / (double)(words - 1) : 0;
    to->start_s = short_s > to->word_s ? short_s - to->word_s : 0;
    return true;
}
