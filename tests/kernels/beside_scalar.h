/* beside_scalar.h - a kernel and "scalar", chunk by chunk: minima, scores and checkpoints agree
 * wherever they are within eps. */
#ifndef TESTS_KERNELS_BESIDE_SCALAR_H
#define TESTS_KERNELS_BESIDE_SCALAR_H

#include <string.h>

#include "kernels/kernel.h"
#include "tests/check.h"

typedef struct {
    const kernel_ops *ops;
    void *kernel;
    kernel_output out;
    size_t since; /* after a seek: there are no checkpoints before this position */
} worker;

static inline worker worker_begin(const kernel_ops *ops, const kernel_plan *plan)
{
    worker w = {.ops = ops, .out.minima_stride = kernel_max_blocks(plan->max_chunk)};
    w.out.minima = malloc(plan->n_templates * w.out.minima_stride * sizeof(float));
    w.out.scores = malloc(plan->n_templates * plan->max_chunk * sizeof(float));
    if (!w.out.minima || !w.out.scores) abort();
    CHECK(ops->create(&w.kernel, plan) == SIGREP_OK);
    return w;
}

static inline void worker_end(worker *w)
{
    w->ops->destroy(w->kernel);
    free(w->out.minima);
    free(w->out.scores);
}

/* The same bits, or both above eps. */
static inline bool values_agree(const float *a, const float *b, size_t n, float eps)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(a[i] > eps && b[i] > eps)) return false;
    return true;
}

static inline bool checkpoint_agrees(const worker *a, const worker *b, const kernel_template *x,
                                     size_t j, uint64_t at)
{
    float *left = malloc(2 * x->length * sizeof *left), *right = left + x->length;
    if (!left) abort();
    bool good =
        !a->ops->checkpoint(a->kernel, j, at, left) && !b->ops->checkpoint(b->kernel, j, at, right);
    good = good && values_agree(left, right, x->length, x->eps);
    free(left);
    return good;
}

/* Compare all checkpoints that both promise after frames [from, to), in the order of time. With
 * `random` compare some of them, in any order. */
static inline bool checkpoints_agree(const worker *a, const worker *b, const kernel_plan *plan,
                                     size_t j, size_t from, size_t to, uint64_t *random)
{
    const kernel_template *x = &plan->templates[j];
    size_t spacing = a->ops->spacing(a->kernel, j), other = b->ops->spacing(b->kernel, j);
    const size_t reach = x->history + (other < spacing ? other : spacing); /* both promise it */
    if (other > spacing) spacing = other; /* both are powers of two */
    size_t oldest = from > reach ? from - reach : 1;
    if (oldest < a->since) oldest = a->since;
    const size_t first = (oldest + spacing - 1) / spacing, last = to / spacing;
    if (last < first) return true;
    for (size_t i = first; i <= last && !random; i++)
        if (!checkpoint_agrees(a, b, x, j, i * spacing)) return false;
    for (size_t k = 0; k < 20 && random; k++)
        if (!checkpoint_agrees(a, b, x, j,
                               (first + check_below(random, last - first + 1)) * spacing))
            return false;
    return true;
}

/* Sweep frames [from, to) of y by both, and compare minima and scores. */
static inline bool outputs_agree(worker *a, worker *b, const kernel_plan *plan, const float *y,
                                 size_t from, size_t to)
{
    const float *frames = y + from * plan->dim;
    if (a->ops->sweep(a->kernel, frames, to - from, &a->out)) return false;
    if (b->ops->sweep(b->kernel, frames, to - from, &b->out)) return false;
    const size_t blocks = (to - 1) / KERNEL_BLOCK - from / KERNEL_BLOCK + 1;
    for (size_t j = 0; j < plan->n_templates; j++) {
        const size_t at = j * plan->max_chunk, min_at = j * a->out.minima_stride;
        const float eps = plan->templates[j].eps;
        if (!values_agree(a->out.scores + at, b->out.scores + at, to - from, eps)) return false;
        if (!values_agree(a->out.minima + min_at, b->out.minima + min_at, blocks, eps))
            return false;
    }
    return true;
}

/* As outputs_agree, and compare the checkpoints after the chunk. */
static inline bool chunk_agrees(worker *a, worker *b, const kernel_plan *plan, const float *y,
                                size_t from, size_t to, uint64_t *random)
{
    bool good = outputs_agree(a, b, plan, y, from, to);
    for (size_t j = 0; j < plan->n_templates && good; j++)
        good = checkpoints_agree(a, b, plan, j, from, to, random);
    return good;
}

/* Sweep n frames of y by both, in chunks of any size. any_order: now and then compare checkpoints
 * in any order. */
static inline bool stream_agrees(const kernel_ops *ops, const kernel_plan *plan, const float *y,
                                 size_t n, bool any_order, uint64_t *random)
{
    worker a = worker_begin(kernel_choose("cpu", "scalar", NULL), plan);
    worker b = worker_begin(ops, plan);
    bool good = true;
    for (size_t at = 0, to; at < n && good; at = to) {
        size_t chunk = plan->max_chunk;
        if (check_below(random, 4) == 0) chunk = 1 + check_below(random, chunk);
        to = n - at < chunk ? n : at + chunk;
        uint64_t *order = any_order && check_below(random, 2) ? random : NULL;
        good = chunk_agrees(&a, &b, plan, y, at, to, order);
    }
    worker_end(&a);
    worker_end(&b);
    return good;
}

#endif
