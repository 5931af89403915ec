/*
 * Every usable kernel against "scalar", bit for bit, on long streams, which kernels cut into
 * segments. In some of them the states at seams do not agree without repair.
 */
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"
#include "tests/kernels/tested.h"

/* SILENCE: one value of the template for a long time. There a path may wait at no cost, so D never
 * forgets the columns before. */
enum { NOISE, TIES, WALK, CONSTANT, RAMP, STRETCHED, SILENCE, KINDS };

static uint64_t seed;

typedef struct {
    kernel_plan plan;
    kernel_template template;
    float *x, *y;
    size_t n;
    int kind;
} problem;

static float *floats(size_t n)
{
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    return v;
}

static void fill(float *v, size_t n, size_t dim, int kind, uint64_t *random)
{
    float at = 0;
    for (size_t i = 0; i < n * dim; i++) {
        float unit = (float)(check_random(random) >> 40) * 0x1p-24f;
        switch (kind) {
        case TIES: v[i] = (float)check_below(random, 3); break;
        case WALK: v[i] = at += unit - 0.5f; break;
        case CONSTANT: v[i] = 0.75f; break;
        case RAMP: v[i] = (float)(i / dim) * 0x1p-10f; break;
        default: v[i] = unit;
        }
    }
}

static void make_problem(problem *p, size_t m, size_t dim, size_t n, size_t chunk, int kind,
                         uint64_t *random)
{
    *p = (problem){.x = floats(m * dim), .y = floats(n * dim), .n = n, .kind = kind};
    fill(p->x, m, dim, kind, random);
    fill(p->y, n, dim, kind, random);
    for (size_t t = 0; t < n && kind == STRETCHED; t++)
        memcpy(p->y + t * dim, p->x + t / 32 % m * dim, dim * sizeof(float));
    for (size_t t = n / 8; t < n / 2 && kind == SILENCE; t++)
        memcpy(p->y + t * dim, p->x + m / 2 * dim, dim * sizeof(float));
    if (kind == NOISE) /* a gap */
        for (size_t k = 0; k < dim; k++) p->y[n / 3 * dim + k] = INFINITY;
    p->template = (kernel_template){.frames = p->x, .length = m, .eps = INFINITY, .history = 2 * m};
    p->plan = (kernel_plan){.templates = &p->template,
                            .n_templates = 1,
                            .dim = dim,
                            .max_chunk = chunk,
                            .scores = true};
}

static void free_problem(problem *p)
{
    free(p->x);
    free(p->y);
}

/* All results of a kernel for a stream: minima, scores, and checkpoints. */
typedef struct {
    float *minima, *scores, *checkpoints;
    size_t n_minima, n_checkpoints;
} results;

/* Columns between two checkpoints that all kernels have, since spacings are powers of two. */
static size_t checkpoints_every(const problem *p)
{
    return (size_t)1 << (p->template.length > 2000 ? 16 : 14);
}

static results results_of(const kernel_ops *ops, const problem *p)
{
    size_t m = p->template.length, chunk = p->plan.max_chunk, stride = kernel_max_blocks(chunk);
    size_t every = checkpoints_every(p);
    results t = {.minima = floats((p->n / chunk + 1) * stride),
                 .scores = floats(p->n + chunk),
                 .checkpoints = floats((p->n / every + 1) * m)};
    void *kernel = NULL;
    CHECK(ops->create(&kernel, &p->plan) == SIGREP_OK);
    for (size_t at = 0; at < p->n && kernel; at += chunk) {
        size_t n = p->n - at < chunk ? p->n - at : chunk;
        kernel_output out = {.minima = t.minima + t.n_minima,
                             .minima_stride = stride,
                             .scores = p->plan.scores ? t.scores + at : NULL};
        CHECK(ops->sweep(kernel, p->y + at * p->plan.dim, n, &out) == SIGREP_OK);
        t.n_minima += (at + n - 1) / KERNEL_BLOCK - at / KERNEL_BLOCK + 1;
        CHECK(every % ops->spacing(kernel, 0) == 0);
        for (size_t c = (at / every + 1) * every; c <= at + n; c += every)
            CHECK(ops->checkpoint(kernel, 0, c, t.checkpoints + t.n_checkpoints++ * m) ==
                  SIGREP_OK);
    }
    if (kernel) ops->destroy(kernel);
    return t;
}

static void free_results(results *t)
{
    free(t->minima);
    free(t->scores);
    free(t->checkpoints);
}

/* Prints the first difference. */
static bool same(const char *what, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!memcmp(&a[i], &b[i], sizeof *a)) continue;
        fprintf(stderr, "%s %zu of %zu: %.9g, not %.9g\n", what, i, n, (double)b[i], (double)a[i]);
        return false;
    }
    return true;
}

