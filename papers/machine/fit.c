#include "papers/machine/fit.h"

#include <math.h>

#include "papers/machine/formula.h"

enum { MOST_LATENCY = 256, MOST_GLOBAL = 1024 }; /* time units */

static double units(const fit *f, const measured *times, size_t m, size_t blocks)
{
    const size_t fits = times->threads / m, most = times->resident;
    const size_t resident = fits > most ? most : fits ? fits : 1;
    const setup s = {.kind = ON_HMM,
                     .width = times->width,
                     .latency = f->latency,
                     .global_latency = f->global_latency,
                     .dmms = times->dmms,
                     .blocks = blocks,
                     .resident = f->holds_all ? blocks : resident,
                     .threads = m * blocks,
                     .task = {.m = m, .n = times->n}};
    return formula_blocks_bound(&s);
}

/* Set the unit at which relative errors have the least sum of squares. They are unit * a - 1, for a
 * = units / measured, so it is sum(a) / sum(a^2). */
static void fit_unit(fit *f, const measured *times, size_t without)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t row = 0; row < times->n_rows; row++)
        for (size_t i = 0; row != without && i < times->n_blocks; i++) {
            const double a = units(f, times, times->m[row], times->blocks[i]) / times->ms[row][i];
            sum += a;
            squares += a * a;
            n++;
        }
    f->unit_ms = sum / squares;
    f->error = sqrt(fmax(0, 1 - sum * sum / squares / n));
}

fit fit_rows(const measured *times, bool holds_all, size_t without)
{
    fit best = {.error = INFINITY};
    for (size_t l = 1; l <= MOST_LATENCY; l++)
        for (size_t global = 1; global <= MOST_GLOBAL; global *= 2) {
            fit f = {.holds_all = holds_all, .latency = l, .global_latency = global};
            fit_unit(&f, times, without);
            if (f.error < best.error) best = f;
        }
    return best;
}

double fit_ms(const fit *f, const measured *times, size_t m, size_t blocks)
{
    return f->unit_ms * units(f, times, m, blocks);
}

size_t fit_best(const fit *f, const measured *times, size_t m)
{
    size_t best = 0;
    for (size_t i = 1; i < times->n_blocks; i++)
        if (fit_ms(f, times, m, times->blocks[i]) < fit_ms(f, times, m, times->blocks[best]))
            best = i;
    return best;
}
