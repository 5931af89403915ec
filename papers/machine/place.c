#include "papers/machine/place.h"

#include <string.h>

size_t place_divide(size_t n, size_t by)
{
    return (n + by - 1) / by;
}

size_t place_round(size_t n, size_t width)
{
    return place_divide(n, width) * width;
}

size_t place_y(const setup *s)
{
    return place_round(s->task.m, s->width);
}

size_t place_free(const setup *s)
{
    return place_y(s) + place_round(s->task.n, s->width);
}

machine_memory place_memory(const setup *s)
{
    return s->kind == ON_DMM ? MACHINE_SHARED : MACHINE_GLOBAL;
}

machine *place_machine(const setup *s, size_t threads, size_t words)
{
    const machine_memory where = place_memory(s);
    machine_shape shape = {.width = s->width,
                           .dmms = 1,
                           .latency = {s->latency, s->latency},
                           .blocks = 1,
                           .threads = threads,
                           .resident = 1,
                           .watched = s->watched};
    shape.words[where] = place_free(s) + words;
    machine *on = machine_create(&shape);
    if (!on) return NULL;
    double *cells = machine_cells(on, where, 0);
    memcpy(cells, s->task.x, s->task.m * sizeof *cells);
    memcpy(cells + place_y(s), s->task.y, s->task.n * sizeof *cells);
    return on;
}

bool place_finish(machine *on, bool good, size_t words, double result, outcome *to)
{
    good = on && good && machine_run(on);
    if (good) {
        const machine_shape *shape = machine_shape_of(on);
        *to = (outcome){machine_counts(on), shape->blocks * shape->threads, words, result};
    }
    machine_destroy(on);
    return good;
}
