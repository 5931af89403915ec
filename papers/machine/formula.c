#include "papers/machine/formula.h"

#include <math.h>

static double divide(size_t n, size_t by)
{
    return (double)setup_divide(n, by);
}

/* n accesses by p threads: rounds of p, in which each warp takes that many stages. */
static double rounds(const setup *s, size_t n, size_t p, size_t stages, size_t latency)
{
    const size_t warps = n / p * setup_divide(p, s->width) + setup_divide(n % p, s->width);
    return (double)(warps * stages) + divide(n, p) * (double)(latency - 1);
}

static double once(const setup *s, size_t n, size_t stages)
{
    return rounds(s, n, s->threads, stages, s->latency);
}

/* The same if all n accesses go to one bank, or to a group each. */
static double one_by_one(const setup *s, size_t n)
{
    return (double)n + divide(n, s->threads) * (double)(s->latency - 1);
}

/* Stages of a warp whose addresses are that many runs of neighbours: a run has distinct banks, and
 * lies in two groups if it does not begin with one. */
static size_t of_runs(const setup *s, size_t runs)
{
    const size_t stages = s->kind == ON_UMM ? 2 * runs : runs;
    return stages < s->width ? stages : s->width;
}

/* Stages if warps begin with a group. */
static size_t aligned(const setup *s, size_t n)
{
    return n <= s->threads || s->threads % s->width == 0 ? 1 : of_runs(s, 1);
}

double formula_contiguous_bound(const setup *s)
{
    return once(s, s->task.n, aligned(s, s->task.n));
}

double formula_banks_bound(const setup *s)
{
    if (s->kind == ON_UMM || s->threads % s->width) return NAN;
    return once(s, s->task.n, 1);
}

double formula_contiguous_order(const setup *s)
{
    const double n = (double)s->task.n, l = (double)s->latency;
    return n / (double)s->width + n * l / (double)s->threads;
}

double formula_one_bound(const setup *s)
{
    return (double)(s->task.n * s->latency);
}

double formula_one_order(const setup *s)
{
    return formula_one_bound(s);
}

/* Of n numbers, without reading them. */
static double tree(const setup *s, size_t n, size_t p, size_t latency)
{
    double sum = 0;
    while (n > 1) {
        const size_t half = (n + 1) / 2, rest = n - half;
        const double gives = divide(n, p) * (double)latency + divide(rest, s->width) + 1;
        sum += gives + rounds(s, rest, p, of_runs(s, 1), latency);
        n = half;
    }
    return sum;
}

static size_t threads_of_minimum(const setup *s)
{
    return s->threads < s->task.n ? s->threads : s->task.n;
}

double formula_tree_bound(const setup *s)
{
    const size_t p = threads_of_minimum(s);
    return once(s, s->task.n, aligned(s, s->task.n)) + tree(s, p, p, s->latency);
}

double formula_tree_order(const setup *s)
{
    return formula_contiguous_order(s) + (double)s->latency * log2((double)threads_of_minimum(s));
}

double formula_shuffle_bound(const setup *s)
{
    double sum = once(s, s->task.n, aligned(s, s->task.n));
    for (size_t n = threads_of_minimum(s); n > s->width; n = setup_divide(n, s->width)) {
        const size_t warps = setup_divide(n, s->width);
        sum += (double)(warps + s->latency - 1) + rounds(s, warps, warps, 1, s->latency);
    }
    return sum;
}

/* A warp of one thread shuffles nothing, so there is no end for w = 1. */
double formula_shuffle_order(const setup *s)
{
    const double levels = log((double)threads_of_minimum(s)) / log((double)s->width);
    return formula_contiguous_order(s) + (double)s->latency * levels;
}

double formula_sequential_bound(const setup *s)
{
    const size_t m = s->task.m, n = s->task.n;
    return (double)((6 * m * n + 2 * (n + 1) + m) * s->latency);
}

double formula_sequential_order(const setup *s)
{
    return (double)s->task.m * (double)s->task.n * (double)s->latency;
}

