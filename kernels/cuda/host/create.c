/*
 * create.c - create and destroy a CUDA kernel:
 *
 *     sizes (init_template, share_states) -> streams, events -> memory.c -> templates to the GPU
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/host/cuda_kernel.h"

/* Enough for a large GPU. */
static const size_t STATES = (size_t)3 << 20, /* most floats that segments store at the same time */
    SEGMENTS = (size_t)1 << 17;               /* most segments at the same time */

enum {
    STAGED_VALUES =
        1 << 16,          /* values copied by way of staging even if the device could fetch them */
    MAX_COLUMNS = 1 << 30 /* columns of a sweep, which are counted in ints */
};

/* Lay out a template: samples in order, frames by cuda_frames_arrange. Missing rows cost +inf. */
static void arrange(const cuda_template *own, const kernel_template *x, size_t dim, float *to,
                    size_t size)
{
    for (size_t i = 0; i < size; i++) to[i] = INFINITY;
    for (size_t b = 0; b < own->bands; b++) {
        cuda_band_rows band = cuda_plan_band(own->length, dim, b);
        const float *from = x->frames + band.row * dim;
        const int rows = (int)band.rows;
        if (dim > 1)
            cuda_frames_arrange(to + band.x_at, from, rows, cuda_plan_frames_held(rows), (int)dim);
        else
            memcpy(to + band.x_at, from, band.rows * sizeof *to);
    }
}

static void init_template(cuda_kernel *self, size_t j, const kernel_template *x)
{
    cuda_template *own = &self->templates[j];
    own->length = x->length;
    own->state_rows = (x->length + CUDA_UNIT - 1) / CUDA_UNIT * CUDA_UNIT;
    own->spacing_shift = cuda_plan_spacing_shift(x->history);
    size_t least = ((self->max_chunk + x->history) >> own->spacing_shift) + 3;
    own->slots = 4;
    while (own->slots < least) own->slots *= 2;
    own->warm = CUDA_WARM;
    own->least = CUDA_BLOCK;
    own->bands = cuda_plan_bands(x->length, self->dim);
    self->several = self->several || own->bands > 1;
    if (own->state_rows > self->states) self->states = own->state_rows;
}

/* Floats that all templates together store: at least the longest one's state for each. */
static void share_states(cuda_kernel *self)
{
    size_t n = self->n_templates, share = STATES / n / CUDA_UNIT * CUDA_UNIT;
    if (share < self->states) share = self->states;
    self->states = share > SIZE_MAX / n ? SIZE_MAX : share * n;
    self->most_segments = SEGMENTS / n < 1 ? n : SEGMENTS / n * n;
}

static sigrep_status upload(cuda_kernel *self, const kernel_plan *plan)
{
    cudaError_t error = cudaSuccess;
    for (size_t j = 0; j < self->n_templates && !error; j++) {
        cuda_template *own = &self->templates[j];
        size_t size = cuda_x_size(self, own);
        float *x = calloc(size, sizeof *x);
        if (!x) return SIGREP_NO_MEMORY;
        arrange(own, &plan->templates[j], self->dim, x, size);
        error = cudaMemcpyAsync(own->x, x, size * sizeof *x, cudaMemcpyHostToDevice, self->stream);
        if (!error) error = cudaStreamSynchronize(self->stream);
        free(x);
    }
    return cuda_status(error);
}

static sigrep_status init(cuda_kernel *self, const kernel_plan *plan)
{
    if (self->max_chunk > MAX_COLUMNS - 2 * KERNEL_BLOCK) return SIGREP_NO_MEMORY;
    self->max_columns = (self->max_chunk / KERNEL_BLOCK + 4) * KERNEL_BLOCK;
    self->staged = self->max_columns;
    size_t few = STAGED_VALUES / self->dim / KERNEL_BLOCK * KERNEL_BLOCK + 4 * KERNEL_BLOCK;
    if (plan->pins && few < self->staged) self->staged = few;
    self->minima_stride = kernel_max_blocks(self->max_columns);
    for (size_t j = 0; j < self->n_templates; j++) init_template(self, j, &plan->templates[j]);
    share_states(self);
    cudaError_t error = cudaSetDevice(self->device);
    if (!error)
        error = cudaDeviceGetAttribute(&self->multiprocessors, cudaDevAttrMultiProcessorCount,
                                       self->device);
    if (!error) error = cudaStreamCreateWithFlags(&self->stream, cudaStreamNonBlocking);
    if (!error) error = cudaStreamCreateWithFlags(&self->copies, cudaStreamNonBlocking);
    for (int i = 0; i < CUDA_PLACES && !error; i++)
        error = cudaEventCreateWithFlags(&self->places[i].ahead, cudaEventDisableTiming);
    if (error) return cuda_status(error);
    sigrep_status status = cuda_memory_create(self, plan->scores);
    return status ? status : upload(self, plan);
}

sigrep_status cuda_kernel_create(void **kernel, const kernel_plan *plan)
{
    if (!cuda_start()) return SIGREP_NO_MEMORY;
    cuda_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    pthread_mutex_init(&self->prefetches, NULL);
    self->device = plan->device;
    self->dirty = true;
    self->dim = plan->dim;
    self->max_chunk = plan->max_chunk;
    self->n_templates = plan->n_templates;
    sigrep_status status = init(self, plan);
    if (!status) cuda_kernel_reset(self);
    if (!status) status = self->unset;
    if (status) {
        cuda_kernel_destroy(self);
        return status;
    }
    *kernel = self;
    return SIGREP_OK;
}

void cuda_kernel_destroy(void *kernel)
{
    cuda_kernel *self = kernel;
    if (!self) return;
    cudaSetDevice(self->device);
    if (self->copies) cudaStreamSynchronize(self->copies); /* a prefetch that no chunk took */
    if (self->stream) cudaStreamSynchronize(self->stream); /* a chunk that failed half-way */
    cuda_unpin(self);
    cuda_memory_free(self);
    for (int i = 0; i < CUDA_PLACES; i++)
        if (self->places[i].ahead) cudaEventDestroy(self->places[i].ahead);
    if (self->copies) cudaStreamDestroy(self->copies);
    if (self->stream) cudaStreamDestroy(self->stream);
    pthread_mutex_destroy(&self->prefetches);
    cudaGetLastError(); /* clears the error, or a later launch would return it */
    free(self);
}
