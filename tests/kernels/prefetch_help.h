/* prefetch_help.h - frames that another thread prefetches ahead of their chunk, compared with the
 * scalar kernel (kernel_ops.prefetch). For GPUs, made up or real. */
#ifndef TESTS_KERNELS_PREFETCH_HELP_H
#define TESTS_KERNELS_PREFETCH_HELP_H

#include <math.h>
#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/pinnable.h"
#include "kernels/pool.h"
#include "tests/check.h"
#ifdef TESTS_CUDA
#include "kernels/cuda/host/cuda_kernel.h"
#endif

enum { M = 9, LONG = 200000, STREAM = 4 * LONG, MOST_DIM = 3 };

static uint64_t seed;

/* A stream, the scalar kernel (0) and the kernel under test (1), which both swept `at` frames. */
typedef struct {
    kernel_template template;
    kernel_plan plan;
    float *y;
    const kernel_ops *ops[2];
    void *kernels[2];
    kernel_output out[2];
    size_t at;
    pool *hand; /* the thread that sweeps while this one prefetches */
} problem;

/* Frames of a CUDA kernel's last chunk that were on the device before the chunk began. */
static inline size_t prefetched(const void *kernel)
{
#ifdef TESTS_CUDA
    return ((const cuda_kernel *)kernel)->prefetched;
#else
    (void)kernel;
    return 0;
#endif
}

static inline float *make_noise(size_t n, uint64_t random)
{
    float *v = pinnable_allocate(n);
    for (size_t i = 0; i < n; i++) v[i] = (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static inline void problem_begin(problem *p, const kernel_ops *ops, size_t dim)
{
    *p = (problem){.template = {make_noise(M * dim, seed), M, INFINITY, 2 * M},
                   .y = make_noise(STREAM * dim, seed + 1),
                   .ops = {kernel_choose("cpu", "scalar", NULL), ops}};
    p->plan = (kernel_plan){.templates = &p->template,
                            .n_templates = 1,
                            .dim = dim,
                            .max_chunk = LONG,
                            .scores = true,
                            .pins = true};
    for (int k = 0; k < 2; k++) {
        CHECK(!p->ops[k]->create(&p->kernels[k], &p->plan));
        p->out[k] = (kernel_output){.minima = pinnable_allocate(kernel_max_blocks(LONG)),
                                    .minima_stride = kernel_max_blocks(LONG),
                                    .scores = pinnable_allocate(LONG)};
    }
    CHECK(!ops->prefetch->pin(p->kernels[1], p->y, STREAM * dim));
    CHECK(!ops->prefetch->pin(p->kernels[1], p->out[1].minima, p->out[1].minima_stride));
    CHECK(!pool_create(&p->hand, 2));
}

static inline void problem_end(problem *p)
{
    pool_destroy(p->hand);
    for (int k = 0; k < 2; k++) {
        p->ops[k]->destroy(p->kernels[k]);
        free(p->out[k].minima);
        free(p->out[k].scores);
    }
    free((void *)p->template.frames);
    free(p->y);
}

static inline void prefetch(problem *p, size_t at, size_t n)
{
    p->ops[1]->prefetch->copy(p->kernels[1], at, p->y + at * p->plan.dim, n);
}

/* A chunk of n frames, for a task of the pool. */
typedef struct {
    problem *p;
    size_t n;
    sigrep_status status;
} sweep_arguments;

static inline void sweep_task(void *user, size_t task, size_t thread)
{
    sweep_arguments *b = user;
    const problem *p = b->p;
    (void)task, (void)thread;
    b->status = p->ops[1]->sweep(p->kernels[1], p->y + p->at * p->plan.dim, b->n, &p->out[1]);
}

/* Sweep n frames by both kernels. Meanwhile prefetch the next `next` frames, some at a time. */
static inline sigrep_status sweep_chunk(problem *p, size_t n, size_t next, uint64_t *random)
{
    sweep_arguments b = {.p = p, .n = n};
    p->ops[0]->sweep(p->kernels[0], p->y + p->at * p->plan.dim, n, &p->out[0]);
    pool_start(p->hand, 1, sweep_task, &b);
    for (size_t had = 0; had < next;) {
        had += 1 + check_below(random, 60000);
        prefetch(p, p->at + n, had < next ? had : next);
    }
    pool_wait(p->hand);
    p->at += n;
    return b.status;
}

static inline bool minima_agree(const problem *p, size_t n)
{
    const size_t from = p->at - n;
    const size_t blocks = (p->at - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK + 1;
    return !memcmp(p->out[0].minima, p->out[1].minima, blocks * sizeof(float));
}

static inline bool outputs_agree(const problem *p, size_t n)
{
    return minima_agree(p, n) && !memcmp(p->out[0].scores, p->out[1].scores, n * sizeof(float));
}

/* ---- prefetches ---- */

static inline void restart(problem *p)
{
    for (int k = 0; k < 2; k++) p->ops[k]->reset(p->kernels[k]);
    for (size_t i = 0; i < STREAM * p->plan.dim; i++) p->y[i] = 1 - p->y[i];
    p->at = 0;
}

/* Sweep long and short chunks. Prefetch all of the next chunk, some of it, nothing, more than it
 * will have, or frames of another place. Now and then begin another stream. */
static inline void prefetch_by_chance(problem *p, uint64_t random)
{
    for (int turn = 0; turn < 6; turn++) {
        if (p->at + 2 * LONG > STREAM || check_below(&random, 6) == 0) restart(p);
        const size_t lengths[] = {LONG, LONG, 90000 + check_below(&random, 100000),
                                  1 + check_below(&random, 70000)};
        const size_t n = lengths[check_below(&random, 4)];
        const size_t prefetches[] = {LONG, LONG, check_below(&random, LONG), 0};
        if (check_below(&random, 3) == 0) prefetch(p, p->at + 5000, 150000);
        CHECK(sweep_chunk(p, n, prefetches[check_below(&random, 4)], &random) == SIGREP_OK);
        CHECK_MSG(outputs_agree(p, n), "%s, turn %d: %zu frames", p->ops[1]->name, turn, n);
    }
}

#endif