/* Six accesses of m cells: x, y, and four of d, which take more stages. */
static double diagonals(const setup *s, size_t number, size_t of_d)
{
    const size_t m = s->task.m;
    const double one = once(s, m, aligned(s, m)) + once(s, m, of_runs(s, 1)) + 4 * once(s, m, of_d);
    return (double)number * one;
}

double formula_diagonals_bound(const setup *s)
{
    const size_t m = s->task.m, n = s->task.n;
    if (s->kind == ON_UMM) return NAN;
    return once(s, n + 1, 1) + one_by_one(s, m) + diagonals(s, n + m - 1, 1) +
           (double)((n + 1) * s->latency);
}

double formula_slid_bound(const setup *s)
{
    const size_t m = s->task.m, n = s->task.n;
    return one_by_one(s, n + 1) + one_by_one(s, m) + diagonals(s, n + m - 1, of_runs(s, 1)) +
           (double)((n + 1) * s->latency);
}

double formula_ring_bound(const setup *s)
{
    const size_t m = s->task.m;
    const size_t runs = m % s->width ? 2 : 1; /* j mod m begins anew within a warp */
    return diagonals(s, s->task.n + m - 1, of_runs(s, runs));
}

double formula_segments_bound(const setup *s)
{
    const size_t m = s->task.m, segments = setup_segments(s), cells = m * segments;
    const size_t columns = s->task.n < 3 * m ? s->task.n : 3 * m;
    const bool fits = m % s->width == 0 && (cells <= s->threads || s->threads % s->width == 0);
    /* A warp has the end of a segment, whole ones, and the beginning of one; ends wrap around. */
    const size_t stages = of_runs(s, fits ? 1 : 5);
    const double sweep = (double)(columns + m - 1) * 6 * once(s, cells, stages);
    if (s->task.signals) return sweep + tree(s, segments, s->threads, s->latency);
    const size_t marks = setup_divide(m + 1, s->width);
    return sweep + once(s, m + 1, aligned(s, m + 1)) +
           once(s, segments, marks < s->width ? marks : s->width) + (double)((m + 1) * s->latency);
}

double formula_matching_order(const setup *s)
{
    const double cells = (double)s->task.m * (double)s->task.n;
    return cells / (double)s->width + cells * (double)s->latency / (double)s->threads;
}

/* Steps 1 to 3 of blocks that work at the same time. x and Y_b: two groups a warp, since Y_b begins
 * anywhere. */
static double wave(const setup *s, size_t blocks)
{
    const size_t m = s->task.m, l = s->latency, L = s->global_latency, length = setup_substring(s);
    const size_t p = s->threads / s->blocks, of_dmm = setup_divide(blocks, s->dmms);
    const size_t groups = (s->width > 1 ? 2 : 1) * blocks;
    if (!blocks) return 0;
    double one = rounds(s, m, p, groups, L) + rounds(s, m, p, of_dmm, l);
    one += rounds(s, length, p, groups, L) + rounds(s, length, p, of_dmm, l);
    one += (double)(length + m - 1) * 6 * rounds(s, m, p, of_dmm, l);
    return one + (double)(blocks + L - 1);
}

double formula_blocks_bound(const setup *s)
{
    const size_t at_once = s->dmms * s->resident, p = s->threads / s->blocks;
    const size_t whole_waves = s->blocks / at_once;
    const double waves = (double)whole_waves * wave(s, at_once);
    const size_t used = s->blocks < p ? s->blocks : p;
    const size_t groups = p % s->width && s->blocks > p && s->width > 1 ? 2 : 1;
    const double step4 = rounds(s, s->blocks, p, groups, s->global_latency);
    return waves + wave(s, s->blocks % at_once) + step4 + tree(s, used, p, s->latency);
}

double formula_blocks_order(const setup *s)
{
    const double m = (double)s->task.m, n = (double)s->task.n, p = (double)s->threads;
    const double w = (double)s->width, d = (double)s->dmms;
    const double l = (double)s->latency, L = (double)s->global_latency;
    return (n + p) / w + m * (n + p) / (d * w) + n * L / p + m * n * l / p + L + m * l;
}
