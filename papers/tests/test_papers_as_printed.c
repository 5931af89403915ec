/*
 * The papers' algorithms as they are printed, where that is wrong, and their published figures.
 * docs/PAPERS.md, "Claims that do not hold", names these tests.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "papers/machine/formula.h"

enum { MOST_M = 12, MOST_N = 40 };

/* e[j mod 3][i], and what lay in that memory before. */
typedef struct {
    int e[3][MOST_M + 1];
} ring_of_three;

static ring_of_three filled(int with)
{
    ring_of_three of;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i <= MOST_M; i++) of.e[j][i] = with;
    return of;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int modulo(int a, int b)
{
    return (a % b + b) % b;
}

/* The least edits from x to a part of y. */
static int right_result(const char *x, const char *y)
{
    const int m = (int)strlen(x), n = (int)strlen(y);
    int d[MOST_M + 1][MOST_N + 1], best = m;
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            d[i][j] = i == 0 ? 0 : i;
            if (i > 0 && j > 0)
                d[i][j] = least(least(d[i][j - 1], d[i - 1][j]) + 1,
                                d[i - 1][j - 1] + (x[i - 1] != y[j - 1]));
        }
    for (int j = 0; j <= n; j++) best = least(best, d[m][j]);
    return best;
}

/* A step of both improved algorithms: rows i from `first`, of diagonal k. */
static void step(ring_of_three *of, const char *x, const char *y, int k, int first)
{
    const int m = (int)strlen(x), n = (int)strlen(y);
    for (int i = first; i <= m; i++) {
        const int j = k - i + 1, at = modulo(j, 3), before = modulo(j - 1, 3);
        if (i == 0)
            of->e[at][i] = 0;
        else if (j == 0)
            of->e[at][i] = i;
        else if (1 <= j && j <= n)
            of->e[at][i] = least(least(of->e[before][i], of->e[at][i - 1]) + 1,
                                 of->e[before][i - 1] + (x[i - 1] != y[j - 1]));
    }
}

/* Man and Song: i from 1, so that only what is set before the loop has i = 0. */
static int man_song(const char *x, const char *y, int e_2_0)
{
    const int m = (int)strlen(x), n = (int)strlen(y);
    ring_of_three of = filled(99);
    int best = m;
    of.e[0][0] = of.e[1][0] = 0;
    of.e[0][1] = 1;
    of.e[2][0] = e_2_0;
    for (int k = 1; k <= n + m - 1; k++) {
        step(&of, x, y, k, 1);
        if (k >= m) best = least(best, of.e[modulo(k - m + 1, 3)][m]);
    }
    return best;
}

/* The HMM paper: the minimum takes e[j mod 3][m] in each step, from k = `from` on. */
static int hmm(const char *x, const char *y, int memory, int e_0_0, int from)
{
    const int m = (int)strlen(x), n = (int)strlen(y);
    ring_of_three of = filled(memory);
    int best = m;
    of.e[0][0] = e_0_0;
    for (int k = 0; k <= n + m - 1; k++) {
        step(&of, x, y, k, 0);
        if (k >= from) best = least(best, of.e[modulo(k - m + 1, 3)][m]);
    }
    return best;
}

/* Theorem 7.2: s[i + j][j] in s'[. mod 3][j mod m]. The minimum of all s[m + j][j] is read at the
 * end, or kept as they are computed. */
static int slid_ring(const char *x, const char *y, bool at_the_end)
{
    const int m = (int)strlen(x), n = (int)strlen(y);
    int s[3][MOST_M], best = m;
    memset(s, 0, sizeof s);
    for (int k = 2; k <= n + m; k++) {
        int now[MOST_M]; /* all threads read before they write */
        memcpy(now, s[k % 3], sizeof now);
        for (int j = k > m ? k - m : 1; j < k && j <= n; j++) {
            const int i = k - j, here = j % m, there = (j - 1) % m;
            const int left = j == 1 ? i : s[(k - 1) % 3][there];
            const int up = i == 1 ? 0 : s[(k - 1) % 3][here];
            const int corner = i == 1 ? 0 : j == 1 ? i - 1 : s[(k - 2) % 3][there];
            now[here] = least(least(left, up) + 1, corner + (x[i - 1] != y[j - 1]));
            if (i == m && !at_the_end) best = least(best, now[here]);
        }
        memcpy(s[k % 3], now, sizeof now);
    }
    for (int j = 1; j <= n && at_the_end; j++) best = least(best, s[(m + j) % 3][j % m]);
    return best;
}

static void random_string(char *to, size_t n, uint64_t *random)
{
    for (size_t i = 0; i < n; i++) to[i] = "ab"[check_below(random, 2)];
    to[n] = 0;
}

