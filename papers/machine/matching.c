#include "papers/machine/matching.h"

#include <math.h>
#include <stdlib.h>

#include "papers/machine/scan.h"
#include "papers/machine/sweep.h"

static sweep sweep_of(const setup *s, machine *on, sweep_layout layout)
{
    return (sweep){.machine = on,
                   .where = setup_memory(s),
                   .layout = layout,
                   .task = s->task,
                   .segments = 1,
                   .y_length = s->task.n,
                   .y_at = setup_y(s),
                   .d_at = setup_free(s)};
}

static double read_cell(const sweep *s, size_t i, size_t j)
{
    return machine_read_one(s->machine, 0, s->where, sweep_at(s, 0, i, j));
}

static void fill_by_one(const setup *s, const sweep *d)
{
    for (size_t i = 1; i <= s->task.m; i++)
        for (size_t j = 1; j <= s->task.n; j++) {
            const task_cell c = {read_cell(d, i, j - 1), read_cell(d, i - 1, j),
                                 read_cell(d, i - 1, j - 1),
                                 machine_read_one(d->machine, 0, d->where, d->x_at + i - 1),
                                 machine_read_one(d->machine, 0, d->where, d->y_at + j - 1)};
            machine_write_one(d->machine, 0, d->where, sweep_at(d, 0, i, j),
                              task_value(s->task.signals, &c));
        }
}

bool match_sequential(const setup *s, outcome *to)
{
    const size_t words = sweep_words(LAYOUT_MATRIX, s->width, &s->task, 1);
    machine *on = setup_machine(s, 1, words);
    const sweep d = sweep_of(s, on, LAYOUT_MATRIX);
    double least = NAN;
    const bool good = on && sweep_edges(&d);
    if (good) fill_by_one(s, &d);
    if (good) least = sweep_least(&d);
    return setup_finish(on, good, words, least, to);
}

static bool match_whole(const setup *s, sweep_layout layout, outcome *to)
{
    const size_t words = sweep_words(layout, s->width, &s->task, 1);
    machine *on = setup_machine(s, s->threads, words);
    sweep d = sweep_of(s, on, layout);
    double least = NAN;
    if (!sweep_has_edges(layout)) d.best = &least;
    const bool good = on && (!sweep_has_edges(layout) || sweep_edges(&d)) && sweep_run(&d);
    if (good && sweep_has_edges(layout)) least = sweep_least(&d);
    return setup_finish(on, good, words, least, to);
}

bool match_diagonals(const setup *s, outcome *to)
{
    return match_whole(s, LAYOUT_MATRIX, to);
}

bool match_slid(const setup *s, outcome *to)
{
    return match_whole(s, LAYOUT_SLID, to);
}

bool match_ring(const setup *s, outcome *to)
{
    return match_whole(s, LAYOUT_RING, to);
}

/* Strings: results are whole numbers up to m. So each marks its own in an array, and one thread
 * looks for the first mark. */
static bool first_mark(const sweep *d, size_t v_at, double *least)
{
    const size_t m = d->task.m, n = d->segments > m ? d->segments : m + 1;
    size_t *at = malloc(n * sizeof *at), j = 0;
    double *values = calloc(n, sizeof *values);
    const bool good = at && values;
    for (size_t i = 0; good && i <= m; i++) at[i] = v_at + i;
    if (good) machine_write(d->machine, 0, d->where, m + 1, at, values);
    if (good) machine_wait(d->machine, 0);
    for (size_t g = 0; good && g < d->segments; g++) {
        at[g] = v_at + (size_t)d->best[g];
        values[g] = 1;
    }
    if (good) machine_write(d->machine, 0, d->where, d->segments, at, values);
    if (good) machine_wait(d->machine, 0);
    while (good && machine_read_one(d->machine, 0, d->where, v_at + j) < 1) j++;
    *least = (double)j;
    free(at);
    free(values);
    return good;
}

bool match_segments(const setup *s, outcome *to)
{
    const size_t m = s->task.m, segments = setup_segments(s);
    const size_t of_d =
        setup_round(sweep_words(LAYOUT_RING, s->width, &s->task, segments), s->width);
    const size_t words = of_d + (s->task.signals ? segments : m + 1);
    double least = NAN, *best = malloc(segments * sizeof *best);
    machine *on = setup_machine(s, s->threads, words);
    sweep d = sweep_of(s, on, LAYOUT_RING);
    d.task.n = s->task.n < 3 * m ? s->task.n : 3 * m;
    d.segments = segments;
    d.shift = m;
    d.best = best;
    bool good = best && on && sweep_run(&d);
    /* Sums of real numbers mark no array: a tree takes its place. */
    if (good && s->task.signals)
        good = minimum_by_tree(on, 0, d.where, d.d_at + of_d, segments, best, &least);
    else if (good)
        good = first_mark(&d, d.d_at + of_d, &least);
    free(best);
    return setup_finish(on, good, words, least, to);
}

/* The HMM: addresses in shared memory, x at 0, then Y_b, then three rows of d. */
typedef struct {
    size_t y, d, words;
} shared_plan;

static shared_plan plan_shared(const setup *s)
{
    const task part = {.m = s->task.m, .n = setup_substring(s)};
    shared_plan plan = {.y = setup_y(s)};
    plan.d = plan.y + setup_round(part.n, s->width);
    plan.words = plan.d + sweep_words(LAYOUT_THREE, s->width, &part, 1);
    return plan;
}

static machine *create_hmm(const setup *s, size_t threads)
{
    const machine_shape shape = {.width = s->width,
                                 .dmms = s->dmms,
                                 .latency = {s->latency, s->global_latency},
                                 .words = {plan_shared(s).words, setup_free(s) + s->blocks},
                                 .blocks = s->blocks,
                                 .threads = threads,
                                 .resident = s->resident,
                                 .watched = s->watched};
    machine *on = machine_create(&shape);
    if (on) setup_fill(s, on, MACHINE_GLOBAL);
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
                copy(on, block, setup_y(s) + begin, plan.y, whole, length);
    machine_wait(on, block);
    good = good && sweep_run(&d);
    machine_write_one(on, block, MACHINE_GLOBAL, setup_free(s) + block, best);
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
    for (size_t i = 0; good && i < n; i++) at[i] = setup_free(s) + i;
    if (good) machine_read(on, 0, MACHINE_GLOBAL, n, at, values);
    for (size_t i = used; good && i < n; i++)
        values[i % used] = task_least(values[i % used], values[i]);
    good = good && minimum_by_tree(on, 0, MACHINE_SHARED, 0, used, values, least);
    free(at);
    free(values);
    return good;
}

bool match_blocks(const setup *s, outcome *to)
{
    double least = NAN;
    machine *on = create_hmm(s, s->threads / s->blocks);
    bool good = on;
    for (size_t b = 0; good && b < s->blocks; b++) good = match_substring(s, on, b);
    good = good && machine_run(on) && least_of_all(s, on, &least);
    return setup_finish(on, good, s->blocks * (plan_shared(s).words + 1), least, to);
}
