/* Figures 3 to 6 of Nakano: matrices as printed, time units as counted by hand. The HMM papers have
 * the same matrix (figures 3 and 4). */
#include <math.h>
#include <string.h>

#include "check.h"
#include "papers/machine/algorithms.h"
#include "papers/machine/sweep.h"

static const double x_abc[] = {'a', 'b', 'a', 'b', 'a'},
                    y_abc[] = {'a', 'a', 'a', 'b', 'b', 'b', 'a', 'a'};
static const task strings = {false, 5, 8, x_abc, y_abc};

static const double x_signal[] = {1, 3, 5, 3, 1}, y_signal[] = {1, 2, 3, 4, 4, 2, 1, 2};
static const task signals = {true, 5, 8, x_signal, y_signal};

/* As Man and Song print it. Nakano prints 3 for d[5][6], where the recurrence gives 2: d[4][6] is
 * 1, and one deletion more. */
static const double figure_3[6][9] = {{0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 1, 1, 1, 0, 0},
                                      {2, 1, 1, 1, 0, 1, 1, 1, 1}, {3, 2, 1, 1, 1, 1, 2, 1, 1},
                                      {4, 3, 2, 2, 1, 1, 1, 2, 2}, {5, 4, 3, 2, 2, 2, 2, 1, 2}};

/* As the recurrence gives it. */
static const double figure_4[6][9] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0},        {INFINITY, 0, 1, 2, 3, 3, 1, 0, 1},
    {INFINITY, 2, 1, 1, 2, 3, 2, 2, 1}, {INFINITY, 6, 4, 3, 2, 3, 5, 6, 4},
    {INFINITY, 8, 5, 3, 3, 3, 4, 6, 5}, {INFINITY, 8, 6, 5, 6, 6, 4, 4, 5}};

/* As Nakano prints it. d[1][1] is 1, though x_1 = y_1; eight more cells follow from it. Nothing
 * explains d[5][6] and d[5][8]. The least of the last row is 4 all the same. */
static const double figure_4_printed[6][9] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0},        {INFINITY, 1, 1, 2, 3, 3, 1, 0, 1},
    {INFINITY, 3, 2, 1, 2, 3, 2, 2, 1}, {INFINITY, 7, 5, 3, 2, 3, 5, 6, 4},
    {INFINITY, 9, 6, 3, 3, 3, 4, 6, 5}, {INFINITY, 9, 7, 5, 6, 6, 5, 4, 6}};

typedef struct {
    machine *machine;
    sweep sweep;
} swept;

/* The matrix of a task, with edges, by m threads; x at 0, y at 8, d at 16. */
static swept sweep_task(const task *t, machine_memory where, sweep_layout layout, size_t width,
                        size_t latency, bool run)
{
    const machine_shape shape = {
        .width = width,
        .dmms = 1,
        .latency = {latency, latency},
        .words = {16 + sweep_words(layout, width, t, 1), 16 + sweep_words(layout, width, t, 1)},
        .blocks = 1,
        .threads = t->m,
        .resident = 1};
    machine *on = machine_create(&shape);
    if (!on) exit(2);
    memcpy(machine_cells(on, where, 0), t->x, t->m * sizeof *t->x);
    memcpy(machine_cells(on, where, 0) + 8, t->y, t->n * sizeof *t->y);
    const swept all = {on,
                       {.machine = on,
                        .where = where,
                        .layout = layout,
                        .task = *t,
                        .segments = 1,
                        .y_length = t->n,
                        .y_at = 8,
                        .d_at = 16}};
    CHECK(sweep_edges(&all.sweep));
    if (run) CHECK(sweep_run(&all.sweep));
    return all;
}

static double cell(const swept *s, size_t i, size_t j)
{
    return machine_cells(s->machine, s->sweep.where, 0)[sweep_at(&s->sweep, 0, i, j)];
}

static void check_matrix(const task *t, const double (*wanted)[9])
{
    const sweep_layout layouts[] = {LAYOUT_MATRIX, LAYOUT_SLID};
    for (int k = 0; k < 2; k++) {
        const swept s = sweep_task(t, MACHINE_GLOBAL, layouts[k], 4, 5, true);
        for (size_t i = 0; i <= t->m; i++)
            for (size_t j = 0; j <= t->n; j++)
                CHECK_MSG(cell(&s, i, j) == wanted[i][j], "d[%zu][%zu] = %g", i, j, cell(&s, i, j));
        machine_destroy(s.machine);
    }
}