static void mended_algorithms_are_right(void)
{
    uint64_t random = check_seed("as printed");
    for (size_t k = 0; k < 500; k++) {
        char x[MOST_M + 1], y[MOST_N + 1];
        random_string(x, 1 + check_below(&random, MOST_M), &random);
        random_string(y, strlen(x) + check_below(&random, MOST_N - MOST_M), &random);
        const int m = (int)strlen(x), right = right_result(x, y);
        CHECK_MSG(man_song(x, y, 0) == right, "%s %s", x, y);
        CHECK_MSG(hmm(x, y, 0, 0, m) == right && hmm(x, y, 99, 0, m) == right, "%s %s", x, y);
        CHECK_MSG(slid_ring(x, y, false) == right, "%s %s", x, y);
    }
}

static void man_and_song_never_set_e_2_0(void)
{
    CHECK(right_result("a", "bba") == 0);
    CHECK(man_song("a", "bba", 0) == 0 && man_song("a", "bba", 99) == 1);
}

/* In the first m - 1 steps, j < 0: cleared memory there is taken for a match without edits. */
static void the_minimum_of_the_hmm_reads_cells_of_no_column(void)
{
    CHECK(right_result("aa", "bbbb") == 2);
    CHECK(hmm("aa", "bbbb", 99, 0, 0) == 2 && hmm("aa", "bbbb", 0, 0, 0) == 0);
}

/* Its loop begins at k = 0 with d[0][1], so d[0][0] is not there when k = 1 reads it. */
static void the_hmm_never_sets_the_first_cell(void)
{
    CHECK(right_result("a", "a") == 0);
    CHECK(hmm("a", "a", 99, 0, 1) == 0 && hmm("a", "a", 99, 99, 1) == 1);
}

/* Three rows do not hold the n + 1 cells of the last row of d. */
static void the_ring_of_theorem_7_2_loses_what_its_minimum_reads(void)
{
    CHECK(right_result("ab", "abbbbbbbbbbb") == 0);
    CHECK(slid_ring("ab", "abbbbbbbbbbb", false) == 0 &&
          slid_ring("ab", "abbbbbbbbbbb", true) == 1);
}

static const struct {
    double m, least_gpu_ms, cpu_ms, speed_up;
} table_1[] = {{32, 23.46, 701.8, 29.9}, {64, 29.13, 1364, 46.8},   {128, 48.40, 2683, 55.4},
               {256, 91.83, 5295, 57.7}, {512, 181.3, 10560, 58.2}, {1024, 419.6, 27720, 66.1}};

/* Table I: a speed-up is the CPU's time by the least of the GPU's. */
static void speed_ups_of_table_1(void)
{
    for (size_t i = 0; i < sizeof table_1 / sizeof *table_1; i++) {
        const double cells_an_ns = table_1[i].m * 4194304 / table_1[i].cpu_ms / 1e6;
        CHECK(fabs(table_1[i].cpu_ms / table_1[i].least_gpu_ms - table_1[i].speed_up) < 0.06);
        CHECK(cells_an_ns > 0.154 && cells_an_ns < 0.205);
    }
}

/* Man and Song, Table 2: 4 Mi letters in 419.1 ms are 9.77 of its MB (Mi / 1024 ms) a second. */
static void throughput_of_table_2_is_four_times_too_high(void)
{
    CHECK(fabs(4096 / 419.1 - 9.77) < 0.005 && fabs(4 * 4096 / 419.1 - 39.10) < 0.01);
    CHECK(fabs(8192 / 100. - 81.92) < 0.005); /* its next row: 8 M in 100 ms, once */
}

/* Corollary 5: if n >= p, Theorem 4 is at most twice its terms without p, L and ml. */
static void corollary_5_follows_from_theorem_4(void)
{
    uint64_t random = check_seed("corollary");
    for (size_t k = 0; k < 1000; k++) {
        const size_t n = 64 + check_below(&random, 1 << 16), p = 1 + check_below(&random, n);
        const setup s = {.width = 1 + check_below(&random, 64),
                         .latency = 1 + check_below(&random, 500),
                         .global_latency = 1 + check_below(&random, 1000),
                         .dmms = 1 + check_below(&random, 32),
                         .threads = p,
                         .task = {.m = 1 + check_below(&random, 64), .n = n}};
        const double m = (double)s.task.m, w = (double)s.width, N = (double)n;
        const double of_p = N / (double)p;
        const double corollary = N / w + m * N / ((double)s.dmms * w) +
                                 of_p * (double)s.global_latency + m * of_p * (double)s.latency;
        CHECK(formula_blocks_order(&s) <= 2 * corollary * (1 + 1e-12));
        CHECK(formula_blocks_order(&s) >= corollary * (1 - 1e-12));
    }
}

int main(void)
{
    RUN(mended_algorithms_are_right);
    RUN(man_and_song_never_set_e_2_0);
    RUN(the_minimum_of_the_hmm_reads_cells_of_no_column);
    RUN(the_hmm_never_sets_the_first_cell);
    RUN(the_ring_of_theorem_7_2_loses_what_its_minimum_reads);
    RUN(speed_ups_of_table_1);
    RUN(throughput_of_table_2_is_four_times_too_high);
    RUN(corollary_5_follows_from_theorem_4);
    return check_done();
}
