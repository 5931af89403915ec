#include "papers/machine/setup.h"

#include <string.h>

size_t setup_divide(size_t n, size_t by)
{
    return (n + by - 1) / by;
}

size_t setup_round(size_t n, size_t width)
{
    return setup_divide(n, width) * width;
}

size_t setup_segments(const setup *s)
{
    const size_t parts = setup_divide(s->task.n, s->task.m);
    return parts > 3 ? parts - 2 : 1;
}

size_t setup_substring(const setup *s)
{
    const size_t overlap = 2 * s->task.m;
    return overlap + (s->task.n > overlap ? setup_divide(s->task.n - overlap, s->blocks) : 1);
}

size_t setup_y(const setup *s)
{
    return setup_round(s->task.m, s->width);
}

size_t setup_free(const setup *s)
{
    return setup_y(s) + setup_round(s->task.n, s->width);
}

machine_memory setup_memory(const setup *s)
{
    return s->kind == ON_DMM ? MACHINE_SHARED : MACHINE_GLOBAL;
}

void setup_fill(const setup *s, machine *on, machine_memory where)
{
    double *cells = machine_cells(on, where, 0);
    memcpy(cells, s->task.x, s->task.m * sizeof *cells);
    memcpy(cells + setup_y(s), s->task.y, s->task.n * sizeof *cells);
}

machine *setup_machine(const setup *s, size_t threads, size_t words)
{
    const machine_memory where = setup_memory(s);
    machine_shape shape = {.width = s->width,
                           .dmms = 1,
                           .latency = {s->latency, s->latency},
                           .blocks = 1,
                           .threads = threads,
                           .resident = 1,
                           .watched = s->watched};
    shape.words[where] = setup_free(s) + words;
    machine *on = machine_create(&shape);
    if (on) setup_fill(s, on, where);
    return on;
}

bool setup_finish(machine *on, bool good, size_t words, double result, outcome *to)
{
    good = on && good && machine_run(on);
    if (good) {
        const machine_shape *shape = machine_shape_of(on);
        *to = (outcome){machine_counts(on), shape->blocks * shape->threads, words, result};
    }
    machine_destroy(on);
    return good;
}
