/*
 * Every usable kernel against "scalar", bit for bit: minima, scores, and after every chunk
 * every checkpoint that kernel.h promises. Random, with a printed seed.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/pool.h"
#include "tests/check.h"
#include "tests/kernels/tested.h"

enum { MOST_TEMPLATES = 4, MOST_DIM = 40 };

/* Rows: around the widths of vectors and of tiles, and more. */
static const size_t lengths[] = {1,  2,  3,  4,  5,  7,  8,  9,  15, 16,  17,
                                 31, 32, 33, 63, 64, 65, 95, 96, 97, 100, 1000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static const size_t dims[] = {1, 2, 3, 13, MOST_DIM};
enum { DIMS = sizeof dims / sizeof *dims };

enum { TIES, WALK, CONSTANT, DENORMALS, HUGE_VALUES, NOISE, KINDS };

static uint64_t seed;
static pool *pools[3]; /* of 1 to 3 threads */

/* ---- a case ---- */

typedef struct {
    kernel_plan plan;
    kernel_template templates[MOST_TEMPLATES];
    float *x[MOST_TEMPLATES];
    float *y; /* n x dim */
    size_t n;
} problem;

static float value_of(int kind, uint64_t *random, float *walk)
{
    float unit = (float)(check_random(random) >> 40) * 0x1p-24f;
    switch (kind) {
    case TIES: return (float)check_below(random, 3);
    case WALK: return *walk += unit - 0.5f;
    case CONSTANT: return -2.5f;
    case DENORMALS: return ldexpf((float)check_below(random, 50) - 25, -149);
    case HUGE_VALUES: return (unit - 0.5f) * 2 * FLT_MAX;
    default: return unit * 37;
    }
}

static float *make_signal(int kind, size_t n, size_t dim, uint64_t *random)
{
    float *v = malloc(n * dim * sizeof *v);
    if (!v) abort();
    float walk = 0;
    for (size_t i = 0; i < n * dim; i++) v[i] = value_of(kind, random, &walk);
    return v;
}

/* A gap is a frame of +inf; some come in a row. */
static void make_gaps(problem *p, uint64_t *random)
{
    for (size_t gaps = check_below(random, 6); gaps > 0; gaps--) {
        size_t at = check_below(random, p->n), run = 1 + check_below(random, 3);
        for (size_t t = at; t < at + run && t < p->n; t++)
            for (size_t k = 0; k < p->plan.dim; k++) p->y[t * p->plan.dim + k] = INFINITY;
    }
}

/* The history is from the length gate, 1/2 to 64 lengths. */
static size_t history_of(size_t length, uint64_t *random)
{
    static const double gates[] = {0.5, 1, 2, 2, 2, 8, 64};
    double history = floor(gates[check_below(random, 7)] * (double)length);
    return history < 1 ? 1 : (size_t)history;
}

static void make_problem(problem *p, size_t dim, int kind, const size_t *of_templates,
                         size_t n_templates, uint64_t *random)
{
    static const size_t max_chunks[] = {1, 5, 255, 256, 257, 700, 2000};
    p->plan = (kernel_plan){.templates = p->templates,
                            .n_templates = n_templates,
                            .dim = dim,
                            .max_chunk = max_chunks[check_below(random, 7)],
                            .workers = pools[check_below(random, 3)],
                            .scores = true};
    size_t work = 0;
    for (size_t j = 0; j < n_templates; j++) {
        size_t m = of_templates[j];
        work += m * dim;
        p->x[j] = make_signal(check_below(random, 4) ? kind : NOISE, m, dim, random);
        p->templates[j] = (kernel_template){
            .frames = p->x[j], .length = m, .eps = INFINITY, .history = history_of(m, random)};
    }
    p->n = 600 + check_below(random, work > 5000 ? 300 : 1200);
    if (p->plan.max_chunk == 1) p->n = 300;
    p->y = make_signal(kind, p->n, dim, random);
    if (check_below(random, 2)) make_gaps(p, random);
}

static void free_problem(problem *p)
{
    for (size_t j = 0; j < p->plan.n_templates; j++) free(p->x[j]);
    free(p->y);
}

/* ---- a kernel at work ---- */

typedef struct {
    const kernel_ops *ops;
    void *kernel;
    kernel_output out;
    float *column;
    size_t longest;
} worker;

static bool worker_begin(worker *w, const kernel_ops *ops, const problem *p)
{
    const kernel_plan *plan = &p->plan;
    size_t stride =
        kernel_max_blocks(plan->max_chunk) + 3; /* the least stride is the first summand */
    *w = (worker){.ops = ops};
    for (size_t j = 0; j < plan->n_templates; j++)
        if (p->templates[j].length > w->longest) w->longest = p->templates[j].length;
    w->out.minima = malloc(plan->n_templates * stride * sizeof(float));
    w->out.minima_stride = stride;
    w->out.scores = malloc(plan->n_templates * plan->max_chunk * sizeof(float));
    w->column = malloc(w->longest * sizeof(float));
    if (!w->out.minima || !w->out.scores || !w->column) abort();
    CHECK(ops->create(&w->kernel, plan) == SIGREP_OK);
    return w->kernel;
}

static void worker_end(worker *w)
{
    w->ops->destroy(w->kernel);
    free(w->out.minima);
    free(w->out.scores);
    free(w->column);
}

/* Overwrite all results, so that none of the last chunk passes for one of the next. */
static void spoil(worker *w, const problem *p)
{
    size_t minima = p->plan.n_templates * w->out.minima_stride;
    size_t scores = p->plan.n_templates * p->plan.max_chunk;
    for (size_t i = 0; i < minima; i++) w->out.minima[i] = -1;
    for (size_t i = 0; i < scores; i++) w->out.scores[i] = -1;
}

/* ---- the comparison ---- */

static bool same(const float *a, const float *b, size_t n)
{
    return !memcmp(a, b, n * sizeof *a);
}

/* Is the minimum of each block that [from, to) touches that of its scores? */
static bool minima_are_right(const worker *w, const problem *p, size_t j, size_t from, size_t to)
{
    const float *scores = w->out.scores + j * p->plan.max_chunk;
    for (size_t block = from / KERNEL_BLOCK; block * KERNEL_BLOCK < to; block++) {
        float least = INFINITY;
        for (size_t t = from; t < to; t++)
            if (t / KERNEL_BLOCK == block) least = fminf(least, scores[t - from]);
        const float *minima = w->out.minima + j * w->out.minima_stride;
        if (!same(&minima[block - from / KERNEL_BLOCK], &least, 1)) return false;
    }
    return true;
}

static bool outputs_agree(const worker *a, const worker *b, const problem *p, size_t from,
                          size_t to)
{
    size_t blocks = (to - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK + 1;
    for (size_t j = 0; j < p->plan.n_templates; j++) {
        size_t at = j * p->plan.max_chunk, min_at = j * a->out.minima_stride;
        if (!same(a->out.scores + at, b->out.scores + at, to - from)) return false;
        if (!same(a->out.minima + min_at, b->out.minima + min_at, blocks)) return false;
        if (!minima_are_right(a, p, j, from, to)) return false;
    }
    return true;
}

/* Compare every promised checkpoint of template j after the chunk [from, to). */
static bool checkpoints_agree(worker *a, worker *b, const problem *p, size_t j, size_t from,
                              size_t to)
{
    size_t m = p->templates[j].length, history = p->templates[j].history;
    size_t spacing = a->ops->spacing(a->kernel, j), other = b->ops->spacing(b->kernel, j);
    size_t reach = history + (other < spacing ? other : spacing); /* what both promise */
    if (other > spacing) spacing = other;                         /* both are powers of two */
    for (size_t position = spacing; position <= to; position += spacing) {
        if (position + reach < from) continue;
        if (a->ops->checkpoint(a->kernel, j, position, a->column)) return false;
        if (b->ops->checkpoint(b->kernel, j, position, b->column)) return false;
        if (!same(a->column, b->column, m)) return false;
        if (position > from) /* its last row is a score of this chunk */
            if (!same(&a->column[m - 1],
                      &a->out.scores[j * p->plan.max_chunk + position - 1 - from], 1))
                return false;
    }
    return true;
}

/* The next chunk: 1 frame, up to a border of blocks, a whole block, the most, or any number. */
static size_t next_chunk(const problem *p, size_t at, uint64_t *random)
{
    size_t n = 1;
    switch (check_below(random, 5)) {
    case 0: break;
    case 1: n = KERNEL_BLOCK - at % KERNEL_BLOCK; break;
    case 2: n = KERNEL_BLOCK; break;
    case 3: n = p->plan.max_chunk; break;
    default: n = 1 + check_below(random, p->plan.max_chunk);
    }
    if (n > p->plan.max_chunk) n = p->plan.max_chunk;
    return n < p->n - at ? n : p->n - at;
}

/* Sweep the first n frames; false at the first difference. Scores are not always wanted. */
static bool sweep_both(worker *a, worker *b, const problem *p, size_t n, uint64_t *random)
{
    for (size_t at = 0; at < n;) {
        size_t chunk = next_chunk(p, at, random);
        const float *frames = p->y + at * p->plan.dim;
        bool scores = check_below(random, 4) > 0;
        spoil(a, p);
        spoil(b, p);
        kernel_output out = b->out;
        if (!scores) out.scores = NULL;
        if (a->ops->sweep(a->kernel, frames, chunk, &a->out)) return false;
        if (b->ops->sweep(b->kernel, frames, chunk, &out)) return false;
        if (!scores) {
            if (b->out.scores[0] != -1) return false;
            memcpy(b->out.scores, a->out.scores,
                   p->plan.n_templates * p->plan.max_chunk * sizeof(float));
        }
        if (!outputs_agree(a, b, p, at, at + chunk)) return false;
        for (size_t j = 0; j < p->plan.n_templates; j++)
            if (!checkpoints_agree(a, b, p, j, at, at + chunk)) return false;
        at += chunk;
    }
    return true;
}

/* Sweep the stream twice, with a reset between, the first time perhaps not to its end. */
static bool agrees(const problem *p, const kernel_ops *reference, const kernel_ops *ops,
                   uint64_t *random)
{
    worker a, b;
    bool good = worker_begin(&a, reference, p);
    good &= worker_begin(&b, ops, p);
    good = good && sweep_both(&a, &b, p, 1 + check_below(random, p->n), random);
    if (good) {
        a.ops->reset(a.kernel);
        b.ops->reset(b.kernel);
        good = sweep_both(&a, &b, p, p->n, random);
    }
    worker_end(&a);
    worker_end(&b);
    return good;
}

static void check_problem(size_t dim, int kind, const size_t *of_templates, size_t n_templates)
{
    const kernel_ops *reference = kernel_choose("cpu", "scalar", NULL);
    uint64_t random = seed++;
    if (!check_is_due(random)) return;
    problem p;
    make_problem(&p, dim, kind, of_templates, n_templates, &random);
    for (size_t i = 0; kernel_at(i); i++)
        if (tested(kernel_at(i))) /* scalar, cut differently, against itself as well */
            CHECK_MSG(agrees(&p, reference, kernel_at(i), &random),
                      "%s: dim %zu, kind %d, %zu templates, the first of %zu", kernel_at(i)->name,
                      dim, kind, n_templates, of_templates[0]);
    free_problem(&p);
}

/* ---- the tests ---- */

static void every_length_with_every_dim_and_kind(void)
{
    for (size_t i = 0; i < LENGTHS; i++)
        for (size_t d = 0; d < DIMS; d++)
            for (int kind = 0; kind < KINDS; kind++) check_problem(dims[d], kind, &lengths[i], 1);
}

static void templates_of_unequal_lengths_at_once(void)
{
    for (int turn = 0; turn < 150; turn++) {
        uint64_t random = seed ^ 0x5eed;
        size_t of_templates[MOST_TEMPLATES], n = 2 + check_below(&random, MOST_TEMPLATES - 1);
        for (size_t j = 0; j < n; j++) of_templates[j] = lengths[check_below(&random, LENGTHS - 1)];
        check_problem(dims[check_below(&random, DIMS)], (int)check_below(&random, KINDS),
                      of_templates, n);
    }
}

/* One template is cut into fewer segments than another, so that blocks of threads are left without
 * a segment. They must end at once. */
static void blocks_without_a_segment_end(void)
{
    static const size_t unequal[][2] = {{1000, 31}, {97, 32}, {1, 1000}};
    for (size_t i = 0; i < sizeof unequal / sizeof *unequal; i++)
        for (int kind = 0; kind < KINDS; kind++) check_problem(1, kind, unequal[i], 2);
}

static void every_length_up_to_130(void)
{
    for (size_t m = 1; m <= 130; m++) check_problem(1, (int)(m % KINDS), &m, 1);
}

/* Sweep y through a kernel in one chunk; D(m,.) is in scores. */
static void sweep_one(const kernel_ops *ops, const float *x, size_t m, const float *y, size_t n,
                      float *scores)
{
    const kernel_template t = {.frames = x, .length = m, .eps = INFINITY, .history = 2 * m};
    const kernel_plan plan = {
        .templates = &t, .n_templates = 1, .dim = 1, .max_chunk = n, .scores = true};
    float minima[8];
    void *kernel;
    CHECK(ops->create(&kernel, &plan) == SIGREP_OK);
    CHECK(ops->sweep(kernel, y, n,
                     &(kernel_output){.minima = minima, .minima_stride = 8, .scores = scores}) ==
          SIGREP_OK);
    ops->destroy(kernel);
}

/* The matrix of test_trace.c: x = 0 4 4, y = 0 4 0 4, last row 8 0 4 0. */
static void every_kernel_gives_the_matrix_by_hand(void)
{
    const float x[3] = {0, 4, 4}, y[4] = {0, 4, 0, 4}, expected[4] = {8, 0, 4, 0};
    for (size_t i = 0; kernel_at(i); i++) {
        if (!tested(kernel_at(i))) continue;
        float scores[4];
        sweep_one(kernel_at(i), x, 3, y, 4, scores);
        CHECK_MSG(same(scores, expected, 4), "%s", kernel_at(i)->name);
    }
}

/* After a gap, however long the template, the scores are those of a stream that begins. */
static void a_gap_is_a_cold_start_in_every_kernel(void)
{
    enum { M = 37, N = 300, GAP = 120 };
    float x[M], y[N], scores[N], fresh[N];
    uint64_t random = seed;
    for (size_t i = 0; i < M; i++) x[i] = (float)check_below(&random, 9);
    for (size_t t = 0; t < N; t++) y[t] = (float)check_below(&random, 9);
    y[GAP] = INFINITY;
    for (size_t i = 0; kernel_at(i); i++) {
        if (!tested(kernel_at(i))) continue;
        sweep_one(kernel_at(i), x, M, y, N, scores);
        sweep_one(kernel_at(i), x, M, y + GAP + 1, N - GAP - 1, fresh);
        CHECK(isinf(scores[GAP]));
        CHECK_MSG(same(scores + GAP + 1, fresh, N - GAP - 1), "%s", kernel_at(i)->name);
    }
}

/* x = 0, y = d: the score is d itself, even the least denormal. */
static void denormals_are_kept_by_every_kernel(void)
{
    const float x[2] = {0, 0}, y[2] = {0x1p-149f, 0x1p-148f};
    for (size_t i = 0; kernel_at(i); i++) {
        if (!tested(kernel_at(i))) continue;
        float scores[2];
        sweep_one(kernel_at(i), x, 2, y, 2, scores);
        /* 1 + 1; then diag 1, left 2, up 2: 1 + 2 (in least denormals) */
        CHECK_MSG(scores[0] == 0x1p-148f && scores[1] == 3 * 0x1p-149f, "%s", kernel_at(i)->name);
    }
}

static void absurd_sizes_are_no_memory(void)
{
    const float x[2] = {0};
    kernel_template t = {.frames = x, .length = 2, .eps = 1, .history = 4};
    const kernel_plan plan = {
        .templates = &t, .n_templates = 1, .dim = 1, .max_chunk = SIZE_MAX / 64};
    for (size_t i = 0; kernel_at(i); i++) {
        if (!tested(kernel_at(i))) continue;
        void *kernel = NULL;
        CHECK(kernel_at(i)->create(&kernel, &plan) == SIGREP_NO_MEMORY);
    }
}

int main(void)
{
    seed = check_seed("test_kernels");
    for (size_t i = 0; i < 3; i++) CHECK(pool_create(&pools[i], i + 1) == SIGREP_OK);
    RUN(every_kernel_gives_the_matrix_by_hand);
    RUN(a_gap_is_a_cold_start_in_every_kernel);
    RUN(denormals_are_kept_by_every_kernel);
    RUN(every_length_with_every_dim_and_kind);
    RUN(every_length_up_to_130);
    RUN(blocks_without_a_segment_end);
    RUN(templates_of_unequal_lengths_at_once);
    RUN(absurd_sizes_are_no_memory);
    for (size_t i = 0; i < 3; i++) pool_destroy(pools[i]);
    return check_done();
}
