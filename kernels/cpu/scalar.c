/*
 * scalar.c - the readable reference: the recurrence of docs/SEMANTICS.md, a column at a time.
 * Never tuned. The tests compare every other kernel with it, bit for bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/state/checkpoints.h"
#include "kernels/kernel.h"

typedef struct {
    float *x; /* length x dim */
    size_t length;
    float *d; /* D(1..m, position - 1) */
    checkpoints checkpoints;
} scalar_template;

typedef struct {
    size_t dim, max_chunk, n_templates;
    uint64_t position;
    scalar_template templates[];
} scalar_kernel;

static void scalar_reset(void *kernel)
{
    scalar_kernel *self = kernel;
    self->position = 0;
    for (size_t j = 0; j < self->n_templates; j++)
        for (size_t i = 0; i < self->templates[j].length; i++) self->templates[j].d[i] = INFINITY;
}

static sigrep_status scalar_seek(void *kernel, uint64_t position, const float *given)
{
    scalar_kernel *self = kernel;
    scalar_reset(self);
    self->position = position;
    for (size_t j = 0; j < self->n_templates; j++) {
        scalar_template *tmpl = &self->templates[j];
        const size_t bytes = tmpl->length * sizeof *tmpl->d;
        memcpy(tmpl->d, given, bytes);
        memcpy(checkpoint_at(&tmpl->checkpoints, position), tmpl->d, bytes);
        given += tmpl->length;
    }
    return SIGREP_OK;
}

static void scalar_destroy(void *kernel)
{
    scalar_kernel *self = kernel;
    if (!self) return;
    for (size_t j = 0; j < self->n_templates; j++) {
        free(self->templates[j].x);
        free(self->templates[j].d);
        checkpoints_free(&self->templates[j].checkpoints);
    }
    free(self);
}

static sigrep_status scalar_template_init(scalar_template *tmpl, const kernel_template *x,
                                          const kernel_plan *plan)
{
    tmpl->length = x->length;
    tmpl->x = malloc(x->length * plan->dim * sizeof *tmpl->x);
    tmpl->d = malloc(x->length * sizeof *tmpl->d);
    if (!tmpl->x || !tmpl->d) return SIGREP_NO_MEMORY;
    memcpy(tmpl->x, x->frames, x->length * plan->dim * sizeof *tmpl->x);
    return checkpoints_create(&tmpl->checkpoints, x->length, x->history, plan->max_chunk);
}

static sigrep_status scalar_create(void **kernel, const kernel_plan *plan)
{
    scalar_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    self->dim = plan->dim;
    self->max_chunk = plan->max_chunk;
    self->n_templates = plan->n_templates;
    for (size_t j = 0; j < plan->n_templates; j++) {
        sigrep_status status = scalar_template_init(&self->templates[j], &plan->templates[j], plan);
        if (status) {
            scalar_destroy(self);
            return status;
        }
    }
    scalar_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

/* fminf without the call, since no value is NaN. */
static float min(float a, float b)
{
    return a < b ? a : b;
}

/* The sum over the values of a frame, in index order, each addition rounded to float32. */
static float frame_cost(const float *x, const float *y, size_t dim)
{
    float sum = fabsf(x[0] - y[0]);
    for (size_t k = 1; k < dim; k++) sum += fabsf(x[k] - y[k]);
    return sum;
}

/* Replace D(.,t-1) by D(.,t):
 *
 *     diag = D(i-1,t-1)   left = D(i,t-1)
 *     up   = D(i-1,t)  -> D(i,t)
 */
static float scalar_column(float *d, const float *x, size_t length, const float *y, size_t dim)
{
    float diag = 0, up = 0;
    for (size_t i = 0; i < length; i++) {
        float left = d[i];
        float best = min(min(diag, left), up);
        diag = left;
        d[i] = up = best + frame_cost(x + i * dim, y, dim);
    }
    return up;
}

static void sweep_template(scalar_template *tmpl, const scalar_kernel *self, const float *frames,
                           size_t n, float *minima, float *scores)
{
    size_t block = 0;
    minima[0] = INFINITY;
    for (size_t t = 0; t < n; t++) {
        float score =
            scalar_column(tmpl->d, tmpl->x, tmpl->length, frames + t * self->dim, self->dim);
        minima[block] = min(minima[block], score);
        if (scores) scores[t] = score;
        uint64_t position = self->position + t + 1;
        if (position % tmpl->checkpoints.spacing == 0)
            memcpy(checkpoint_at(&tmpl->checkpoints, position), tmpl->d,
                   tmpl->length * sizeof *tmpl->d);
        if (position % KERNEL_BLOCK == 0) minima[++block] = INFINITY;
    }
}

static sigrep_status scalar_sweep(void *kernel, const float *frames, size_t n,
                                  const kernel_output *out)
{
    scalar_kernel *self = kernel;
    for (size_t j = 0; j < self->n_templates; j++)
        sweep_template(&self->templates[j], self, frames, n, out->minima + j * out->minima_stride,
                       out->scores ? out->scores + j * self->max_chunk : NULL);
    self->position += n;
    return SIGREP_OK;
}

/* The length of a chunk does not change the speed. */
static size_t scalar_chunk_size(const kernel_plan *plan)
{
    return chunk_size(plan, 1, 1);
}

static size_t scalar_spacing(const void *kernel, size_t index)
{
    return ((const scalar_kernel *)kernel)->templates[index].checkpoints.spacing;
}

static sigrep_status scalar_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    const scalar_template *tmpl = &((scalar_kernel *)kernel)->templates[index];
    memcpy(d, checkpoint_at(&tmpl->checkpoints, position), tmpl->length * sizeof *d);
    return SIGREP_OK;
}

const kernel_ops kernel_scalar = {
    .name = "scalar",
    .device = "cpu",
    .usable = usable_anywhere,
    .best_chunk = scalar_chunk_size,
    .create = scalar_create,
    .destroy = scalar_destroy,
    .sweep = scalar_sweep,
    .reset = scalar_reset,
    .seek = scalar_seek,
    .spacing = scalar_spacing,
    .checkpoint = scalar_checkpoint,
};
