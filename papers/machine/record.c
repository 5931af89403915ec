#include "papers/machine/record.h"

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
