#include "papers/machine/hmm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/machine/minimum.h"
#include "papers/machine/place.h"
#include "papers/machine/sweep.h"

/* Addresses in shared memory: x at 0, then Y_b, then three rows of d. */
typedef struct {
    size_t y, d, words;
} shared_plan;

static shared_plan plan_shared(const setup *s)
{
    const task part = {.m = s->task.m, .n = setup_substring(s)};
    shared_plan plan = {.y = place_y(s)};
    plan.d = plan.y + place_round(part.n, s->width);
    plan.words = plan.d + sweep_words(LAYOUT_THREE, s->width, &part, 1);
    return plan;
}

static machine *create(const setup *s, size_t threads)
{
    const machine_shape shape = {.width = s->width,
                                 .dmms = s->dmms,
                                 .latency = {s->latency, s->global_latency},
                                 .words = {plan_shared(s).words, place_free(s) + s->blocks},
                                 .blocks = s->blocks,
                                 .threads = threads,
                                 .resident = s->resident,
                                 .watched = s->watched};
    machine *on = machine_create(&shape);
    if (!on) return NULL;
    double *cells = machine_cells(on, MACHINE_GLOBAL, 0);
    memcpy(cells, s->task.x, s->task.m * sizeof *cells);
    memcpy(cells + place_y(s), s->task.y, s->task.n * sizeof *cells);
    return on;
}

/* n words from global to shared memory, as many at once as there are threads. Those from `end` on
 * are left out. */
static bool copy(machine *on, size_t block, size_t from, size_t to, size_t n, size_t end)
{
    const size_t threads = machine_shape_of(on)->threads;
    size_t *at = malloc(threads * sizeof *at);
    double *values = malloc(threads * sizeof *values);
    const bool good = at && values;
    for (size_t i = 0; good && i < n; i += threads) {
        const size_t now = n - i < threads ? n - i : threads;
        for (size_t t = 0; t < now; t++) at[t] = i + t < end ? from + i + t : MACHINE_IDLE;
        machine_read(on, block, MACHINE_GLOBAL, now, at, values);
        for (size_t t = 0; t < now; t++) at[t] = i + t < end ? to + i + t : MACHINE_IDLE;
        machine_write(on, block, MACHINE_SHARED, now, at, values);
    }
    free(at);
    free(values);
    return good;
}

/* Steps 1 to 3 of one block. */
static bool match_substring(const setup *s, machine *on, size_t block)
{
    const shared_plan plan = plan_shared(s);
    const size_t whole = setup_substring(s), begin = block * (whole - 2 * s->task.m);
    const size_t rest = begin < s->task.n ? s->task.n - begin : 0;
    const size_t length = rest < whole ? rest : whole;
    double best = NAN;
    const sweep d = {.machine = on,
                     .block = block,
                     .where = MACHINE_SHARED,
                     .layout = LAYOUT_THREE,
                     .task = {.signals = s->task.signals, .m = s->task.m, .n = whole},
                     .segments = 1,
                     .y_length = length,
                     .y_at = plan.y,
                     .d_at = plan.d,
                     .best = &best};
    bool good = copy(on, block, 0, 0, s->task.m, s->task.m) &&
                copy(on, block, place_y(s) + begin, plan.y, whole, length);
    machine_wait(on, block);
    good = good && sweep_run(&d);
    machine_write_one(on, block, MACHINE_GLOBAL, place_free(s) + block, best);
    return good;
}

/* Step 4: the threads of block 0 read the results, as many at once as they are. */
static bool least_of_all(const setup *s, machine *on, double *least)
{
    const size_t threads = machine_shape_of(on)->threads, n = s->blocks;
    const size_t used = n < threads ? n : threads;
    size_t *at = malloc(n * sizeof *at);
    double *values = malloc(n * sizeof *values);
    bool good = at && values;
    for (size_t i = 0; good && i < n; i++) at[i] = place_free(s) + i;
    if (good) machine_read(on, 0, MACHINE_GLOBAL, n, at, values);
    for (size_t i = used; good && i < n; i++)
        values[i % used] = task_least(values[i % used], values[i]);
    good = good && minimum_by_tree(on, 0, MACHINE_SHARED, 0, used, values, least);
    free(at);
    free(values);
    return good;
}

bool hmm_blocks(const setup *s, outcome *to)
{
    double least = NAN;
    machine *on = create(s, s->threads / s->blocks);
    bool good = on;
    for (size_t b = 0; good && b < s->blocks; b++) good = match_substring(s, on, b);
    good = good && machine_run(on) && least_of_all(s, on, &least);
    return place_finish(on, good, s->blocks * (plan_shared(s).words + 1), least, to);
}
