/* The papers' algorithms on one core, beside the whole matrix. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "papers/bench/papers_algorithms.h"

enum { MOST_M = 20, MOST_N = 120, MOST_BLOCKS = 20 };

static double matrix(const double *x, size_t m, const double *y, size_t n, bool signals)
{
    double d[MOST_M + 1][MOST_N + 1], best = signals ? INFINITY : (double)m;
    for (size_t j = 0; j <= n; j++) d[0][j] = 0;
    for (size_t i = 1; i <= m; i++) {
        d[i][0] = signals ? INFINITY : (double)i;
        for (size_t j = 1; j <= n; j++) {
            const double apart = fabs(x[i - 1] - y[j - 1]), cost = signals ? apart : apart > 0;
            const double side = fmin(d[i - 1][j], d[i][j - 1]) + (signals ? cost : 1);
            d[i][j] = fmin(side, d[i - 1][j - 1] + cost);
        }
    }
    for (size_t j = 0; j <= n; j++) best = fmin(best, d[m][j]);
    return best;
}

/* Both kinds of values, forwards and backwards. */
typedef struct {
    uint8_t letters[2][MOST_N];
    float samples[2][MOST_N];
} values;

static values convert(const double *from, size_t n)
{
    values to;
    for (size_t i = 0; i < n; i++) {
        to.letters[0][i] = to.letters[1][n - 1 - i] = (uint8_t)from[i];
        to.samples[0][i] = to.samples[1][n - 1 - i] = (float)from[i];
    }
    return to;
}

/* `blocks`: D, of PAPERS_BLOCKS. */
static double result_of(papers_algorithm algorithm, size_t blocks, const double *x, size_t m,
                        const double *y, size_t n, bool signals)
{
    const values a = convert(x, m), b = convert(y, n);
    float cells[3 * (MOST_M + 1)];
    memset(cells, 0xff, sizeof cells);
    if (signals) {
        const papers_task task = {
            m, n, a.samples[0], b.samples[0], a.samples[1], b.samples[1], cells, blocks};
        return papers_match_signals(algorithm, &task);
    }
    const papers_task task = {m,     n,     a.letters[0], b.letters[0], a.letters[1], b.letters[1],
                              cells, blocks};
    return papers_match_strings(algorithm, &task);
}

static void all_equal_the_matrix(void)
{
    uint64_t random = check_seed("algorithms");
    for (size_t k = 0; k < check_cases(3000); k++) {
        const size_t m = 1 + check_below(&random, MOST_M);
        const size_t n = m + check_below(&random, MOST_N - m + 1);
        const bool signals = check_below(&random, 2);
        double x[MOST_M], y[MOST_N];
        for (size_t i = 0; i < m; i++) x[i] = (double)check_below(&random, signals ? 9 : 3);
        for (size_t j = 0; j < n; j++) y[j] = (double)check_below(&random, signals ? 9 : 3);
        const double wanted = matrix(x, m, y, n, signals);
        for (int a = 0; a < PAPERS_ALGORITHMS; a++) {
            const size_t d = 1 + check_below(&random, MOST_BLOCKS);
            const double got = result_of((papers_algorithm)a, d, x, m, y, n, signals);
            const bool cuts = a == PAPERS_SEGMENTS || a == PAPERS_BLOCKS;
            CHECK_MSG(signals && cuts ? got >= wanted : got == wanted,
                      "%s, m %zu n %zu D %zu, %s: %g, not %g", papers_names[a], m, n, d,
                      signals ? "signals" : "strings", got, wanted);
        }
    }
}

/* As test_machine_algorithms.c has it: 0 9 0 over 0 9 9 ... 9 0. */
static void cut_signals_are_not_exact(void)
{
    const double x[] = {0, 9, 0};
    double y[MOST_N];
    for (size_t j = 0; j < MOST_N; j++) y[j] = j == 0 || j == MOST_N - 1 ? 0 : 9;
    for (int a = 0; a < PAPERS_ALGORITHMS; a++) {
        const bool cuts = a == PAPERS_SEGMENTS || a == PAPERS_BLOCKS;
        CHECK(result_of((papers_algorithm)a, 16, x, 3, y, MOST_N, true) == (cuts ? 9 : 0));
        CHECK(result_of((papers_algorithm)a, 16, x, 3, y, MOST_N, false) == 1);
    }
}

int main(void)
{
    RUN(all_equal_the_matrix);
    RUN(cut_signals_are_not_exact);
    return check_done();
}
