/* multi_device_help.h - several kernels as one (kernels/multi_device.h), compared with the scalar
 * kernel: minima, scores, and every checkpoint that kernel.h promises. */
#ifndef TESTS_KERNELS_MULTI_DEVICE_HELP_H
#define TESTS_KERNELS_MULTI_DEVICE_HELP_H

#include <math.h>
#include <string.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/multi_device.h"
#include "kernels/pinnable.h"
#include "tests/check.h"

enum { MOST_TEMPLATES = 3, N = 450000 };

static uint64_t seed;
static const kernel_ops *member_ops; /* the kernel of each device; NULL: the best CPU kernel */
static bool pins;                    /* frames and minima are pinned */

typedef struct {
    kernel_template templates[MOST_TEMPLATES];
    kernel_plan plan;
    float *y;
    const kernel_ops *ops[2];
    void *kernels[2];
    kernel_output out[2];
    float *columns[2];
    size_t n; /* frames of y that are swept */
} problem;

static inline float *make_signal(size_t n, uint64_t random, bool ramp)
{
    float *v = pinnable_allocate(n);
    for (size_t i = 0; i < n; i++)
        v[i] = ramp ? (float)i * 0x1p-10f : (float)(check_random(&random) >> 40) * 0x1p-24f;
    return v;
}

static inline void begin(problem *p, const size_t *lengths, size_t n, size_t max_chunk, int devices,
                         bool ramp)
{
    *p = (problem){.y = make_signal(N, seed, ramp), .n = N};
    for (size_t j = 0; j < n; j++)
        p->templates[j] = (kernel_template){.frames = make_signal(lengths[j], seed + j + 1, ramp),
                                            .length = lengths[j],
                                            .eps = INFINITY,
                                            .history = 2 * lengths[j]};
    p->plan = (kernel_plan){.templates = p->templates,
                            .n_templates = n,
                            .dim = 1,
                            .max_chunk = max_chunk,
                            .scores = true,
                            .pins = pins,
                            .each = member_ops ? member_ops : kernel_choose("cpu", NULL, NULL),
                            .devices = devices};
    p->ops[0] = kernel_choose("cpu", "scalar", NULL);
    p->ops[1] = &kernel_multi_device;
    for (int k = 0; k < 2; k++) {
        CHECK(p->ops[k]->create(&p->kernels[k], &p->plan) == SIGREP_OK);
        p->out[k] = (kernel_output){.minima = pinnable_allocate(n * kernel_max_blocks(max_chunk)),
                                    .minima_stride = kernel_max_blocks(max_chunk),
                                    .scores = pinnable_allocate(n * max_chunk)};
        p->columns[k] = pinnable_allocate(1000);
    }
    if (!pins) return;
    CHECK(!p->ops[1]->prefetch->pin(p->kernels[1], p->y, N));
    CHECK(!p->ops[1]->prefetch->pin(p->kernels[1], p->out[1].minima, n * p->out[1].minima_stride));
}

static inline void end(problem *p)
{
    for (int k = 0; k < 2; k++) {
        p->ops[k]->destroy(p->kernels[k]);
        free(p->out[k].minima);
        free(p->out[k].scores);
        free(p->columns[k]);
    }
    for (size_t j = 0; j < p->plan.n_templates; j++) free((void *)p->templates[j].frames);
    free(p->y);
}

static inline bool same(const float *a, const float *b, size_t n)
{
    return !memcmp(a, b, n * sizeof *a);
}

static inline bool column_of(problem *p, int k, size_t j, uint64_t position)
{
    return p->ops[k]->checkpoint(p->kernels[k], j, position, p->columns[k]) == SIGREP_OK;
}

/* Compare all results after the chunk [from, to). */
static inline bool agree(problem *p, uint64_t from, uint64_t to)
{
    for (size_t j = 0; j < p->plan.n_templates; j++) {
        const kernel_template *x = &p->templates[j];
        size_t blocks = (size_t)((to - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK) + 1;
        size_t at = j * p->out[0].minima_stride;
        if (!same(p->out[0].minima + at, p->out[1].minima + at, blocks)) return false;
        at = j * p->plan.max_chunk;
        if (!same(p->out[0].scores + at, p->out[1].scores + at, (size_t)(to - from))) return false;
        size_t spacing = p->ops[1]->spacing(p->kernels[1], j);
        size_t other = p->ops[0]->spacing(p->kernels[0], j);
        size_t reach = x->history + (other < spacing ? other : spacing);
        if (other > spacing) spacing = other;
        for (uint64_t c = spacing; c <= to; c += spacing) {
            if (c + reach < from) continue;
            if (!column_of(p, 0, j, c) || !column_of(p, 1, j, c)) return false;
            if (!same(p->columns[0], p->columns[1], x->length)) return false;
        }
    }
    return true;
}

/* Sweep the stream by both, in chunks of the given lengths in turn, and compare. */
static inline bool sweep(problem *p, const size_t *chunks, size_t n_chunks)
{
    size_t at = 0;
    for (size_t i = 0; at < p->n; i++) {
        size_t n = chunks[i % n_chunks] < p->n - at ? chunks[i % n_chunks] : p->n - at;
        for (int k = 0; k < 2; k++)
            if (p->ops[k]->sweep(p->kernels[k], p->y + at, n, &p->out[k])) return false;
        if (!agree(p, at, at + n)) return false;
        at += n;
    }
    return true;
}

/* Fill the stream with the template, 256 times as slow, so that paths outlast every warm-up. */
static inline void make_slow(problem *p, size_t length)
{
    for (size_t t = 0; t < N; t++) p->y[t] = p->templates[0].frames[t / 256 % length];
}

#endif
