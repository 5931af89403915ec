/*
 * Kernels that carry starts: D and S of the last row and of kept columns, wherever D is within
 * eps, against SEMANTICS.md's recurrence a cell at a time. Random, with a printed seed.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"

enum { STEP = 8192, STEPS = 6, N = STEP * STEPS, MOST_LENGTH = 130, MOST_DIM = 3, PROBLEMS = 40 };
enum { TIES, NOISE, WAVE, BURSTS, SLOW, WAIT, KINDS };

typedef struct {
    float x[MOST_LENGTH * MOST_DIM], y[N * MOST_DIM];
    size_t m, dim, since; /* the step from which on starts are carried */
    float eps;
    int kind;
} problem;

/* D and S of all columns, the slow and obvious way. */
static float d[N + 1][MOST_LENGTH];
static int32_t s[N + 1][MOST_LENGTH];

static void evaluate(const problem *p)
{
    for (size_t i = 0; i < p->m; i++) d[0][i] = INFINITY;
    for (size_t t = 0; t < N; t++)
        for (size_t i = 0; i < p->m; i++) {
            float cost = 0, best = i ? d[t][i - 1] : 0, up = i ? d[t + 1][i - 1] : 0;
            int32_t start = i ? s[t][i - 1] : (int32_t)t;
            for (size_t k = 0; k < p->dim; k++) {
                float one = fabsf(p->x[i * p->dim + k] - p->y[t * p->dim + k]);
                cost = k ? cost + one : one;
            }
            if (d[t][i] < best) start = s[t][i], best = d[t][i];
            if (up < best) start = s[t + 1][i - 1], best = up;
            d[t + 1][i] = best + cost;
            s[t + 1][i] = start;
        }
}

static float value_of(int kind, size_t t, size_t m, uint64_t *random)
{
    switch (kind) {
    case TIES: return (float)check_below(random, 3);
    case WAVE: return sinf((float)t * 6.3f / (float)m) * 4 + (float)check_below(random, 5) / 9;
    case BURSTS: return check_below(random, 40) ? 0 : (float)(1 + check_below(random, 5));
    case SLOW: return (float)(t / (8 * m) % 4);
    case WAIT: return t == 0 || check_below(random, 3000) == 0 ? 9 : 0; /* for ever, at no cost */
    default: return (float)check_below(random, 1000) / 300;
    }
}

static void make_problem(problem *p, int kind, uint64_t *random)
{
    static const size_t lengths[] = {2, 3, 8, 12, 13, 31, 40, 64, 90, 100, 128, MOST_LENGTH};
    p->m = lengths[check_below(random, sizeof lengths / sizeof *lengths)];
    p->dim = check_below(random, 3) ? 1 : MOST_DIM;
    p->kind = kind;
    p->since = check_below(random, 4);
    p->eps = (float)p->m * (float)p->dim * (float)(1 + check_below(random, 8)) / 10;
    for (size_t i = 0; i < p->m * p->dim; i++)
        p->x[i] = value_of(p->kind, i / p->dim, p->m, random);
    for (size_t i = 0; i < N * p->dim; i++) p->y[i] = value_of(p->kind, i / p->dim, p->m, random);
    if (p->kind == WAIT) p->eps = 9.5f * (float)p->dim;
    size_t gaps = check_below(random, 4);
    for (size_t i = 0; i < gaps; i++) {
        size_t at = check_below(random, N);
        for (size_t k = 0; k < p->dim; k++) p->y[at * p->dim + k] = INFINITY;
    }
}

/* Is a cell what it should be, its start counted from `base`? */
static bool is_cell(const problem *p, size_t t, size_t i, float got_d, int32_t got_s, size_t base,
                    size_t since)
{
    float expected = d[t + 1][i];
    int32_t start = s[t + 1][i];
    if (!(expected <= p->eps)) return !(got_d <= p->eps);
    if ((size_t)start < since) return got_d == expected && got_s == KERNEL_TOO_OLD;
    return got_d == expected && got_s == start - (int32_t)base;
}

static size_t checked, within;

