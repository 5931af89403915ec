#include "papers/machine/task.h"

#include <math.h>
#include <stdlib.h>

double task_least(double a, double b)
{
    return a <= b ? a : b < a ? b : NAN;
}

double task_value(bool signals, const task_cell *c)
{
    const double step = task_least(c->left, c->up);
    if (signals) return task_least(step, c->diagonal) + fabs(c->x - c->y);
    return task_least(step + 1, c->diagonal + (c->x < c->y || c->x > c->y));
}

double task_edge(bool signals, size_t i)
{
    return signals ? INFINITY : (double)i;
}

double *task_random(bool signals, size_t m, size_t n, unsigned long long seed)
{
    double *values = malloc((m + n) * sizeof *values);
    unsigned long long state = seed;
    for (size_t i = 0; values && i < m + n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
        values[i] = (double)((state >> 33) % (signals ? 10 : 4));
    }
    return values;
}
