/*
 * Long windows of which nearly every sample could be the beginning of a match, but few hold what
 * its last rows ask for: kernels that sweep these rows first have to come to what "scalar" has, in
 * minima, scores and columns, asked for in any order, and at once; after resets and seeks, and
 * whatever the numbers are. Random, with a printed seed.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"
#include "tests/kernels/beside_scalar.h"
#include "tests/kernels/tested.h"

/* A step is longer than the credit at the beginning is for, so that it is settled in pieces, and
 * some of them are begun again (sparse_tail_simd.h). */
enum { TEMPLATES = 3, LONGEST = 130, N = 160000, STEP = 80000, POOLS = 3 };

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

/* All values are multiplied by `scale`; eps is in proportion to it. */
static void make_problem(problem *p, int kind, float scale, uint64_t *random)
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
    for (size_t i = 0; i < m; i++) p->x[i] *= scale;
    for (size_t t = 0; t < N; t++) p->y[t] *= scale;
    for (size_t j = 0; j < TEMPLATES; j++)
        p->templates[j] =
            (kernel_template){.frames = p->x,
                              .length = m - j * (m - 32) / 2,
                              .eps = (0.002f + 0.02f * unit(random)) * (float)m * scale,
                              .history = 1 + check_below(random, 4 * m)};
}

typedef bool agreement(const kernel_ops *ops, const problem *p, uint64_t *random);

/* Every kernel that can be used. Frees what the problem holds. */
static void check_kernels(agreement *agrees, problem *p, uint64_t *random)
{
    for (size_t i = 0; kernel_at(i); i++)
        if (tested(kernel_at(i)))
            CHECK_MSG(agrees(kernel_at(i), p, random),
                      "%s: %s, %zu templates, the first of %zu, eps %g", kernel_at(i)->name,
                      kind_names[p->kind], p->plan.n_templates, p->templates[0].length,
                      (double)p->templates[0].eps);
    free(p->y);
}

static bool whole_stream_agrees(const kernel_ops *ops, const problem *p, uint64_t *random)
{
    return stream_agrees(ops, &p->plan, p->y, N, true, random);
}

static void what_begins_everywhere_but_ends_seldom_is_swept_exactly(void)
{
    for (int turn = 0; turn < (int)check_cases(16) * KINDS; turn++) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, turn % KINDS, 1, &random);
        check_kernels(whole_stream_agrees, &p, &random);
    }
}

/* The least that floats can tell apart, and sums that soon exceed them; and a threshold that
 * nothing but the template itself comes to, of whatever length. */
static void denormals_huge_values_and_no_threshold_are_swept_exactly(void)
{
    static const float scales[] = {0x1p-140f, 0x1p125f, 1};
    for (int turn = 0; turn < (int)check_cases(2) * KINDS; turn++)
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            uint64_t random = seed++;
            problem p;
            make_problem(&p, turn % KINDS, scales[s], &random);
            for (size_t j = 0; j < TEMPLATES && scales[s] == 1; j++) p.templates[j].eps = 0;
            check_kernels(whole_stream_agrees, &p, &random);
        }
}

/* ---- resets and seeks ---- */

static size_t widest_spacing(const worker *w, const kernel_plan *plan)
{
    size_t widest = 1;
    for (size_t j = 0; j < plan->n_templates; j++) {
        const size_t spacing = w->ops->spacing(w->kernel, j);
        if (spacing > widest) widest = spacing;
    }
    return widest;
}

/* Both go on at some position within the step [from, to) at which they can, from the columns of one
 * of them or from a cold start. Returns that position; `to` if there is none. */
static size_t seek_both(worker *a, worker *b, const kernel_plan *plan, size_t from, size_t to,
                        uint64_t *random)
{
    const size_t left = widest_spacing(a, plan), right = widest_spacing(b, plan);
    const size_t spacing = left > right ? left : right, n = to / spacing - from / spacing;
    const worker *of = check_below(random, 2) ? a : b;
    const bool cold = check_below(random, 3) == 0;
    float d[TEMPLATES * LONGEST];
    if (!n) return to;
    const size_t position = (from / spacing + 1 + check_below(random, n)) * spacing;
    CHECK(!kernel_columns(of->ops, of->kernel, plan->templates, plan->n_templates, position, d));
    CHECK(!a->ops->seek(a->kernel, position, cold ? NULL : d));
    CHECK(!b->ops->seek(b->kernel, position, cold ? NULL : d));
    a->since = b->since = position + cold;
    return position;
}

