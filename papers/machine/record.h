/* record.h - the requests of a block, round by round: how many pipeline stages each warp takes. */
#ifndef PAPERS_MACHINE_RECORD_H
#define PAPERS_MACHINE_RECORD_H

#include "papers/machine/machine.h"

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

#endif
