#include "papers/machine/dispatch.h"

#include <stdlib.h>
#include <string.h>

static bool grow(record *self)
{
    const size_t room = self->room ? 2 * self->room : 64;
    record_round *rounds = realloc(self->rounds, room * sizeof *rounds);
    if (rounds) self->rounds = rounds;
    uint16_t *stages = realloc(self->stages, room * self->warps * sizeof *stages);
    if (stages) self->stages = stages;
    if (!rounds || !stages) return false;
    self->room = room;
    return true;
}

uint16_t *record_add(record *self, machine_memory where)
{
    if (self->failed || (self->n == self->room && !grow(self))) {
        self->failed = true;
        return NULL;
    }
    self->rounds[self->n] = (record_round){where, self->waits};
    self->waits = false;
    uint16_t *stages = self->stages + self->n++ * self->warps;
    memset(stages, 0, self->warps * sizeof *stages);
    return stages;
}

const uint16_t *record_stages(const record *self, size_t round)
{
    return self->stages + round * self->warps;
}

void record_clear(record *self)
{
    self->n = 0;
    self->waits = false;
}

void record_free(record *self)
{
    free(self->rounds);
    free(self->stages);
}

typedef enum { WARP_IDLE, WARP_REQUESTS, WARP_AT_BARRIER } warp_state; /* idle: before and after */

typedef struct {
    warp_state state;
    size_t next;  /* round */
    size_t ready; /* the time unit from which it may send a request */
    bool passed;  /* the barrier before `next` */
} warp;

typedef struct {
    size_t free;     /* the first time unit without a stage */
    size_t turn;     /* the warp that is asked first */
    size_t next;     /* the warp that it dispatches next, at `earliest` */
    size_t earliest; /* SIZE_MAX: no warp has a request */
    size_t requests; /* warps that have one */
} mmu;

typedef struct {
    const machine_shape *shape;
    const record *blocks;
    size_t per_block, n_warps, global; /* global: the number of its MMU, the last one */
    warp *warps;
    mmu *mmus;
    size_t *next_block; /* of each DMM */
    size_t *requests;   /* of each block: warps with a request */
    size_t end;
} dispatch;

static size_t dmm_of(const dispatch *self, size_t block)
{
    return block % self->shape->dmms;
}

static size_t mmu_of(const dispatch *self, size_t i)
{
    const size_t block = i / self->per_block;
    const record_round *round = &self->blocks[block].rounds[self->warps[i].next];
    return round->where == MACHINE_GLOBAL ? self->global : dmm_of(self, block);
}

/* To the next request, or to the barrier before it. */
static void move_on(dispatch *self, size_t i)
{
    warp *v = &self->warps[i];
    const record *r = &self->blocks[i / self->per_block];
    for (; v->next < r->n; v->next++, v->passed = false) {
        if (r->rounds[v->next].waits && !v->passed) {
            v->state = WARP_AT_BARRIER;
            return;
        }
        if (record_stages(r, v->next)[i % self->per_block]) {
            v->state = WARP_REQUESTS;
            self->requests[i / self->per_block]++;
            self->mmus[mmu_of(self, i)].requests++;
            return;
        }
    }
    v->state = WARP_IDLE;
}

static void begin_block(dispatch *self, size_t block, size_t when)
{
    for (size_t i = 0; i < self->per_block; i++) {
        self->warps[block * self->per_block + i].ready = when;
        move_on(self, block * self->per_block + i);
    }
}

/* Let a block's warps through a barrier at which all are, as often as that is so. Returns the block
 * that begins because this one has ended, or SIZE_MAX. */
static size_t settle(dispatch *self, size_t block)
{
    warp *warps = self->warps + block * self->per_block;
    while (!self->requests[block]) {
        size_t last = 0, n_idle = 0;
        for (size_t i = 0; i < self->per_block; i++) {
            if (warps[i].ready > last) last = warps[i].ready;
            n_idle += warps[i].state == WARP_IDLE;
        }
        if (n_idle == self->per_block) { /* barriers are common to all: no other waits */
            size_t *next = &self->next_block[dmm_of(self, block)];
            const size_t begins = *next;
            if (last > self->end) self->end = last;
            *next += self->shape->dmms;
            if (begins >= self->shape->blocks) return SIZE_MAX;
            begin_block(self, begins, last);
            return begins;
        }
        for (size_t i = 0; i < self->per_block; i++) {
            warps[i].passed = true;
            warps[i].ready = last;
            move_on(self, block * self->per_block + i);
        }
    }
    return SIZE_MAX;
}

static void settle_all(dispatch *self, size_t block)
{
    while (block != SIZE_MAX) block = settle(self, block);
}