/* With a reset or a seek behind every step but some; some are short, and of some no column is asked
 * for. */
static bool torn_stream_agrees(const kernel_ops *ops, const problem *p, uint64_t *random)
{
    worker a = worker_begin(kernel_choose("cpu", "scalar", NULL), &p->plan);
    worker b = worker_begin(ops, &p->plan);
    const float *y = p->y, *end = p->y + N; /* y: the frame at position 0 */
    bool good = true;
    for (size_t at = 0, to; y + at < end && good; at = to) {
        const size_t left = (size_t)(end - y) - at;
        const size_t least = check_below(random, 3) ? STEP / 2 : 1;
        const size_t step = least + check_below(random, STEP / 2);
        to = at + (left < step ? left : step);
        good = check_below(random, 2) ? outputs_agree(&a, &b, &p->plan, y, at, to)
                                      : step_agrees(&a, &b, &p->plan, y, at, to,
                                                    check_below(random, 2) ? random : NULL);
        const size_t what = check_below(random, 3);
        if (what == 0) {
            a.ops->reset(a.kernel);
            b.ops->reset(b.kernel);
            a.since = b.since = 0;
            y += to;
            to = 0;
        } else if (what == 1) {
            to = seek_both(&a, &b, &p->plan, at, to, random);
        }
    }
    worker_end(&a);
    worker_end(&b);
    return good;
}

static void resets_and_seeks_between_steps_leave_nothing_behind(void)
{
    for (int turn = 0; turn < (int)check_cases(4) * KINDS; turn++) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, turn % KINDS, 1, &random);
        check_kernels(torn_stream_agrees, &p, &random);
    }
}

/* ---- several threads ---- */

typedef struct {
    const worker *a, *b;
    const kernel_plan *plan;
    size_t from, to;
    uint64_t seed;
    bool agree[TEMPLATES];
} asked;

static void ask_for_columns(void *user, size_t task, size_t thread)
{
    asked *q = user;
    uint64_t random = q->seed + task;
    (void)thread;
    q->agree[task] = columns_agree(q->a, q->b, q->plan, task, q->from, q->to, &random);
}

/* A thread for each template asks for its columns. */
static bool stream_asked_at_once_agrees(const kernel_ops *ops, const problem *p, uint64_t *random)
{
    worker a = worker_begin(kernel_choose("cpu", "scalar", NULL), &p->plan);
    worker b = worker_begin(ops, &p->plan);
    bool good = true;
    for (size_t at = 0; at < N && good; at += STEP) {
        asked q = {&a, &b, &p->plan, at, at + STEP, check_random(random), {false}};
        good = outputs_agree(&a, &b, &p->plan, p->y, at, at + STEP);
        pool_run(pools[POOLS - 1], p->plan.n_templates, ask_for_columns, &q);
        for (size_t j = 0; j < p->plan.n_templates; j++) good &= q.agree[j];
    }
    worker_end(&a);
    worker_end(&b);
    return good;
}

static void columns_may_be_asked_for_by_several_threads_at_once(void)
{
    for (int turn = 0; turn < (int)check_cases(4) * KINDS; turn++) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, turn % KINDS, 1, &random);
        p.plan.n_templates = TEMPLATES;
        check_kernels(stream_asked_at_once_agrees, &p, &random);
    }
}

int main(void)
{
    seed = check_seed("test_tails");
    for (size_t i = 0; i < POOLS; i++) CHECK(pool_create(&pools[i], i + 1) == SIGREP_OK);
    RUN(what_begins_everywhere_but_ends_seldom_is_swept_exactly);
    RUN(denormals_huge_values_and_no_threshold_are_swept_exactly);
    RUN(resets_and_seeks_between_steps_leave_nothing_behind);
    RUN(columns_may_be_asked_for_by_several_threads_at_once);
    for (size_t i = 0; i < POOLS; i++) pool_destroy(pools[i]);
    return check_done();
}
