#include "papers/machine/machine.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "papers/machine/dispatch.h"

/*
 * Hazards: do warps race? Between two barriers no warp may write what another one reads, nor
 * another value to where one wrote. Blocks are apart until machine_run.
 *
 *     W(0)  write 7 --------- barrier ---          W(1) reads 7 before the barrier: a hazard, since
 *     W(1)            read 7 -                     either may be dispatched first
 *
 * Who used a cell, and when: runs and barriers count from 1.
 */
typedef struct {
    uint32_t run, block, barrier, warp;
} hazard_use;

/* The last uses of a cell; zeroed at first. */
typedef struct {
    hazard_use write, read;
} hazard_cell;

enum { SEVERAL = -1 };

struct machine {
    machine_shape shape;
    machine_count count;
    record *blocks;
    double *cells[2];        /* shared memory: of one block after the other */
    hazard_cell *uses[2];    /* of the same cells, if they are watched */
    uint32_t run, *barriers; /* from 1; barriers: of each block */
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
    self->run = 1;
    self->barriers = calloc(shape->blocks, sizeof *self->barriers);
    bool good = self->blocks && self->barriers;
    for (int where = MACHINE_SHARED; where <= MACHINE_GLOBAL; where++) {
        const size_t n = (where == MACHINE_SHARED ? shape->blocks : 1) * shape->words[where];
        self->cells[where] = create_cells(n);
        if (shape->watched) self->uses[where] = calloc(n + 1, sizeof *self->uses[where]);
        good = good && self->cells[where] && (self->uses[where] || !shape->watched);
    }
    for (size_t b = 0; good && b < shape->blocks; b++)
        self->blocks[b].warps = (shape->threads + shape->width - 1) / shape->width;
    if (good) return self;
    machine_destroy(self);
    return NULL;
}

void machine_destroy(machine *self)
{
    if (!self) return;
    for (size_t b = 0; self->blocks && b < self->shape.blocks; b++) record_free(&self->blocks[b]);
    free(self->blocks);
    for (int where = MACHINE_SHARED; where <= MACHINE_GLOBAL; where++) {
        free(self->cells[where]);
        free(self->uses[where]);
    }
    free(self->barriers);
    free(self);
}

const machine_shape *machine_shape_of(const machine *self)
{
    return &self->shape;
}

static size_t first_cell(const machine *self, machine_memory where, size_t block)
{
    return where == MACHINE_GLOBAL ? 0 : block * self->shape.words[MACHINE_SHARED];
}

double *machine_cells(machine *self, machine_memory where, size_t block)
{
    return self->cells[where] + first_cell(self, where, block);
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

static bool is_open(const hazard_use *before, const hazard_use *now)
{
    if (before->run != now->run) return false;
    if (before->block != now->block) return true;
    return before->barrier == now->barrier && before->warp != now->warp;
}

/* Add a use. true: it is a hazard. */
static bool hazard_read(hazard_cell *cell, const hazard_use *use)
{
    hazard_use *last = &cell->read;
    const bool beside = is_open(last, use);
    const bool other_block = beside && last->block != use->block;
    *last = *use;
    if (beside) last->warp = (uint32_t)SEVERAL;
    if (other_block) last->block = (uint32_t)SEVERAL;
    return is_open(&cell->write, use);
}

/* `changes`: the value is another than before. */
static bool hazard_write(hazard_cell *cell, const hazard_use *use, bool changes)
{
    const bool hazard = is_open(&cell->read, use) || (changes && is_open(&cell->write, use));
    cell->write = *use;
    return hazard;
}

/* Access number i to address `at`, which is not idle. `writes`: a value, if `changes` another one.
 */
static void watch(machine *self, size_t block, machine_memory where, size_t i, size_t at,
                  bool writes, bool changes)
{
    if (!self->shape.watched) return;
    const size_t warp = i % self->shape.threads / self->shape.width;
    const hazard_use use = {self->run, (uint32_t)block, self->barriers[block], (uint32_t)warp};
    hazard_cell *cell = &self->uses[where][first_cell(self, where, block) + at];
    self->count.hazards += writes ? hazard_write(cell, &use, changes) : hazard_read(cell, &use);
}

void machine_read(machine *self, size_t block, machine_memory where, size_t n, const size_t *at,
                  double *to)
{
    const double *cells = machine_cells(self, where, block);
    record_all(self, block, where, n, at);
    for (size_t i = 0; i < n; i++) {
        if (at[i] == MACHINE_IDLE) continue;
        assert(at[i] < self->shape.words[where]);
        watch(self, block, where, i, at[i], false, false);
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
        watch(self, block, where, i, at[i], true, !(cells[at[i]] == from[i]));
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
    self->barriers[block]++;
}

bool machine_run(machine *self)
{
    size_t units = 0;
    bool good = true;
    for (size_t b = 0; b < self->shape.blocks; b++) good = good && !self->blocks[b].failed;
    good = good && dispatch_in_turn(&self->shape, self->blocks, &units);
    if (!good) return false;
    self->run++;
    self->count.units += units;
    self->count.rounds += dispatch_in_rounds(&self->shape, self->blocks);
    for (size_t b = 0; b < self->shape.blocks; b++) record_clear(&self->blocks[b]);
    return true;
}

machine_count machine_counts(const machine *self)
{
    return self->count;
}
