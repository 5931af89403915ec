/*
 * Long chunks, which kernels cut into segments: every usable kernel against "scalar" on signals
 * whose seams agree at once, late or never, for several templates, threads and thresholds. Random,
 * with a printed seed.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "tests/check.h"
#include "tests/kernels/beside_scalar.h"
#include "tests/kernels/tested.h"

enum { TEMPLATES = 3, LONGEST = 300, MOST = 50000, POOLS = 3 };

/* CYCLE: the template over and over. STRETCHED: the same, 32 times as slow. LEVELS: a value of the
 * template for 700 frames, then another. TURNS: 12000 frames far from the template, so that hardly
 * any cell is active, then 6000 of the template over and over, so that all are. */
enum { NOISE, WALK, CONSTANT, RAMP, CYCLE, STRETCHED, LEVELS, TURNS, KINDS };
static const char *const kind_names[] = {"noise", "walk",      "constant", "ramp",
                                         "cycle", "stretched", "levels",   "turns"};

static uint64_t seed;
static pool *pools[POOLS];

typedef struct {
    kernel_plan plan;
    kernel_template templates[TEMPLATES];
    float *x, *y;
    size_t n;
    int kind;
} problem;

static float unit(uint64_t *random)
{
    return (float)(check_random(random) >> 40) * 0x1p-24f;
}

/* The template is a ramp for RAMP, else noise. */
static void fill_template(problem *p, size_t m, uint64_t *random)
{
    for (size_t i = 0; i < m * p->plan.dim; i++)
        p->x[i] = p->kind == RAMP ? (float)i / (float)(m * p->plan.dim) : unit(random);
}

static void fill_stream(problem *p, size_t m, uint64_t *random)
{
    const size_t dim = p->plan.dim;
    float walk = 0;
    size_t held = 0;
    for (size_t t = 0; t < p->n; t++) {
        if (p->kind == LEVELS && t % 700 == 0) held = check_below(random, m);
        for (size_t k = 0; k < dim; k++) {
            float *y = &p->y[t * dim + k];
            switch (p->kind) {
            case NOISE: *y = unit(random); break;
            case WALK: *y = walk += unit(random) - 0.5f; break;
            case CONSTANT: *y = p->x[m / 2 * dim + k]; break;
            case RAMP: *y = (float)(t % (32 * m)) / (float)(32 * m); break;
            case CYCLE: *y = p->x[t % m * dim + k]; break;
            case TURNS: *y = p->x[t % m * dim + k] + (t % 18000 < 12000 ? 9 : 0); break;
            case STRETCHED: *y = p->x[t / 32 % m * dim + k]; break;
            default: *y = p->x[held * dim + k];
            }
        }
    }
}

/* Each template is the beginning of the first one. eps is finite or infinite. */
static void make_problem(problem *p, int kind, uint64_t *random)
{
    static const size_t lengths[] = {1, 2, 5, 16, 20, 33, 64, 90, 130, LONGEST};
    static const size_t dims[] = {1, 1, 1, 2, 3, 13};
    const size_t m = lengths[check_below(random, 10)], dim = dims[check_below(random, 6)];
    *p = (problem){.plan = {.templates = p->templates,
                            .n_templates = 1 + check_below(random, TEMPLATES),
                            .dim = dim,
                            .workers = pools[check_below(random, POOLS)],
                            .scores = true},
                   .kind = kind};
    p->n = 2000 + check_below(random, dim > 1 ? 8000 : MOST - 2000);
    p->plan.max_chunk = check_below(random, 3) ? 1 + p->n / (1 + check_below(random, 6)) : p->n;
    p->x = malloc(m * dim * sizeof *p->x);
    p->y = malloc(p->n * dim * sizeof *p->y);
    if (!p->x || !p->y) abort();
    fill_template(p, m, random);
    fill_stream(p, m, random);
    for (size_t g = check_below(random, 3); g > 0; g--) { /* gaps */
        const size_t at = check_below(random, p->n);
        for (size_t k = 0; k < dim; k++) p->y[at * dim + k] = INFINITY;
    }
    for (size_t j = 0; j < p->plan.n_templates; j++) {
        const size_t own = j ? 1 + check_below(random, m) : m;
        const float eps = 0.02f * (float)own * (float)dim * (float)check_below(random, 8);
        p->templates[j] = (kernel_template){.frames = p->x,
                                            .length = own,
                                            .eps = check_below(random, 2) ? eps : INFINITY,
                                            .history = 1 + check_below(random, 4 * own)};
    }
}

static void free_problem(problem *p)
{
    free(p->x);
    free(p->y);
}

static void every_kernel_is_exact_across_its_seams(void)
{
    for (int turn = 0; turn < (int)check_cases(40) * KINDS; turn++) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, turn % KINDS, &random);
        for (size_t i = 0; kernel_at(i); i++)
            if (tested(kernel_at(i)))
                CHECK_MSG(stream_agrees(kernel_at(i), &p.plan, p.y, p.n, false, &random),
                          "%s: %s, dim %zu, %zu templates, the first of %zu, %zu frames",
                          kernel_at(i)->name, kind_names[p.kind], p.plan.dim, p.plan.n_templates,
                          p.templates[0].length, p.n);
        free_problem(&p);
    }
}

/* Regression: checkpoints_cleared_over_others. Checkpoints lie further apart than they are long,
 * unless they are whole cache lines. A sparse sweep must clear its own checkpoints, not others. */
static void sparse_sweeps_clear_their_own_checkpoints(void)
{
    enum { M = 150, N = 65536, CHUNK = 16384, FIRST = 10000 };
    uint64_t random = 1;
    problem p = {.plan = {.templates = p.templates,
                          .n_templates = 1,
                          .dim = 1,
                          .max_chunk = CHUNK,
                          .scores = true},
                 .n = N};
    p.x = malloc(M * sizeof *p.x);
    p.y = malloc(N * sizeof *p.y);
    if (!p.x || !p.y) abort();
    for (size_t i = 0; i < M; i++) p.x[i] = (float)(i * i % 13);
    for (size_t t = 0; t < N; t++) p.y[t] = 99;
    memcpy(p.y + FIRST, p.x, M * sizeof *p.x);
    p.templates[0] = (kernel_template){.frames = p.x, .length = M, .eps = M / 2, .history = 2 * M};
    for (size_t i = 0; kernel_at(i); i++)
        if (tested(kernel_at(i)))
            CHECK_MSG(stream_agrees(kernel_at(i), &p.plan, p.y, p.n, false, &random), "%s",
                      kernel_at(i)->name);
    free_problem(&p);
}

int main(void)
{
    seed = check_seed("test_seams");
    for (size_t i = 0; i < POOLS; i++) CHECK(pool_create(&pools[i], i + 1) == SIGREP_OK);
    RUN(sparse_sweeps_clear_their_own_checkpoints);
    RUN(every_kernel_is_exact_across_its_seams);
    for (size_t i = 0; i < POOLS; i++) pool_destroy(pools[i]);
    return check_done();
}
