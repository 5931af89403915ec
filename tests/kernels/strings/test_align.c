/* Whole distances and alignments beside a whole matrix. */
#include "kernels/strings/align.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { MOST = 40 };

/* D of all cells, literally. */
static double matrix[MOST + 1][MOST + 1];

static float cost_of(const align_problem *p, size_t i, size_t t)
{
    if (p->same) return p->same(p->x[i - 1], p->y[t - 1]) ? 0 : 1;
    float sum = 0;
    for (size_t k = 0; k < p->dim; k++)
        sum += fabsf(p->x_frames[(i - 1) * p->dim + k] - p->y_frames[(t - 1) * p->dim + k]);
    return sum;
}

static void fill(const align_problem *p)
{
    for (size_t i = 0; i <= p->m; i++)
        for (size_t t = 0; t <= p->n; t++) {
            const double border = i + t == 0 ? 0 : p->same ? (double)(i + t) : INFINITY;
            matrix[i][t] = border;
            if (i == 0 || t == 0) continue;
            const double gap = p->same ? 1 : 0, diagonal = p->same ? cost_of(p, i, t) : 0;
            const double best = fmin(matrix[i - 1][t - 1] + diagonal,
                                     fmin(matrix[i][t - 1], matrix[i - 1][t]) + gap);
            matrix[i][t] = p->same ? best : (double)((float)best + cost_of(p, i, t));
        }
}

/* The chosen path, backwards. Returns the number of pairs that align() is to give. */
static size_t walk(const align_problem *p, align_pair *pairs)
{
    size_t i = p->m, t = p->n, n = 0;
    while (i > 0 || t > 0) {
        const double gap = p->same ? 1 : 0;
        const double up = i > 0 ? matrix[i - 1][t] + gap : INFINITY;
        const double left = t > 0 ? matrix[i][t - 1] + gap : INFINITY;
        const double diagonal =
            i && t ? matrix[i - 1][t - 1] + (p->same ? (double)cost_of(p, i, t) : 0) : INFINITY;
        const bool is_diagonal = diagonal <= left && diagonal <= up;
        if (is_diagonal || !p->same) pairs[n++] = (align_pair){.i = i - 1, .t = t - 1};
        if (is_diagonal)
            i--, t--;
        else if (left <= up)
            t--;
        else
            i--;
    }
    return n;
}

static void compare(const align_problem *p)
{
    align_pair wanted[2 * MOST + 2], pairs[2 * MOST + 2];
    double alone = -1, distance = -1;
    size_t n_pairs = 0;
    fill(p);
    const size_t n = walk(p, wanted);
    CHECK(align(p, &alone, NULL, NULL) && alone == matrix[p->m][p->n]);
    CHECK(align(p, &distance, pairs, &n_pairs) && distance == alone);
    CHECK_MSG(n_pairs == n, "%zu pairs of %zu: m %zu, n %zu", n_pairs, n, p->m, p->n);
    for (size_t k = 0; k < n && k < n_pairs; k++)
        CHECK_MSG(pairs[k].i == wanted[n - 1 - k].i && pairs[k].t == wanted[n - 1 - k].t,
                  "pair %zu: m %zu, n %zu", k, p->m, p->n);
}

static void strings_of_all_lengths(void)
{
    uint64_t random = check_seed("strings_of_all_lengths");
    for (size_t c = check_cases(3000); c > 0; c--) {
        unsigned char x[MOST], y[MOST];
        for (size_t i = 0; i < MOST; i++) x[i] = (unsigned char)check_below(&random, 3);
        for (size_t i = 0; i < MOST; i++) y[i] = (unsigned char)check_below(&random, 3);
        const align_problem p = {.m = check_below(&random, MOST + 1),
                                 .n = check_below(&random, MOST + 1),
                                 .same = string_same_byte,
                                 .x = x,
                                 .y = y};
        compare(&p);
    }
}

static void signals_of_all_lengths(void)
{
    uint64_t random = check_seed("signals_of_all_lengths");
    for (size_t c = check_cases(3000); c > 0; c--) {
        float x[2 * MOST], y[2 * MOST];
        const bool has_ties = check_below(&random, 2);
        for (size_t i = 0; i < 2 * MOST; i++) {
            x[i] = (float)check_below(&random, 4) * (has_ties ? 1 : 0.1f);
            y[i] = (float)check_below(&random, 4) * (has_ties ? 1 : 0.3f);
        }
        const align_problem p = {.m = 1 + check_below(&random, MOST),
                                 .n = 1 + check_below(&random, MOST),
                                 .x_frames = x,
                                 .y_frames = y,
                                 .dim = 1 + check_below(&random, 2)};
        compare(&p);
    }
}

int main(void)
{
    RUN(strings_of_all_lengths);
    RUN(signals_of_all_lengths);
    return check_done();
}
