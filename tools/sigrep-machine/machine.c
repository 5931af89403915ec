#include "tools/sigrep-machine/machine.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "tools/sigrep-machine/dispatch.h"

struct machine {
    machine_shape shape;
    machine_count count;
    record *blocks;
    double *shared, *global; /* shared: of one block after the other */
};

static double *create_cells(size_t n)
{
    double *cells = malloc((n ? n : 1) * sizeof *cells);
    for (size_t i = 0; cells && i < n; i++) cells[i] = NAN;
    return cells;
}

machine *machine_create(const machine_shape *shape)
{
    machine *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->shape = *shape;
    self->blocks = calloc(shape->blocks, sizeof *self->blocks);
    self->shared = create_cells(shape->blocks * shape->words[MACHINE_SHARED]);
    self->global = create_cells(shape->words[MACHINE_GLOBAL]);
    if (!self->blocks || !self->shared || !self->global) {
        machine_destroy(self);
        return NULL;
    }
    for (size_t b = 0; b < shape->blocks; b++)
        self->blocks[b].warps = (shape->threads + shape->width - 1) / shape->width;
    return self;
}

void machine_destroy(machine *self)
{
    if (!self) return;
    for (size_t b = 0; self->blocks && b < self->shape.blocks; b++) record_free(&self->blocks[b]);
    free(self->blocks);
    free(self->shared);
    free(self->global);
    free(self);
}

const machine_shape *machine_shape_of(const machine *self)
{
    return &self->shape;
}

double *machine_cells(machine *self, machine_memory where, size_t block)
{
    if (where == MACHINE_GLOBAL) return self->global;
    return self->shared + block * self->shape.words[MACHINE_SHARED];
}

/* Has a request before number i of this warp the same address? Then that one serves both. */
static bool is_repeated(size_t i, const size_t *at)
{
    for (size_t k = 0; k < i; k++)
        if (at[k] == at[i]) return true;
    return false;
}

/* Other addresses before number i that need a stage of their own beside its one. */
static size_t same_bank(size_t width, size_t i, const size_t *at)
{
    size_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += at[k] != MACHINE_IDLE && at[k] % width == at[i] % width && !is_repeated(k, at);
    return n;
}

static bool is_new_group(size_t width, size_t i, const size_t *at)
{
    for (size_t k = 0; k < i; k++)
        if (at[k] != MACHINE_IDLE && at[k] / width == at[i] / width) return false;
    return true;
}

size_t machine_stages(machine_memory where, size_t width, size_t n, const size_t *at)
{
    size_t stages = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i] == MACHINE_IDLE) continue;
        if (where == MACHINE_GLOBAL) {
            stages += is_new_group(width, i, at);
        } else if (!is_repeated(i, at)) {
            const size_t of_bank = same_bank(width, i, at) + 1;
            if (of_bank > stages) stages = of_bank;
        }
    }
    return stages;
}

/* One round of at most `threads` requests. */
static void record_requests(machine *self, size_t block, machine_memory where, size_t n,
                            const size_t *at)
{
    const size_t width = self->shape.width;
    uint16_t *stages = record_add(&self->blocks[block], where);
    for (size_t i = 0; stages && i < n; i += width) {
        const size_t of_warp = n - i < width ? n - i : width;
        const size_t k = machine_stages(where, width, of_warp, at + i);
        stages[i / width] = (uint16_t)k;
        self->count.traffic[where].warps += k > 0;
        self->count.traffic[where].stages += k;
    }
}

static void record_all(machine *self, size_t block, machine_memory where, size_t n,
                       const size_t *at)
{
    const size_t threads = self->shape.threads;
    for (size_t i = 0; i < n; i += threads)
        record_requests(self, block, where, n - i < threads ? n - i : threads, at + i);
}

void machine_read(machine *self, size_t block, machine_memory where, size_t n, const size_t *at,
                  double *to)
{
    const double *cells = machine_cells(self, where, block);
    record_all(self, block, where, n, at);
    for (size_t i = 0; i < n; i++) {
        if (at[i] == MACHINE_IDLE) continue;
        assert(at[i] < self->shape.words[where]);
        to[i] = cells[at[i]];
    }
}

void machine_write(machine *self, size_t block, machine_memory where, size_t n, const size_t *at,
                   const double *from)
{
    double *cells = machine_cells(self, where, block);
    record_all(self, block, where, n, at);
    for (size_t i = 0; i < n; i++) {
        if (at[i] == MACHINE_IDLE) continue;
        assert(at[i] < self->shape.words[where]);
        cells[at[i]] = from[i];
    }
}

double machine_read_one(machine *self, size_t block, machine_memory where, size_t at)
{
    double value = NAN;
    machine_read(self, block, where, 1, &at, &value);
    return value;
}

void machine_write_one(machine *self, size_t block, machine_memory where, size_t at, double value)
{
    machine_write(self, block, where, 1, &at, &value);
}

void machine_wait(machine *self, size_t block)
{
    self->blocks[block].waits = true;
}

bool machine_run(machine *self)
{
    size_t units = 0;
    bool good = true;
    for (size_t b = 0; b < self->shape.blocks; b++) good = good && !self->blocks[b].failed;
    good = good && dispatch_in_turn(&self->shape, self->blocks, &units);
    if (!good) return false;
    self->count.units += units;
    self->count.rounds += dispatch_in_rounds(&self->shape, self->blocks);
    for (size_t b = 0; b < self->shape.blocks; b++) record_clear(&self->blocks[b]);
    return true;
}

machine_count machine_counts(const machine *self)
{
    return self->count;
}