static void figure_3_strings(void)
{
    check_matrix(&strings, figure_3);
    CHECK(plain_match(&strings) == 1);
}

static void figure_4_signals(void)
{
    check_matrix(&signals, figure_4);
    CHECK(plain_match(&signals) == 4);
}

/* The printed cells that differ are more by one: those that follow from d[1][1], and two. */
static void figure_4_as_printed(void)
{
    int n_other = 0;
    for (size_t i = 1; i <= 5; i++)
        for (size_t j = 1; j <= 8; j++) {
            const double more = figure_4_printed[i][j] - figure_4[i][j];
            const bool follows = j == 1 || (j == 2 && i > 1);
            const bool unexplained = i == 5 && (j == 6 || j == 8);
            CHECK_MSG(more == (follows || unexplained ? 1 : 0), "d[%zu][%zu]", i, j);
            n_other += more > 0;
        }
    CHECK(n_other == 11);
    for (size_t i = 2; i <= 5; i++) {
        const double *above = figure_4_printed[i - 1], *row = figure_4_printed[i];
        CHECK(row[1] == above[1] + fabs(x_signal[i - 1] - y_signal[0]));
        CHECK(row[2] ==
              fmin(fmin(row[1], above[1]), above[2]) + fabs(x_signal[i - 1] - y_signal[1]));
    }
}

/* Figure 5: diagonal k has the cells d[i][k-i+1]; it is complete if those before it are. */
static void figure_5_diagonals(void)
{
    const swept s = sweep_task(&strings, MACHINE_SHARED, LAYOUT_MATRIX, 4, 5, false);
    const double *cells = machine_cells(s.machine, MACHINE_SHARED, 0);
    for (size_t i = 1; i <= 5; i++)
        for (size_t j = 1; j <= 8; j++) CHECK(isnan(cells[sweep_at(&s.sweep, 0, i, j)]));
    /* One bank for a column, and a bank for each of w neighbours on a diagonal. */
    for (size_t i = 1; i <= 5; i++) {
        CHECK(sweep_at(&s.sweep, 0, i, 0) % 4 == sweep_at(&s.sweep, 0, 0, 0) % 4);
        CHECK(sweep_at(&s.sweep, 0, i, 6 - i) % 4 == (sweep_at(&s.sweep, 0, 0, 6) + 16 - i) % 4);
    }
    machine_destroy(s.machine);
}

/*
 * The task of figure 5 by 5 threads on a DMM with w = 4, l = 5. All wait after each access.
 * d[0][0..8]: rounds of 5 and 4 threads, so (2 + 4) + (1 + 4) = 11. d[1..5][0]: one bank, so 4 + 1
 * stages, 5 + 4 = 9. Diagonals 1 to 12 have 1 2 3 4 5 5 5 5 4 3 2 1 threads. Of the two warps, W(0)
 * has threads 1 to 4. In diagonals 1 to 4 it is alone, and in 12 W(1) is. In 5 to 11 there are two.
 * So an access takes 4 + 7 * 2 + 1 = 19 stages and 12 * 4 units of latency. There are six, so 6 *
 * 67 = 402. The minimum of 9 words by one thread: 9 * 5 = 45. All: 467.
 */
static void figure_5_counted(void)
{
    const setup s = {.kind = ON_DMM, .width = 4, .latency = 5, .threads = 5, .task = strings};
    outcome o;
    CHECK(algorithm_named("diagonals")->run(&s, &o));
    CHECK(o.count.rounds == 11 + 9 + 402 + 45);
    CHECK(o.result == 1);
    CHECK(o.words == 6 * 12); /* rows of 9, rounded up to a multiple of w */
}