static void check_ends(const problem *p, const kernel_ends *ends, const char *name)
{
    for (size_t t = 0; t < ends->n; t++) {
        CHECK_MSG(
            is_cell(p, ends->begin + t, p->m - 1, ends->d[t], ends->s[t], ends->begin, ends->since),
            "%s, m %zu, dim %zu, kind %d, t %zu", name, p->m, p->dim, p->kind,
            (size_t)ends->begin + t);
        within += ends->d[t] <= p->eps;
    }
    checked += ends->n;
}

static void check_columns(const problem *p, const kernel_ops *ops, void *kernel,
                          const kernel_ends *ends)
{
    size_t spacing = ops->spacing(kernel, 0);
    for (uint64_t at = ends->begin; at <= ends->begin + ends->n; at += spacing) {
        float column[MOST_LENGTH];
        int32_t starts[MOST_LENGTH];
        if (!at) continue;
        CHECK(ops->column(kernel, 0, at, column) == SIGREP_OK);
        ops->column_starts(kernel, 0, at, starts);
        bool same = true;
        for (size_t i = 0; i < p->m; i++)
            same &= is_cell(p, at - 1, i, column[i], starts[i], at, ends->since);
        CHECK_MSG(same, "%s, m %zu, dim %zu, kind %d, column %zu", ops->name, p->m, p->dim, p->kind,
                  (size_t)at);
    }
}

static void check_minima(const problem *p, const float *minima, size_t from, size_t to)
{
    for (size_t at = from; at < to; at += KERNEL_BLOCK) {
        float least = INFINITY;
        for (size_t t = at; t < at + KERNEL_BLOCK && t < to; t++)
            least = fminf(least, d[t + 1][p->m - 1]);
        float given = minima[(at - from) / KERNEL_BLOCK];
        CHECK(least <= p->eps ? given == least : given > p->eps);
    }
}

static void *kernel_of(const problem *p, const kernel_ops *ops, size_t max_step)
{
    void *kernel;
    const kernel_template x = {.frames = p->x, .length = p->m, .eps = p->eps, .history = 2 * p->m};
    const kernel_plan plan = {
        .templates = &x, .n_templates = 1, .dim = p->dim, .max_step = max_step};
    CHECK(ops->create(&kernel, &plan) == SIGREP_OK);
    return kernel;
}

static void check_problem(const problem *p, const kernel_ops *ops)
{
    static float minima[STEP / KERNEL_BLOCK + 2];
    const kernel_output out = {.minima = minima, .minima_stride = STEP / KERNEL_BLOCK + 2};
    void *kernel = kernel_of(p, ops, STEP);
    bool carried = false;
    for (size_t i = 0; i < STEPS; i++) {
        if (i >= p->since) carried = ops->carry(kernel, 0, true);
        CHECK(ops->step(kernel, p->y + i * STEP * p->dim, STEP, &out) == SIGREP_OK);
        const kernel_ends ends = ops->ends(kernel, 0);
        CHECK(ends.n == 0 || (carried && ends.begin == i * STEP && ends.n <= STEP));
        CHECK(ends.n == 0 || ends.since >= p->since * STEP);
        check_ends(p, &ends, ops->name);
        if (ends.n) check_columns(p, ops, kernel, &ends);
        check_minima(p, minima, i * STEP, (i + 1) * STEP);
    }
    ops->destroy(kernel);
}

static uint64_t seed;

static void starts_are_those_of_the_recurrence(void)
{
    static problem p;
    const size_t problems = check_cases(PROBLEMS);
    for (size_t number = 0; number < problems; number++) {
        uint64_t random = seed + number;
        make_problem(&p, (int)(number % KINDS), &random);
        evaluate(&p);
        for (size_t k = 0; kernel_at(k); k++)
            if (kernel_at(k)->usable() && kernel_at(k)->carry) check_problem(&p, kernel_at(k));
    }
    printf("%zu ends, %zu within eps\n", checked, within);
    CHECK(checked > N * problems / 4 && within > checked / 20);
}

/* Columns are kept further apart than they are long, unless that is whole cache lines. Starts were
 * kept likewise, but read as if they were not, in memory for as much. */