static bool same_results(const results *a, const results *b, const problem *p)
{
    return a->n_minima == b->n_minima && a->n_checkpoints == b->n_checkpoints &&
           (!p->plan.scores || same("score", a->scores, b->scores, p->n)) &&
           same("minimum", a->minima, b->minima, a->n_minima) &&
           same("row of a checkpoint", a->checkpoints, b->checkpoints,
                a->n_checkpoints * p->template.length);
}

/* Compare all usable kernels, or those of GPUs alone, with the reference. Returns their number. */
static int check_problem(const problem *p, bool gpus_alone)
{
    const kernel_ops *reference = kernel_choose("cpu", "scalar", NULL);
    int compared = 0;
    results expected = results_of(reference, p);
    for (size_t i = 0; kernel_at(i); i++) {
        const kernel_ops *ops = kernel_at(i);
        if (ops == reference || !tested(ops)) continue;
        if (gpus_alone && !strcmp(ops->device, "cpu")) continue;
        results got = results_of(ops, p);
        CHECK_MSG(same_results(&expected, &got, p), "%s: kind %d, m %zu, dim %zu, chunks of %zu",
                  ops->name, p->kind, p->template.length, p->plan.dim, p->plan.max_chunk);
        free_results(&got);
        compared++;
    }
    free_results(&expected);
    return compared;
}

static void check_kind(size_t m, size_t dim, size_t n, size_t chunk, int kind)
{
    uint64_t random = seed++;
    problem p;
    make_problem(&p, m, dim, n, chunk, kind, &random);
    check_problem(&p, false);
    free_problem(&p);
}

static void check_kinds(size_t m, size_t dim, size_t n, size_t chunk)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (check_is_due(seed + (uint64_t)kind)) check_kind(m, dim, n, chunk, kind);
}

static void one_long_chunk_of_samples(void)
{
    static const size_t lengths[] = {1, 5, 32, 61, 64, 100, 128, 700, 1024, 4096};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_kinds(lengths[i], 1, 50001, 50001);
}

static void long_chunks_one_after_the_other(void)
{
    static const size_t lengths[] = {3, 64, 129, 500};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_kinds(lengths[i], 1, 40000, 10007);
}

static void frames_of_13_and_40(void)
{
    check_kinds(64, 13, 20001, 20001);
    check_kinds(45, 40, 12001, 5000);
}

/* For GPUs. With few values a frame, the values fetched ahead are of the next frame. Long frames
 * are more than is transposed at a time. Some templates exceed shared memory, some are several
 * bands. */
static void frames_of_other_sizes(void)
{
    static const size_t sizes[] = {4, 5, 65, 224}, rows[] = {16, 24, 37, 40, 64, 97};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t d = 0; d < sizeof sizes / sizeof *sizes; d++) {
            if (!check_is_due(seed++)) continue;
            check_kind(rows[i], sizes[d], 4000, 4000, WALK);
            check_kind(rows[i], sizes[d], 4000, 4000, NOISE);
        }
    check_kind(2100, 2, 8192, 8192, WALK);
    check_kind(2100, 2, 8192, 8192, NOISE);
}

/* Templates longer than a block of a GPU can hold. */
static void templates_of_many_thousand_samples(void)
{
    check_kind(20000, 1, 3000, 2000, NOISE);
    check_kind(20000, 1, 3000, 3000, WALK);
    check_kind(5000, 2, 1500, 1000, NOISE);
    check_kind(65537, 1, 700, 500, TIES);
    check_kind(100001, 1, 500, 300, WALK);
}

/* Regression: 65 rows were cut into two bands. */
static void templates_of_65_rows(void)
{
    for (int kind = 0; kind < KINDS; kind++) check_kind(65, 1, 9001, 4000, kind);
}

/* Regression: wrong_addresses_at_2_to_the_25. Loads are late only if memory is large: a shorter
 * stream does not show whether a kernel waits for them. */
static void a_chunk_of_many_million_samples(void)
{
    const size_t n = ((size_t)1 << 25) + 77;
    int gpus = 0;
    for (size_t i = 0; kernel_at(i); i++)
        gpus += strcmp(kernel_at(i)->device, "cpu") && tested(kernel_at(i));
    if (!gpus) {
        printf("SKIP a_chunk_of_many_million_samples: no GPU\n");
        return;
    }
    for (size_t m = 32; m <= 64; m *= 2) {
        uint64_t random = seed++;
        problem p;
        make_problem(&p, m, 1, n, n, NOISE, &random);
        p.plan.scores = false;
        CHECK(check_problem(&p, true) > 0);
        free_problem(&p);
    }
}

int main(void)
{
    seed = check_seed("test_kernels_long");
    RUN(one_long_chunk_of_samples);
    RUN(long_chunks_one_after_the_other);
    RUN(frames_of_13_and_40);
    RUN(frames_of_other_sizes);
    RUN(templates_of_many_thousand_samples);
    RUN(templates_of_65_rows);
    RUN(a_chunk_of_many_million_samples);
    return check_done();
}
