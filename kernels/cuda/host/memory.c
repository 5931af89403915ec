/*
 * memory.c - all memory of a CUDA kernel: one allocation on the device, one of pinned memory.
 *
 *     device     places[0].frames, places[1].frames       a chunk's samples or frames, and the next
 *                turned                                   frames of several values, transposed
 *                between[0], between[1]                   the row between two bands
 *                before, after, tickets                   states at seams
 *                items                                    sweeps of one launch
 *                bad[0], bad[1], n_bad, arrived, marks    failed seams, counters
 *                device_minima
 *                carry[0] of template 0, 1, ...           together, so that one launch resets them
 *                carry[1], x, checkpoints, scores         of template 0, then of template 1, ...
 *
 *     pinned     staging                                  frames on their way to the device
 *                host_items, host_n_bad, published
 *                host_checkpoints, host_minima            results on their way back
 */
#include <string.h>

#include "kernels/cuda/host/cuda_kernel.h"

/* Bytes of the device's memory that stay free for the driver and for other programs. */
static const size_t SPARE_BYTES = (size_t)256 << 20;

enum { ALIGNMENT = 256 }; /* bytes */

/* Two passes over the same list: the first counts bytes, the second hands out addresses. */
typedef struct {
    char *base;
    size_t used;
} arena;

static void *take(arena *a, size_t count, size_t size)
{
    if (a->used == SIZE_MAX || (count && size > (SIZE_MAX / 4 - a->used) / count)) {
        a->used = SIZE_MAX;
        return NULL;
    }
    void *p = a->base ? a->base + a->used : NULL;
    a->used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return p;
}

static float *take_floats(arena *a, size_t count)
{
    return take(a, count, sizeof(float));
}

size_t cuda_x_size(const cuda_kernel *self, const cuda_template *own)
{
    return cuda_plan_band(own->length, self->dim, own->bands).x_at;
}

static void place_template(arena *a, cuda_kernel *self, cuda_template *own, bool scores)
{
    own->carry[1] = take_floats(a, own->state_rows);
    own->x = take_floats(a, cuda_x_size(self, own));
    own->checkpoints = take(a, own->slots, own->state_rows * sizeof(float));
    own->scores = scores ? take_floats(a, self->max_columns) : NULL;
}

/* Whole blocks, and the columns that may be read beyond. */
static size_t turned_columns(const cuda_kernel *self)
{
    return (self->max_columns + CUDA_AHEAD + CUDA_BLOCK - 1) / CUDA_BLOCK * CUDA_BLOCK;
}

static void place_device(arena *a, cuda_kernel *self, bool scores)
{
    const size_t width = self->max_columns;
    for (int i = 0; i < CUDA_PLACES; i++) /* the second one is for prefetches */
        self->places[i].frames =
            take(a, i && self->staged == width ? 0 : width, self->dim * sizeof(float));
    self->turned = self->dim > 1 ? take(a, turned_columns(self), self->dim * sizeof(float)) : NULL;
    for (int i = 0; i < 2; i++) {
        self->between[i] = take_floats(a, self->several ? ALIGNMENT + width + ALIGNMENT : 0);
        if (self->between[i]) self->between[i] += ALIGNMENT; /* column -1 lies before it */
    }
    self->before = take_floats(a, self->states);
    self->after = take_floats(a, self->states);
    self->tickets = take(a, self->states, sizeof *self->tickets);
    self->items = take(a, self->n_templates, sizeof *self->items);
    for (int i = 0; i < 2; i++) self->bad[i] = take(a, self->most_segments, sizeof *self->bad[i]);
    self->n_bad = take(a, CUDA_COUNTERS, sizeof *self->n_bad);
    self->arrived = take(a, 1, sizeof *self->arrived);
    self->marks = take(a, self->most_segments, sizeof *self->marks);
    self->device_minima = take(a, self->n_templates, self->minima_stride * sizeof(float));
    const size_t begin = a->used;
    for (size_t j = 0; j < self->n_templates; j++)
        self->templates[j].carry[0] = take_floats(a, self->templates[j].state_rows);
    self->first_states = (a->used - begin) / sizeof(float);
    for (size_t j = 0; j < self->n_templates; j++) {
        cuda_template *own = &self->templates[j];
        own->minima = self->device_minima ? self->device_minima + j * self->minima_stride : NULL;
        place_template(a, self, own, scores);
    }
}

/* cudaMallocHost gives memory with the same address on the device, which writes to some of it by
 * itself. That holds with unified addressing, which 64-bit systems have. */
static void place_pinned(arena *a, cuda_kernel *self)
{
    self->staging = take(a, self->staged, self->dim * sizeof(float));
    self->host_items = take(a, self->n_templates, sizeof *self->host_items);
    self->host_n_bad = take(a, CUDA_COUNTERS, sizeof *self->host_n_bad);
    self->published = take(a, 1, sizeof *self->published);
    size_t rows = 0;
    for (size_t j = 0; j < self->n_templates; j++) rows += self->templates[j].length;
    self->host_checkpoints = take_floats(a, rows);
    self->host_minima = take(a, self->n_templates, self->minima_stride * sizeof(float));
}

/* Clear counters and marks, and the columns that kernels read ahead without use. */
static cudaError_t clear(const cuda_kernel *self)
{
    const size_t width = self->max_columns * sizeof(float);
    cudaError_t error =
        cudaMemsetAsync(self->tickets, 0, self->states * sizeof *self->tickets, self->stream);
    if (!error) error = cudaMemsetAsync(self->arrived, 0, sizeof *self->arrived, self->stream);
    if (!error)
        error = cudaMemsetAsync(self->marks, 0, self->most_segments * sizeof *self->marks,
                                self->stream);
    for (int i = 0; i < CUDA_PLACES && !error; i++)
        if (!i || self->staged < self->max_columns)
            error = cudaMemsetAsync(self->places[i].frames, 0, width * self->dim, self->stream);
    if (!error && self->turned)
        error = cudaMemsetAsync(self->turned, 0, turned_columns(self) * sizeof(float) * self->dim,
                                self->stream);
    for (int i = 0; i < 2 && !error && self->several; i++)
        error = cudaMemsetAsync(self->between[i], 0, width, self->stream);
    return error;
}

sigrep_status cuda_memory_create(cuda_kernel *self, bool scores)
{
    arena device = {0}, pinned = {0};
    place_device(&device, self, scores);
    place_pinned(&pinned, self);
    if (device.used == SIZE_MAX || pinned.used == SIZE_MAX) return SIGREP_NO_MEMORY;
    size_t free_bytes = 0, all_bytes = 0;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all_bytes);
    if (error) return cuda_status(error);
    if (device.used > all_bytes || device.used + SPARE_BYTES > free_bytes)
        return SIGREP_DEVICE_MEMORY;
    error = cudaMalloc(&self->memory, device.used);
    if (!error) error = cudaMallocHost(&self->pinned, pinned.used);
    if (error) return cuda_status(error);
    device = (arena){.base = self->memory};
    pinned = (arena){.base = self->pinned};
    place_device(&device, self, scores);
    place_pinned(&pinned, self);
    memset(self->pinned, 0, pinned.used);
    return cuda_status(clear(self));
}

void cuda_memory_free(cuda_kernel *self)
{
    cudaFree(self->memory);
    cudaFreeHost(self->pinned);
}