/* Find the warp that an MMU dispatches next: the first in turn of those that are ready first. */
static void find_next(dispatch *self, size_t number)
{
    mmu *u = &self->mmus[number];
    u->earliest = SIZE_MAX;
    for (size_t k = 0; u->requests && k < self->n_warps && u->earliest > u->free; k++) {
        const size_t i = (u->turn + k) % self->n_warps;
        if (self->warps[i].state != WARP_REQUESTS || mmu_of(self, i) != number) continue;
        const size_t when = self->warps[i].ready > u->free ? self->warps[i].ready : u->free;
        if (when >= u->earliest) continue;
        u->earliest = when;
        u->next = i;
    }
}

/* Dispatch the earliest request of all; false: there is none. */
static bool dispatch_one(dispatch *self)
{
    mmu *u = self->mmus;
    for (size_t k = 1; k <= self->global; k++)
        if (self->mmus[k].earliest < u->earliest) u = &self->mmus[k];
    if (u->earliest == SIZE_MAX) return false;
    const size_t i = u->next, block = i / self->per_block;
    warp *v = &self->warps[i];
    const machine_memory where = self->blocks[block].rounds[v->next].where;
    u->free = u->earliest + record_stages(&self->blocks[block], v->next)[i % self->per_block];
    u->turn = i + 1;
    self->requests[block]--;
    u->requests--;
    v->ready = u->free + self->shape->latency[where] - 1;
    v->next++;
    v->passed = false;
    move_on(self, i);
    settle_all(self, block);
    find_next(self, dmm_of(self, block));
    find_next(self, self->global);
    return true;
}

/* The blocks that the DMMs hold at first; all others follow when one ends. */
static void begin_all(dispatch *self)
{
    const machine_shape *shape = self->shape;
    const size_t at_first = shape->dmms * shape->resident;
    for (size_t g = 0; g < shape->dmms; g++) self->next_block[g] = at_first + g;
    for (size_t b = 0; b < shape->blocks && b < at_first; b++) begin_block(self, b, 0);
    for (size_t b = 0; b < shape->blocks && b < at_first; b++) settle_all(self, b);
    for (size_t u = 0; u <= self->global; u++) find_next(self, u);
}

bool dispatch_in_turn(const machine_shape *shape, const record *blocks, size_t *units)
{
    dispatch self = {.shape = shape, .blocks = blocks, .per_block = blocks[0].warps};
    self.n_warps = shape->blocks * self.per_block;
    self.global = shape->dmms;
    self.warps = calloc(self.n_warps, sizeof *self.warps);
    self.mmus = calloc(self.global + 1, sizeof *self.mmus);
    self.next_block = calloc(shape->dmms, sizeof *self.next_block);
    self.requests = calloc(shape->blocks, sizeof *self.requests);
    const bool good = self.warps && self.mmus && self.next_block && self.requests;
    if (good) {
        begin_all(&self);
        while (dispatch_one(&self)) continue;
    }
    *units = self.end;
    free(self.warps);
    free(self.mmus);
    free(self.next_block);
    free(self.requests);
    return good;
}

/* Stages of a round of the blocks first, first + step, ... before end. */
static size_t stages_of(const record *blocks, size_t round, size_t first, size_t step, size_t end)
{
    size_t sum = 0;
    for (size_t b = first; b < end; b += step)
        for (size_t i = 0; i < blocks[b].warps && round < blocks[b].n; i++)
            sum += record_stages(&blocks[b], round)[i];
    return sum;
}

/* The blocks [first, end), which work at the same time. Shared rounds of the DMMs run side by side,
 * so the DMM with the most stages counts. */
static size_t wave_in_rounds(const machine_shape *shape, const record *blocks, size_t first,
                             size_t end)
{
    size_t units = 0;
    for (size_t round = 0; round < blocks[first].n; round++) {
        const machine_memory where = blocks[first].rounds[round].where;
        size_t most = 0;
        if (where == MACHINE_GLOBAL) most = stages_of(blocks, round, first, 1, end);
        for (size_t g = 0; g < shape->dmms && where == MACHINE_SHARED && first + g < end; g++) {
            const size_t stages = stages_of(blocks, round, first + g, shape->dmms, end);
            if (stages > most) most = stages;
        }
        if (most) units += most + shape->latency[where] - 1;
    }
    return units;
}

size_t dispatch_in_rounds(const machine_shape *shape, const record *blocks)
{
    size_t units = 0;
    const size_t wave = shape->dmms * shape->resident;
    for (size_t b = 0; b < shape->blocks; b += wave) {
        const size_t end = shape->blocks - b < wave ? shape->blocks : b + wave;
        units += wave_in_rounds(shape, blocks, b, end);
    }
    return units;
}
