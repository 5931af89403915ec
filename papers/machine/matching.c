#include "papers/machine/matching.h"

#include <math.h>
#include <stdlib.h>

#include "papers/machine/minimum.h"
#include "papers/machine/place.h"
#include "papers/machine/sweep.h"

static sweep sweep_of(const setup *s, machine *on, sweep_layout layout)
{
    return (sweep){.machine = on,
                   .where = place_memory(s),
                   .layout = layout,
                   .task = s->task,
                   .segments = 1,
                   .y_length = s->task.n,
                   .y_at = place_y(s),
                   .d_at = place_free(s)};
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
    machine *on = place_machine(s, 1, words);
    const sweep d = sweep_of(s, on, LAYOUT_MATRIX);
    double least = NAN;
    const bool good = on && sweep_edges(&d);
    if (good) fill_by_one(s, &d);
    if (good) least = sweep_least(&d);
    return place_finish(on, good, words, least, to);
}

static bool match_whole(const setup *s, sweep_layout layout, outcome *to)
{
    const size_t words = sweep_words(layout, s->width, &s->task, 1);
    machine *on = place_machine(s, s->threads, words);
    sweep d = sweep_of(s, on, layout);
    double least = NAN;
    if (!sweep_has_edges(layout)) d.best = &least;
    const bool good = on && (!sweep_has_edges(layout) || sweep_edges(&d)) && sweep_run(&d);
    if (good && sweep_has_edges(layout)) least = sweep_least(&d);
    return place_finish(on, good, words, least, to);
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
        place_round(sweep_words(LAYOUT_RING, s->width, &s->task, segments), s->width);
    const size_t words = of_d + (s->task.signals ? segments : m + 1);
    double least = NAN, *best = malloc(segments * sizeof *best);
    machine *on = place_machine(s, s->threads, words);
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
    return place_finish(on, good, words, least, to);
}