/* Figure 6: d[i][j] lies in s[i+j][j], so that a diagonal lies in one row. */
static void figure_6_slid_matrix(void)
{
    const swept s = sweep_task(&strings, MACHINE_GLOBAL, LAYOUT_SLID, 4, 5, true);
    for (size_t i = 0; i <= 5; i++)
        for (size_t j = 0; j <= 8; j++) CHECK(sweep_at(&s.sweep, 0, i, j) == 16 + (i + j) * 9 + j);
    for (size_t k = 1; k <= 12; k++)
        for (size_t i = 2; i <= 5 && i <= k; i++)
            CHECK(sweep_at(&s.sweep, 0, i - 1, k - i + 2) ==
                  sweep_at(&s.sweep, 0, i, k - i + 1) + 1);
    machine_destroy(s.machine);
}

/*
 * A slid matrix by hand: m = 2, n = 3, w = 2, l = 3; two threads are one warp. x lies at 0, y at 2,
 * and s[r][j] at 6 + 4r + j.
 *   s[j][j]: words 6, 11 and 16, 21, two groups each: 2 (2 + 2) = 8. s[i][0]: 10, 14: 2 + 2 = 4.
 *   Diagonals 1 to 4 have cells (1,1) / (1,2) (2,1) / (1,3) (2,2) / (2,3). Groups that they touch:
 *     x                0 / 0 0 / 0 0 / 0        y         1 / 1 1 / 2 1 / 2
 *     left s[k][j-1]   5 / 7 7 / 10 9 / 12      up        5 / 8 7 / 10 10 / 12
 *     s[k-1][j-1]      3 / 5 5 / 8 7 / 10       s[k+1][j] 7 / 10 9 / 12 12 / 14
 *   4 + 5 + 5 + 5 + 5 + 5 stages, and 24 accesses with 2 units of latency: 29 + 48 = 77.
 *   The minimum of 4 words: 4 * 3 = 12. All: 101.
 */
static void slid_matrix_counted(void)
{
    const double x[] = {0, 1}, y[] = {1, 0, 1};
    const setup s = {
        .kind = ON_UMM, .width = 2, .latency = 3, .threads = 2, .task = {false, 2, 3, x, y}};
    outcome o;
    CHECK(algorithm_named("slid")->run(&s, &o));
    CHECK(o.count.rounds == 101);
    CHECK(o.count.traffic[MACHINE_GLOBAL].stages == 4 + 2 + 29 + 4);
    CHECK(o.result == 0);
}

/*
 * Man and Song, figure 5: the minimum of three warps by shuffles; w = 4, l = 5, 12 threads.
 * Reading: 3 + 4 = 7. Each warp's first thread writes: 3 + 4 = 7. Three threads of one warp
 * read: 5. All: 19. A tree writes and reads as well from 12 to 6, 3, 2, 1 numbers. Threads 6 to 11
 * write, of W(1) and W(2), and 0 to 5 read: 2 (2 + 4). Threads 3 to 5 write, of W(0) and W(1), and
 * 0 to 2 read: 6 + 5. Then thread 2, and thread 1: 2 (5 + 5). All: 7 + 12 + 11 + 20 = 50. One
 * thread: 12 * 5 = 60.
 */
static void shuffle_of_three_warps(void)
{
    const double y[] = {9, 8, 7, 6, 5, 4, 3, 2, 5, 6, 7, 8}, x[] = {0};
    const setup s = {
        .kind = ON_DMM, .width = 4, .latency = 5, .threads = 12, .task = {false, 1, 12, x, y}};
    const struct {
        const char *name;
        size_t rounds;
    } wanted[] = {{"shuffle", 19}, {"tree", 50}, {"minimum", 60}};
    for (int i = 0; i < 3; i++) {
        outcome o;
        CHECK(algorithm_named(wanted[i].name)->run(&s, &o));
        CHECK_MSG(o.count.rounds == wanted[i].rounds, "%s: %zu", wanted[i].name, o.count.rounds);
        CHECK(o.result == 2);
    }
}

int main(void)
{
    RUN(figure_3_strings);
    RUN(figure_4_signals);
    RUN(figure_4_as_printed);
    RUN(figure_5_diagonals);
    RUN(figure_5_counted);
    RUN(figure_6_slid_matrix);
    RUN(slid_matrix_counted);
    RUN(shuffle_of_three_warps);
    return check_done();
}
