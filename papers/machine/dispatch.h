/*
 * dispatch.h - records the requests of blocks. Then: when is each completed? A warp's request of k
 * stages, dispatched in time unit t, keeps its MMU busy until t + k. It is completed after
 * t + k + latency - 1.
 *
 *     w = 4, l = 5    W(0): banks 3, 1, 3, 0    2 stages   units 0, 1
 *                     W(1): banks 2, 3, 0, 1    1 stage    unit     2    completed after 7
 */
#ifndef PAPERS_MACHINE_DISPATCH_H
#define PAPERS_MACHINE_DISPATCH_H

#include "papers/machine/machine.h"

/* The requests of a block, round by round: how many pipeline stages each warp takes. */
typedef struct {
    machine_memory where;
    bool waits; /* a barrier comes before it */
} record_round;

typedef struct {
    size_t warps, n, room; /* rounds */
    record_round *rounds;
    uint16_t *stages; /* n x warps; 0: the warp has no request */
    bool waits;       /* the next round comes after a barrier */
    bool failed;      /* out of memory */
} record;

/* Add a round with the stages of each warp, all 0 now. Returns them, or NULL: out of memory. */
uint16_t *record_add(record *self, machine_memory where);
const uint16_t *record_stages(const record *self, size_t round);
/* Forget all rounds. */
void record_clear(record *self);
void record_free(record *self);

/* Time units of all blocks' records. An MMU dispatches warps in turn, and passes over those without
 * a request. A warp has no request while one is not completed, and at a barrier until all warps of
 * its block came there. A DMM begins its next block when one ends. false: out of memory. */
bool dispatch_in_turn(const machine_shape *shape, const record *blocks, size_t *units);

/* The same if all threads that share an MMU also wait for each other after each round. So a round
 * takes all of its stages and latency - 1. */
size_t dispatch_in_rounds(const machine_shape *shape, const record *blocks);

#endif
