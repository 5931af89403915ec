#include "papers/tests/mpi_plain.h"

#include <math.h>
#include <string.h>

#include "check.h"

static void point(plain_problem *to, cells_kind kind, size_t n, size_t m, size_t h)
{
    const bool signals = kind == CELLS_SIGNALS;
    to->p = (problem){.kind = kind,
                      .n = n,
                      .m = m,
                      .y = signals ? (void *)to->y_samples : to->y_letters,
                      .x = signals ? (void *)to->x_samples : to->x_letters,
                      .h = h,
                      .distance = to->distance};
}

static void fill(float *samples, uint8_t *letters, size_t n, size_t kinds, uint64_t *random)
{
    for (size_t i = 0; i < n; i++) {
        const size_t value = check_below(random, kinds);
        samples[i] = (float)value / 7 - 1;
        letters[i] = (uint8_t)value;
    }
}

void plain_random(plain_problem *to, cells_kind kind, size_t n, size_t m, uint64_t *random)
{
    const size_t kinds = check_below(random, 2) ? 2 + check_below(random, 4) : 256;
    const size_t most_h = m < CELLS_MOST_H ? m : CELLS_MOST_H;
    fill(to->x_samples, to->x_letters, m, kinds, random);
    fill(to->y_samples, to->y_letters, n, kinds, random);
    point(to, kind, n, m, 1 + check_below(random, most_h));
}

void plain_from(plain_problem *to, cells_kind kind, const char *y, const char *x, size_t h)
{
    memcpy(to->y_letters, y, strlen(y));
    memcpy(to->x_letters, x, strlen(x));
    point(to, kind, strlen(y), strlen(x), h);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Edits from all of x[0..m) to the best part of y that ends at n. */
static uint32_t edits(const uint8_t *y, size_t n, const uint8_t *x, size_t m)
{
    static uint32_t d[PLAIN_MOST + 1][PLAIN_MOST + 1];
    for (size_t i = 0; i <= n; i++) d[i][0] = 0;
    for (size_t j = 0; j <= m; j++) d[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++)
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (x[j - 1] != y[i - 1]));
    return d[n][m];
}

uint32_t plain_factor(const problem *p, size_t i, size_t j)
{
    const size_t begin = j > p->h ? j - p->h : 0;
    return edits(p->y, i, (const uint8_t *)p->x + begin, j - begin);
}

/* docs/SEMANTICS.md, "Scores": a column after the other. */
static void signal_costs(const problem *p, uint32_t *distance)
{
    const float *x = p->x, *y = p->y;
    static float d[PLAIN_MOST + 1][PLAIN_MOST + 1];
    for (size_t t = 0; t <= p->n; t++) d[0][t] = 0;
    for (size_t i = 1; i <= p->m; i++) d[i][0] = INFINITY;
    for (size_t t = 1; t <= p->n; t++) {
        for (size_t i = 1; i <= p->m; i++)
            d[i][t] = fminf(fminf(d[i - 1][t - 1], d[i][t - 1]), d[i - 1][t]) +
                      fabsf(x[i - 1] - y[t - 1]);
        memcpy(&distance[t - 1], &d[p->m][t], sizeof(float));
    }
}

void plain_distances(const problem *p, uint32_t *distance)
{
    if (p->kind == CELLS_SIGNALS) {
        signal_costs(p, distance);
        return;
    }
    for (size_t i = 1; i <= p->n; i++) {
        uint32_t best = UINT32_MAX;
        if (p->kind == CELLS_STRINGS) best = edits(p->y, i, p->x, p->m);
        for (size_t j = p->h; p->kind == CELLS_FACTORS && j <= p->m; j++)
            best = least(best, plain_factor(p, i, j));
        distance[i - 1] = best;
    }
}
