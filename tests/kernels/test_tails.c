/*
 * Long windows of which nearly every sample could be the beginning of a match, but few hold what
 * its last rows ask for: kernels that sweep these rows first have to come to what "scalar" has, in
 * minima, scores and columns, asked for in any order. Random, with a printed seed.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"
#include "tests/kernels/beside_scalar.h"
#include "tests/kernels/tested.h"

enum { TEMPLATES = 2, LONGEST = 130, N = 120000, STEP = 40000, POOLS = 2 };

/* Between beats: NOISE, values of which many are equal. HELD: one value, which costs nothing to
 * stay at. RAMP: a slow one, from the template's first value to its last. TURNS: noise, and for a
 * third of the time nothing but beats. */
enum { NOISE, HELD, RAMP, TURNS, KINDS };
static const char *const kind_names[] = {"noise", "held", "ramp", "turns"};

static uint64_t seed;
static pool *pools[POOLS];

typedef struct {
    kernel_plan plan;
    kernel_template templates[TEMPLATES];
    float x[LONGEST];
    float *y;
    int kind;
} problem;

static float unit(uint64_t *random)
{
    return (float)(check_random(random) >> 40) * 0x1p-24f;
}

/* A third of m rows that are nearly flat, and a beat with an end that is flat, but elsewhere. */
static void fill_template(problem *p, size_t m, uint64_t *random)
{
    for (size_t i = 0; i < m; i++) {
        const float height = i < m / 3 ? 0 : i < 3 * m / 4 ? sinf((float)i) : 0.5f;
        p->x[i] = height + 0.005f * (float)check_below(random, 4);
    }
}

/* A beat: the template, or what is only like it, or 8 times as long. */
static size_t put_beat(problem *p, size_t m, size_t t, uint64_t *random)
{
    const float scale = check_below(random, 4) ? 0.6f + unit(random) : 1;
    const size_t each = check_below(random, 6) ? 1 : 8;
    for (size_t i = 0; i < each * m && t < N; i++) p->y[t++] = scale * p->x[i / each];
    return t;
}

static void fill_stream(problem *p, size_t m, uint64_t *random)
{
    for (size_t t = 0; t < N;) {
        const bool crowded = p->kind == TURNS && t / (N / 6) % 3 == 2;
        size_t rest = crowded ? 0 : m + check_below(random, 20 * m);
        for (; rest && t < N; rest--, t++) {
            const float noise = 0.005f * (float)check_below(random, 4);
            const float ramp = (float)(t % (30 * m)) / (float)(60 * m);
            p->y[t] = p->kind == HELD ? p->x[0] : p->kind == RAMP ? ramp : noise;
        }
        t = put_beat(p, m, t, random);
    }
    for (size_t g = check_below(random, 3); g > 0; g--) p->y[check_below(random, N)] = INFINITY;
}

static void make_problem(problem *p, int kind, uint64_t *random)
{
    static const size_t lengths[] = {32, 50, 90, LONGEST};
    const size_t m = lengths[check_below(random, 4)];
    *p = (problem){.plan = {.templates = p->templates,
                            .n_templates = 1 + check_below(random, TEMPLATES),
                            .dim = 1,
                            .max_step = STEP,
                            .workers = pools[check_below(random, POOLS)],
                            .scores = true},
                   .kind = kind};
    p->y = malloc(N * sizeof *p->y);
    if (!p->y) abort();
    fill_template(p, m, random);
    fill_stream(p, m, random);
    for (size_t j = 0; j < p->plan.n_templates; j++)
        p->templates[j] = (kernel_template){.frames = p->x,
                                            .length = m - j * (m - 32) / 2,
                                            .eps = (0.002f + 0.02f * unit(random)) * (float)m,
                                            .history = 1 + check_below(random, 4 * m)};
}

static void what_begins_everywhere_but_ends_seldom_is_swept_exactly(void)
{
    for (int turn = 0; turn < (int)check_cases(16) * KINDS; turn++) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, turn % KINDS, &random);
        for (size_t i = 0; kernel_at(i); i++)
            if (tested(kernel_at(i)))
                CHECK_MSG(stream_agrees(kernel_at(i), &p.plan, p.y, N, true, &random),
                          "%s: %s, %zu templates, the first of %zu, eps %g", kernel_at(i)->name,
                          kind_names[p.kind], p.plan.n_templates, p.templates[0].length,
                          (double)p.templates[0].eps);
        free(p.y);
    }
}

int main(void)
{
    seed = check_seed("test_tails");
    for (size_t i = 0; i < POOLS; i++) CHECK(pool_create(&pools[i], i + 1) == SIGREP_OK);
    RUN(what_begins_everywhere_but_ends_seldom_is_swept_exactly);
    for (size_t i = 0; i < POOLS; i++) pool_destroy(pools[i]);
    return check_done();
}
