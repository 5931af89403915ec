#include "papers/machine/scan.h"

#include <math.h>
#include <stdlib.h>

/* b[i]: bank i mod w, and a row that differs from bank to bank. n is a multiple of w. */
static size_t in_same_bank(size_t i, size_t n, size_t w)
{
    const size_t bank = i % w, row = i / w, rows = n / w;
    return (row + bank) % rows * w + bank;
}

static bool read_all(const setup *s, bool banks, outcome *to)
{
    const size_t n = s->task.n, whole = n / s->width * s->width;
    machine *on = setup_machine(s, s->threads, 0);
    size_t *at = malloc(n * sizeof *at);
    double *values = malloc(n * sizeof *values), sum = 0;
    const bool good = on && at && values;
    for (size_t i = 0; good && i < n; i++)
        at[i] = setup_y(s) + (banks && i < whole ? in_same_bank(i, whole, s->width) : i);
    /* As the paper has it: all threads access once, then again. */
    for (size_t i = 0; good && i < n; i += s->threads) {
        const size_t now = n - i < s->threads ? n - i : s->threads;
        machine_read(on, 0, setup_memory(s), now, at + i, values + i);
        machine_wait(on, 0);
    }
    for (size_t i = 0; good && i < n; i++) sum += values[i];
    free(at);
    free(values);
    return setup_finish(on, good, 0, sum, to);
}

bool access_contiguous(const setup *s, outcome *to)
{
    return read_all(s, false, to);
}

bool access_banks(const setup *s, outcome *to)
{
    return read_all(s, true, to);
}

bool minimum_by_tree(machine *on, size_t block, machine_memory where, size_t at, size_t n,
                     double *values, double *least)
{
    size_t *to = malloc(n * sizeof *to);
    double *others = malloc(n * sizeof *others);
    const bool good = to && others;
    while (good && n > 1) {
        const size_t half = (n + 1) / 2, rest = n - half;
        /* Threads from half on give their numbers away. */
        for (size_t i = 0; i < n; i++) to[i] = i < half ? MACHINE_IDLE : at + i;
        machine_write(on, block, where, n, to, values);
        machine_wait(on, block);
        for (size_t i = 0; i < rest; i++) to[i] = at + half + i;
        machine_read(on, block, where, rest, to, others);
        for (size_t i = 0; i < rest; i++) values[i] = task_least(values[i], others[i]);
        machine_wait(on, block);
        n = half;
    }
    if (good) *least = values[0];
    free(to);
    free(others);
    return good;
}

/* Each thread's least number of its share of y. */
static bool read_shares(const setup *s, machine *on, size_t threads, double *values)
{
    const size_t n = s->task.n;
    size_t *at = malloc(n * sizeof *at);
    double *all = malloc(n * sizeof *all);
    const bool good = at && all;
    for (size_t i = 0; good && i < n; i++) at[i] = setup_y(s) + i;
    if (good) machine_read(on, 0, setup_memory(s), n, at, all);
    for (size_t i = 0; good && i < n; i++)
        values[i % threads] = i < threads ? all[i] : task_least(values[i % threads], all[i]);
    free(at);
    free(all);
    return good;
}

bool minimum_one(const setup *s, outcome *to)
{
    double least = INFINITY;
    machine *on = setup_machine(s, 1, 0);
    for (size_t i = 0; on && i < s->task.n; i++)
        least = task_least(least, machine_read_one(on, 0, setup_memory(s), setup_y(s) + i));
    return setup_finish(on, true, 0, least, to);
}

bool minimum_tree(const setup *s, outcome *to)
{
    const size_t threads = s->threads < s->task.n ? s->threads : s->task.n;
    double least = NAN, *values = malloc(threads * sizeof *values);
    machine *on = setup_machine(s, threads, threads);
    const bool good =
        values && on && read_shares(s, on, threads, values) &&
        minimum_by_tree(on, 0, setup_memory(s), setup_free(s), threads, values, &least);
    free(values);
    return setup_finish(on, good, threads, least, to);
}

/* The least of each warp goes to its first thread, in registers. Returns the number of warps. */
static size_t shuffle(size_t n, size_t width, double *values)
{
    for (size_t i = 0; i < n; i++)
        if (i % width) values[i - i % width] = task_least(values[i - i % width], values[i]);
    return setup_divide(n, width);
}

/* values[0], values[w], ... go through memory to threads 0, 1, ... */
static void gather(machine *on, machine_memory where, size_t to, size_t n, size_t *at,
                   double *values)
{
    const size_t width = machine_shape_of(on)->width, warps = setup_divide(n, width);
    for (size_t i = 0; i < n; i++) at[i] = i % width ? MACHINE_IDLE : to + i / width;
    machine_write(on, 0, where, n, at, values);
    machine_wait(on, 0);
    for (size_t i = 0; i < warps; i++) at[i] = to + i;
    machine_read(on, 0, where, warps, at, values);
    machine_wait(on, 0);
}

bool minimum_shuffle(const setup *s, outcome *to)
{
    const size_t threads = s->threads < s->task.n ? s->threads : s->task.n;
    const size_t words = setup_divide(threads, s->width);
    size_t *at = malloc(threads * sizeof *at);
    double least = NAN, *values = malloc(threads * sizeof *values);
    machine *on = setup_machine(s, threads, words);
    const bool good = at && values && on && read_shares(s, on, threads, values);
    for (size_t n = threads; good;) {
        const size_t warps = shuffle(n, s->width, values);
        least = values[0];
        if (warps == 1) break;
        gather(on, setup_memory(s), setup_free(s), n, at, values);
        n = warps;
    }
    free(at);
    free(values);
    return setup_finish(on, good, words, least, to);
}
