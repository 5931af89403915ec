/*
 * The C side of the CUDA kernels (kernels/cuda/host) on a made-up machine
 * (tests/support/fake_cuda.h). The bits are those of "scalar" for every kernel, cutting and number
 * of templates, repair included. Every call that can fail fails in turn.
 */
#include <math.h>
#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/cuda/host/cuda_kernel.h"
#include "tests/check.h"
#include "tests/support/fake_cuda.h"

#ifdef TESTS_CUDA

#include <driver_types.h>

enum { MOST_TEMPLATES = 4, N = 6000, MOST_ROWS = 8200 };

static uint64_t seed;

/* STRETCHED: the template, each value 32 times, so that warm-ups are too short. */
enum { NOISE, CONSTANT, STRETCHED, KINDS };

typedef struct {
    kernel_template templates[MOST_TEMPLATES];
    kernel_plan plan;
    float *y;
} problem;

static float *floats(size_t n)
{
    float *v = malloc(n * sizeof *v);
    if (!v) abort();
    return v;
}

static float *make_signal(size_t n, int kind, uint64_t random)
{
    float *v = floats(n);
    for (size_t i = 0; i < n; i++)
        v[i] = kind == CONSTANT ? 0.75f : (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static void begin(problem *p, const size_t *lengths, size_t n, size_t dim, size_t max_chunk,
                  int kind)
{
    *p = (problem){.y = make_signal(N * dim, kind, seed)};
    for (size_t j = 0; j < n; j++)
        p->templates[j] =
            (kernel_template){.frames = make_signal(lengths[j] * dim, kind, seed + 1 + j),
                              .length = lengths[j],
                              .eps = INFINITY,
                              .history = 2 * lengths[j]};
    for (size_t t = 0; t < N && kind == STRETCHED; t++)
        memcpy(p->y + t * dim, p->templates[0].frames + t / 32 % lengths[0] * dim,
               dim * sizeof(float));
    if (kind == NOISE) /* a gap */
        for (size_t k = 0; k < dim; k++) p->y[N / 3 * dim + k] = INFINITY;
    p->plan = (kernel_plan){.templates = p->templates,
                            .n_templates = n,
                            .dim = dim,
                            .max_chunk = max_chunk,
                            .scores = true};
}

static void end(problem *p)
{
    for (size_t j = 0; j < p->plan.n_templates; j++) free((void *)p->templates[j].frames);
    free(p->y);
}

static kernel_output output_of(const kernel_plan *plan)
{
    size_t stride = kernel_max_blocks(plan->max_chunk);
    return (kernel_output){.minima = floats(plan->n_templates * stride),
                           .minima_stride = stride,
                           .scores = floats(plan->n_templates * plan->max_chunk)};
}

static void free_output(kernel_output *out)
{
    free(out->minima);
    free(out->scores);
}

static bool same(const float *a, const float *b, size_t n)
{
    return !memcmp(a, b, n * sizeof *a);
}

/* Compare the checkpoints that both have after the chunk [from, to). */
static bool checkpoints_agree(const kernel_plan *plan, const kernel_ops *const *ops, void **kernels,
                              uint64_t from, uint64_t to)
{
    static float a[MOST_ROWS], b[MOST_ROWS];
    for (size_t j = 0; j < plan->n_templates; j++) {
        size_t spacing = ops[1]->spacing(kernels[1], j), other = ops[0]->spacing(kernels[0], j);
        size_t history = plan->templates[j].history + other;
        if (other > spacing) spacing = other;
        for (uint64_t c = spacing; c <= to; c += spacing) {
            if (c + history < from) continue;
            if (ops[0]->checkpoint(kernels[0], j, c, a)) return false;
            if (ops[1]->checkpoint(kernels[1], j, c, b)) return false;
            if (!same(a, b, plan->templates[j].length)) return false;
        }
    }
    return true;
}

static bool chunks_agree(const problem *p, const kernel_ops *const *ops, void **kernels,
                         kernel_output *out)
{
    const kernel_plan *plan = &p->plan;
    uint64_t random = seed;
    for (size_t at = 0; at < N;) {
        size_t n = check_below(&random, 2) ? plan->max_chunk : 1 + check_below(&random, 200);
        if (n > plan->max_chunk) n = plan->max_chunk;
        if (n > N - at) n = N - at;
        size_t blocks = (at + n - 1) / KERNEL_BLOCK - at / KERNEL_BLOCK + 1;
        const bool scores = check_below(&random, 2); /* without, only minima are waited for */
        for (int k = 0; k < 2; k++) {
            kernel_output wanted = out[k];
            if (!scores) wanted.scores = NULL;
            if (ops[k]->sweep(kernels[k], p->y + at * plan->dim, n, &wanted)) return false;
        }
        for (size_t j = 0; j < plan->n_templates; j++) {
            size_t i = j * out[0].minima_stride, s = j * plan->max_chunk;
            if (!same(out[0].minima + i, out[1].minima + i, blocks)) return false;
            if (scores && !same(out[0].scores + s, out[1].scores + s, n)) return false;
        }
        if (!checkpoints_agree(plan, ops, kernels, at, at + n)) return false;
        at += n;
    }
    return true;
}

static bool agrees(const problem *p, const kernel_ops *tried)
{
    const kernel_ops *ops[2] = {kernel_choose("cpu", "scalar", NULL), tried};
    void *kernels[2] = {NULL, NULL};
    kernel_output out[2] = {output_of(&p->plan), output_of(&p->plan)};
    bool good = true;
    for (int k = 0; k < 2; k++) good &= !ops[k]->create(&kernels[k], &p->plan);
    good = good && chunks_agree(p, ops, kernels, out);
    for (int k = 0; k < 2 && good; k++) ops[k]->reset(kernels[k]);
    good = good && chunks_agree(p, ops, kernels, out);
    for (int k = 0; k < 2; k++) {
        if (kernels[k]) ops[k]->destroy(kernels[k]);
        free_output(&out[k]);
    }
    return good;
}

/* ---- the same bits ---- */

static void samples_give_the_bits_of_scalar(void)
{
    static const size_t lengths[] = {1, 7, 32, 64, 65, 100, 130, 300};
    fake_cuda_begin();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            const bool repairs = lengths[i] == 64 && kind == STRETCHED;
            problem p;
            if (!repairs && !check_is_due(seed + 100 * i + (size_t)kind)) continue;
            begin(&p, &lengths[i], 1, 1, 2000, kind);
            CHECK_MSG(agrees(&p, &kernel_cuda), "m %zu, kind %d", lengths[i], kind);
            end(&p);
        }
    CHECK(fake_cuda.repaired > 0 && fake_cuda.allocated == 0 && fake_cuda.misplaced == 0);
    CHECK(fake_cuda.stale == 0);
}

static void frames_give_the_bits_of_scalar(void)
{
    fake_cuda_begin();
    for (size_t dim = 2; dim <= 13; dim += 11)
        for (int kind = 0; kind < KINDS; kind++) {
            problem p;
            if (!check_is_due(seed + 10 * dim + (size_t)kind)) continue;
            begin(&p, (size_t[]){50, 9, 2100}, 2 + (dim == 2), dim, 1500, kind);
            CHECK_MSG(agrees(&p, &kernel_cuda), "dim %zu, kind %d", dim, kind);
            end(&p);
        }
}

static void templates_of_unequal_length_give_the_bits_of_scalar(void)
{
    fake_cuda_begin();
    for (int kind = 0; kind < KINDS; kind++) {
        problem p;
        if (!check_is_due(seed + (size_t)kind)) continue;
        begin(&p, (size_t[]){200, 3, 64, 31}, 4, 1, 1000, kind);
        CHECK_MSG(agrees(&p, &kernel_cuda), "kind %d", kind);
        end(&p);
    }
}

/* A band's seams are verified and repaired before the next band is swept. */
static void templates_of_several_bands_give_the_bits_of_scalar(void)
{
    fake_cuda_begin();
    CHECK(cuda_plan_bands(MOST_ROWS, 1) == 2);
    for (int kind = 0; kind < KINDS; kind++) {
        problem p;
        if (!check_is_due(seed + (size_t)kind)) continue;
        begin(&p, (size_t[]){MOST_ROWS, 64}, 2, 1, 3000, kind);
        CHECK_MSG(agrees(&p, &kernel_cuda), "kind %d", kind);
        end(&p);
    }
}

/* The device fetches frames of long chunks from pinned memory; short chunks are staged. */
static void frames_of_pinned_memory_give_the_bits_of_scalar(void)
{
    enum { LONG = 200000, CHUNKS = 5 };
    static const size_t chunks[CHUNKS] = {100001, 50, 65537, 7, LONG - 165595};
    fake_cuda_begin();
    for (size_t dim = 1; dim <= 3; dim += 2) {
        problem p;
        begin(&p, (size_t[]){9, 4}, 2, dim, LONG, NOISE);
        free(p.y);
        p.y = make_signal(LONG * dim, NOISE, seed);
        p.plan.pins = true;
        const kernel_ops *ops[2] = {kernel_choose("cpu", "scalar", NULL), &kernel_cuda};
        void *kernels[2];
        kernel_output out[2] = {output_of(&p.plan), output_of(&p.plan)};
        for (int k = 0; k < 2; k++) CHECK(!ops[k]->create(&kernels[k], &p.plan));
        CHECK(!kernel_cuda.prefetch->pin(kernels[1], p.y, LONG * dim));
        const float *at = p.y;
        for (int i = 0; i < CHUNKS; i++) {
            for (int k = 0; k < 2; k++) CHECK(!ops[k]->sweep(kernels[k], at, chunks[i], &out[k]));
            for (size_t j = 0; j < 2; j++)
                CHECK(same(out[0].scores + j * LONG, out[1].scores + j * LONG, chunks[i]));
            at += chunks[i] * dim;
        }
        for (int k = 0; k < 2; k++) {
            ops[k]->destroy(kernels[k]);
            free_output(&out[k]);
        }
        end(&p);
    }
    CHECK(fake_cuda.allocated == 0);
}

/* ---- failures ---- */

/* Each call of create fails in turn: create returns an error and leaves no memory, and kernels made
 * later work. */
static void every_failure_of_create_is_reported_and_leaves_nothing(void)
{
    problem p;
    begin(&p, (size_t[]){100, 9}, 2, 1, 1000, NOISE);
    int tried = 0;
    for (bool failed = true; failed; tried++) {
        void *kernel = NULL;
        fake_cuda_begin();
        fake_cuda.error = cudaErrorUnknown;
        fake_cuda.after = tried;
        sigrep_status status = kernel_cuda.create(&kernel, &p.plan);
        failed = fake_cuda.failed > 0;
        CHECK(status == (failed ? SIGREP_DEVICE_FAILED : SIGREP_OK) && !kernel == failed);
        if (!status) kernel_cuda.destroy(kernel);
        CHECK(fake_cuda.allocated == 0);
    }
    CHECK(tried > 10);
    fake_cuda_begin();
    CHECK(agrees(&p, &kernel_cuda));
    end(&p);
}

static void too_little_memory_is_reported_as_such(void)
{
    problem p;
    void *kernel = NULL;
    begin(&p, (size_t[]){100}, 1, 1, 1000, NOISE);
    fake_cuda_begin();
    fake_cuda.free_bytes = (size_t)260
                           << 20; /* less than the kernel and the bytes that stay free */
    CHECK(kernel_cuda.create(&kernel, &p.plan) == SIGREP_DEVICE_MEMORY);
    CHECK(fake_cuda.largest == 0); /* not even tried */
    static const char *const calls[] = {"cudaMalloc", "cudaMallocHost"};
    for (int i = 0; i < 2; i++) {
        fake_cuda_begin();
        fake_cuda.fails = calls[i];
        fake_cuda.error = cudaErrorMemoryAllocation;
        CHECK(kernel_cuda.create(&kernel, &p.plan) == SIGREP_DEVICE_MEMORY);
        CHECK(fake_cuda.allocated == 0);
    }
    fake_cuda_begin(); /* the failures before must not fail launches from here on */
    CHECK(agrees(&p, &kernel_cuda));
    end(&p);
}

/* Each call of a chunk fails in turn, those of repairs included. */
static void every_failure_of_a_chunk_is_reported(void)
{
    problem p;
    begin(&p, (size_t[]){100, 9}, 2, 1, 2000, STRETCHED);
    kernel_output out = output_of(&p.plan);
    int tried = 0;
    for (bool failed = true; failed; tried++) {
        void *kernel = NULL;
        fake_cuda_begin();
        CHECK(!kernel_cuda.create(&kernel, &p.plan));
        CHECK(!kernel_cuda.sweep(kernel, p.y, 900, &out));
        fake_cuda.error = cudaErrorLaunchFailure;
        fake_cuda.after = tried;
        fake_cuda.lost = true;
        sigrep_status status = kernel_cuda.sweep(kernel, p.y + 900, 2000, &out);
        failed = fake_cuda.failed > 0;
        CHECK(status == (failed ? SIGREP_DEVICE_FAILED : SIGREP_OK));
        if (failed) {
            float d[100];
            CHECK(kernel_cuda.checkpoint(kernel, 0, 512, d) == SIGREP_DEVICE_FAILED);
            kernel_cuda.reset(kernel);
            CHECK(kernel_cuda.sweep(kernel, p.y, 900, &out) == SIGREP_DEVICE_FAILED);
        }
        kernel_cuda.destroy(kernel);
        CHECK(fake_cuda.allocated == 0);
    }
    CHECK(tried > 10);
    free_output(&out);
    end(&p);
}

/* On a machine that does all at once, and on one that does it late. */
int main(void)
{
    seed = check_seed("test_cuda");
    for (int late = 0; late < 2; late++) {
        fake_cuda_usually_late = late ? 1 + (unsigned)(seed % 5) : 0;
        RUN(samples_give_the_bits_of_scalar);
        RUN(frames_give_the_bits_of_scalar);
        RUN(templates_of_unequal_length_give_the_bits_of_scalar);
        RUN(templates_of_several_bands_give_the_bits_of_scalar);
        RUN(frames_of_pinned_memory_give_the_bits_of_scalar);
        RUN(every_failure_of_create_is_reported_and_leaves_nothing);
        RUN(too_little_memory_is_reported_as_such);
        RUN(every_failure_of_a_chunk_is_reported);
    }
    return check_done();
}

#else

int main(void)
{
    return check_skipped("test_cuda", "built without CUDA");
}

#endif