static void starts_are_kept_where_they_are_looked_for(void)
{
    static problem p;
    uint64_t random = 1;
    p.m = 33;
    p.dim = 1;
    p.eps = 9;
    for (size_t i = 0; i < p.m; i++) p.x[i] = value_of(WAVE, i, p.m, &random);
    for (size_t t = 0; t < N; t++) p.y[t] = value_of(WAVE, t, p.m, &random);
    evaluate(&p);
    for (size_t k = 0; kernel_at(k); k++)
        if (kernel_at(k)->usable() && kernel_at(k)->carry) check_problem(&p, kernel_at(k));
}

/* A path that waits for ever, at no cost, leads through all segments: each needs a round. */
static void starts_rest_after_many_rounds_even_if_they_are_asked_for_on_and_on(void)
{
    static problem p = {.x = {9}, .y = {9}, .m = 8, .dim = 1, .eps = 9.5f};
    static float minima[STEP / KERNEL_BLOCK + 2];
    const kernel_output out = {.minima = minima, .minima_stride = STEP / KERNEL_BLOCK + 2};
    for (size_t k = 0; kernel_at(k); k++) {
        const kernel_ops *ops = kernel_at(k);
        if (!ops->usable() || !ops->carry) continue;
        void *kernel = kernel_of(&p, ops, STEP);
        CHECK_MSG(ops->carry(kernel, 0, true), "%s", ops->name);
        CHECK(ops->step(kernel, p.y, STEP, &out) == SIGREP_OK && ops->ends(kernel, 0).n > 0);
        CHECK_MSG(!ops->carry(kernel, 0, true), "%s", ops->name);
        CHECK(ops->step(kernel, p.y + STEP, STEP, &out) == SIGREP_OK);
        CHECK(ops->ends(kernel, 0).n == 0);
        size_t refused = 1;
        while (refused < N && !ops->carry(kernel, 0, true)) refused++;
        CHECK_MSG(refused < N, "%s", ops->name);
        ops->destroy(kernel);
    }
}

/* Every 16th, or so, of the stream's pieces is where the template is, the others far away; are
 * starts carried then? */
static bool carries_where_one_is_active_in(const kernel_ops *ops, size_t pieces)
{
    enum { PIECE = 256, LONG_STEP = N / 2 };
    static problem p = {.m = 64, .dim = 1, .eps = 6.4f};
    static float minima[LONG_STEP / KERNEL_BLOCK + 2];
    const kernel_output out = {.minima = minima, .minima_stride = LONG_STEP / KERNEL_BLOCK + 2};
    void *kernel = kernel_of(&p, ops, LONG_STEP);
    for (size_t t = 0; t < N; t++) p.y[t] = t / PIECE % pieces ? 100 : 0;
    for (size_t at = 0; at < N; at += LONG_STEP)
        CHECK(ops->step(kernel, p.y + at, LONG_STEP, &out) == SIGREP_OK);
    const bool carries = ops->carry(kernel, 0, true);
    ops->destroy(kernel);
    return carries;
}

/* They take more than a sparse sweep that leaves out most. */
static void starts_are_carried_where_a_sparse_sweep_takes_half_or_more(void)
{
    for (size_t k = 0; kernel_at(k); k++) {
        const kernel_ops *ops = kernel_at(k);
        if (!ops->usable() || !ops->carry) continue;
        CHECK_MSG(!carries_where_one_is_active_in(ops, 16), "%s", ops->name);
        CHECK_MSG(carries_where_one_is_active_in(ops, 2), "%s", ops->name);
        CHECK_MSG(carries_where_one_is_active_in(ops, 1), "%s", ops->name);
    }
}

int main(void)
{
    seed = check_seed("test_starts");
    RUN(starts_are_kept_where_they_are_looked_for);
    RUN(starts_are_those_of_the_recurrence);
    RUN(starts_are_carried_where_a_sparse_sweep_takes_half_or_more);
    RUN(starts_rest_after_many_rounds_even_if_they_are_asked_for_on_and_on);
    return check_done();
}
