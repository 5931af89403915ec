/*
 * dispatch.h - when is each request completed? A warp's request of k stages that is dispatched in
 * time unit t keeps its MMU busy until t + k, and is completed after t + k + latency - 1.
 *
 *     w = 4, l = 5    W(0): banks 3, 1, 3, 0    2 stages   units 0, 1
 *                     W(1): banks 2, 3, 0, 1    1 stage    unit     2    completed after 7
 */
#ifndef PAPERS_MACHINE_DISPATCH_H
#define PAPERS_MACHINE_DISPATCH_H

#include "papers/machine/record.h"

/* Time units of all blocks' records. An MMU dispatches warps in turn, and passes over those without
 * a request. A warp has no request while one is not completed, and at a barrier until all warps of
 * its block came there. A DMM begins its next block when one ends. false: out of memory. */
bool dispatch_in_turn(const machine_shape *shape, const record *blocks, size_t *units);

/* The same if all threads that share an MMU also wait for each other after each round. So a round
 * takes all of its stages and latency - 1. */
size_t dispatch_in_rounds(const machine_shape *shape, const record *blocks);

#endif
