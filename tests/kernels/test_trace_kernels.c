/*
 * Every usable trace kernel against "scalar", bit for bit: D and S of the last row and of whole
 * columns if D is within the bound, and the watched cells. D above the bound need only stay above.
 * Random, with a printed seed.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/trace_kernel.h"
#include "tests/check.h"

/* Rows: around the widths of vectors and tiles, and more. */
static const size_t lengths[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,  24,
                                 31, 32, 33, 63, 64, 65, 90, 96, 97, 128, 300, 1000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Columns: batches shorter than a tile is high, as long, and longer. */
static const size_t batches[] = {1, 2, 5, 15, 16, 31, 32, 33, 64, 100, 128, 500, TRACE_BATCH};
enum { BATCHES = sizeof batches / sizeof *batches };

enum { TIES, CONSTANT, WALK, BURSTS, NOISE, DENORMALS, HUGE_VALUES, KINDS };

static uint64_t seed;

/* Is a case of the grid run? Of long templates, whose reference is slow, only an eighth is. */
static bool is_due(size_t m, uint64_t number)
{
    uint64_t random = seed + number;
    return (m <= 128 || check_below(&random, 8) == 0) && check_is_due(random);
}

static float value_of(int kind, uint64_t *random, float *walk)
{
    float unit = (float)(check_random(random) >> 40) * 0x1p-24f;
    switch (kind) {
    case TIES: return (float)check_below(random, 3);
    case CONSTANT: return -2.5f;
    case WALK: return *walk += unit - 0.5f;
    case BURSTS: return check_below(random, 40) ? 0 : (float)(1 + check_below(random, 5));
    case DENORMALS: return ldexpf((float)check_below(random, 50) - 25, -149);
    case HUGE_VALUES: return (unit - 0.5f) * 2 * FLT_MAX;
    default: return unit * 37;
    }
}

static float *make_signal(int kind, size_t n, uint64_t *random)
{
    float *v = malloc(n * sizeof *v), walk = 0;
    if (!v) abort();
    for (size_t i = 0; i < n; i++) v[i] = value_of(kind, random, &walk);
    return v;
}

static const trace_kernel *reference(void)
{
    const trace_kernel *last = NULL;
    for (size_t i = 0; trace_kernel_at(i); i++) last = trace_kernel_at(i);
    return last;
}

/* Go on from another column, the same for both: any D, unknown or possible starts. */
static void restart(trace_cells *a, trace_cells *b, uint64_t *random)
{
    int how = (int)check_below(random, 4);
    for (size_t i = 0; i < a->length; i++) {
        float d = how == 0 ? INFINITY : how == 1 ? 0 : (float)check_below(random, 50);
        int32_t s = how < 2 ? TRACE_START_TOO_OLD : -1 - (int32_t)check_below(random, 300);
        if (how == 3) s = INT32_MIN + (int32_t)check_below(random, 1500);
        a->d[a->pad + i] = b->d[b->pad + i] = d;
        a->s[a->pad + i] = b->s[b->pad + i] = s;
    }
}

static bool cell_is(float d, int32_t s, float given_d, int32_t given_s, float bound)
{
    if (d > bound || isinf(d)) return given_d > bound || isinf(given_d);
    return d == given_d && s == given_s;
}

static bool same_cells(const trace_cells *a, const trace_cells *b, size_t n, float bound)
{
    bool same = true;
    for (size_t t = 0; t < n; t++)
        same &= cell_is(a->end_d[t], a->end_s[t], b->end_d[t], b->end_s[t], bound);
    for (size_t i = 0; i < a->length; i++)
        same &=
            cell_is(a->d[a->pad + i], a->s[a->pad + i], b->d[b->pad + i], b->s[b->pad + i], bound);
    return same;
}

/* Matches that ended before the batch or in it. */
static trace_watch make_watch(size_t n, float bound, uint64_t *random)
{
    int32_t last = (int32_t)check_below(random, n + 20) - 20;
    return (trace_watch){.d = check_below(random, 2) ? bound : bound / 2,
                         .last = last,
                         .length_max = 1 + (int32_t)check_below(random, 2 * n)};
}

/* Before `last`, kernels may report any column. */
static bool same_watch(const trace_watch *a, const trace_watch *b)
{
    return a->latest == b->latest || (a->latest < a->last && b->latest < a->last);
}

static size_t cases, pruned, exact, live;

static void count(const trace_cells *a, float bound, const trace_watch *w)
{
    for (size_t i = 0; i < a->length; i++) *(a->d[a->pad + i] <= bound ? &exact : &pruned) += 1;
    live += w->latest > w->last;
}

static void check_run(const trace_kernel *ops, size_t m, size_t dim, int kind, uint64_t random)
{
    static const float bounds[] = {0, 1e-40f, 1, 20, 100, FLT_MAX, INFINITY};
    uint64_t id = random - seed;
    trace_cells a, b;
    float *x = make_signal(check_below(&random, 4) ? kind : NOISE, m * dim, &random);
    CHECK(trace_cells_create(&a, reference(), x, m, dim) == SIGREP_OK);
    CHECK(trace_cells_create(&b, ops, x, m, dim) == SIGREP_OK);
    float bound = bounds[check_below(&random, 7)];
    restart(&a, &b, &random);
    for (size_t total = 0; total < 3 * m + 100;) {
        size_t n = batches[check_below(&random, BATCHES)];
        float *y = make_signal(kind, n * dim, &random);
        if (check_below(&random, 3) == 0) memcpy(y, x, (n < m ? n : m) * dim * sizeof *y);
        trace_watch wa = make_watch(n, bound, &random), wb = wa;
        bool watched = check_below(&random, 2);
        reference()->run(&a, y, n, bound, &wa);
        ops->run(&b, y, n, bound, watched ? &wb : NULL);
        CHECK_MSG(same_cells(&a, &b, n, bound),
                  "%s, m %zu, dim %zu, kind %d, bound %g, n %zu, %llu", ops->name, m, dim, kind,
                  (double)bound, n, (unsigned long long)id);
        if (watched) CHECK_MSG(same_watch(&wa, &wb), "%s, m %zu, n %zu", ops->name, m, n);
        count(&a, bound, &wa);
        if (check_below(&random, 8) == 0) restart(&a, &b, &random);
        free(y);
        total += n;
    }
    trace_cells_free(&a);
    trace_cells_free(&b);
    free(x);
}

static void all_are_as_the_scalar_one(void)
{
    static const size_t dims[] = {1, 1, 1, 2, 13};
    for (size_t k = 0; trace_kernel_at(k); k++) {
        const trace_kernel *ops = trace_kernel_at(k);
        if (!ops->usable()) {
            printf("SKIP %s: not usable on this machine\n", ops->name);
            continue;
        }
        for (size_t i = 0; i < LENGTHS; i++)
            for (int kind = 0; kind < KINDS; kind++)
                for (size_t j = 0; j < sizeof dims / sizeof *dims; j++) {
                    const uint64_t number = 100 * i + 10 * j + (size_t)kind;
                    if (!is_due(lengths[i], number)) continue;
                    check_run(ops, lengths[i], dims[j], kind, seed + number);
                    cases++;
                }
    }
    printf("%zu cases: %zu cells above the bound, %zu within, %zu live\n", cases, pruned, exact,
           live);
    CHECK(pruned > cases && exact > cases && live > cases / 2);
}

static void the_last_is_the_reference_and_the_best_is_usable(void)
{
    size_t n = 0;
    while (trace_kernel_at(n)) n++;
    CHECK(n >= 2 && strcmp(trace_kernel_at(n - 1)->name, "scalar") == 0);
    CHECK(trace_kernel_best()->usable());
    for (size_t i = 0; trace_kernel_at(i) != trace_kernel_best(); i++)
        CHECK(!trace_kernel_at(i)->usable());
}

static void starts_that_fall_out_of_32_bits_are_too_old(void)
{
    CHECK(trace_start_moved(-1, 5) == -6);
    CHECK(trace_start_moved(4, 5) == -1);
    CHECK(trace_start_moved(TRACE_START_TOO_OLD, 5) == TRACE_START_TOO_OLD);
    CHECK(trace_start_moved(INT32_MIN + 5, 5) == INT32_MIN);
    CHECK(trace_start_moved(INT32_MIN + 4, 5) == TRACE_START_TOO_OLD);
    CHECK(trace_start_moved(INT32_MIN + 6, 5) == INT32_MIN + 1);
}

int main(void)
{
    seed = check_seed("test_trace_kernels");
    RUN(the_last_is_the_reference_and_the_best_is_usable);
    RUN(starts_that_fall_out_of_32_bits_are_too_old);
    RUN(all_are_as_the_scalar_one);
    return check_done();
}
