/*
 * prefetch.c - pins memory of the caller, which the device then reads and writes by itself, and
 * copies frames from there to the device before the sweep of their chunk begins.
 *
 *     place 0   | chunk k, being swept |  free        | chunk k + 2 ...
 *     place 1   | chunk k + 1 arrives  |  being swept | ...
 *
 * A stream of its own copies into a place that no chunk uses. The chunk then waits for the place's
 * event and copies the rest, so it does not wait for copies of later chunks.
 *
 * Prefetches come from another thread than sweeps, so a lock guards all of a place but its frames.
 * Results do not depend on what a caller prefetches, as long as the frames stay the same until
 * reset. A prefetch never takes a place that is in use or holds another prefetch; without a free
 * place it does nothing.
 *
 * If pinning fails, the device still fetches the frames, perhaps more slowly. If the device has no
 * address for the memory, minima come by way of our own pinned memory.
 */
#include "kernels/cuda/host/cuda_kernel.h"

/* ---- pinned memory ---- */

sigrep_status cuda_kernel_pin(void *kernel, float *memory, size_t floats)
{
    cuda_kernel *self = kernel;
    cudaError_t error = cudaSetDevice(self->device);
    if (error) return cuda_status(error);
    int i = 0;
    while (i < CUDA_MAX_PINNED && self->areas[i].memory) i++;
    if (i == CUDA_MAX_PINNED) return SIGREP_OK;
    error = cudaHostRegister(memory, floats * sizeof *memory, cudaHostRegisterMapped);
    cuda_status(error); /* if the device is lost, the next sweep reports it */
    if (error) return SIGREP_OK;
    self->areas[i] = (cuda_pinned){.memory = memory, .floats = floats};
    void *there = NULL;
    error = cudaHostGetDevicePointer(&there, memory, 0);
    if (!error) self->areas[i].there = there;
    cuda_status(error);
    return SIGREP_OK;
}

const cuda_pinned *cuda_pinned_with(const cuda_kernel *self, const float *floats)
{
    for (int i = 0; i < CUDA_MAX_PINNED; i++) {
        const cuda_pinned *area = &self->areas[i];
        if (area->memory && floats >= area->memory && floats < area->memory + area->floats)
            return area;
    }
    return NULL;
}

void cuda_unpin(cuda_kernel *self)
{
    for (int i = 0; i < CUDA_MAX_PINNED; i++)
        if (self->areas[i].memory) cudaHostUnregister(self->areas[i].memory);
}

/* ---- prefetches ---- */

static cuda_place *prefetched_for(cuda_kernel *self, uint64_t position)
{
    for (int i = 0; i < CUDA_PLACES; i++)
        if (self->places[i].n && self->places[i].position == position) return &self->places[i];
    return NULL;
}

/* A free place, or NULL. */
static cuda_place *vacant(cuda_kernel *self)
{
    for (int i = 0; i < CUDA_PLACES; i++)
        if (!self->places[i].n && !self->places[i].at_work) return &self->places[i];
    return NULL;
}

/* Copy the frames that are new since the last call. A chunk's columns begin at a whole block. If
 * the event cannot be recorded, wait for the copy here. */
static void copy_ahead(cuda_kernel *self, cuda_place *to, uint64_t position, const float *frames,
                       size_t n)
{
    const size_t dim = self->dim, first = (size_t)(position % CUDA_BLOCK), had = to->n;
    cudaError_t error = cudaSetDevice(self->device);
    if (error) {
        cuda_status(error); /* if the device is lost, the sweep reports it */
        return;
    }
    to->copied = true;
    error = cudaMemcpyAsync(to->frames + (first + had) * dim, frames + had * dim,
                            (n - had) * dim * sizeof *frames, cudaMemcpyHostToDevice, self->copies);
    if (!error) {
        error = cudaEventRecord(to->ahead, self->copies);
        if (error) cudaStreamSynchronize(self->copies);
    }
    if (cuda_status(error)) return;
    to->position = position;
    to->n = n;
}

/* Short chunks are staged. For memory that is not pinned, the caller's thread would copy. */
void cuda_kernel_prefetch(void *kernel, uint64_t position, const float *frames, size_t n)
{
    cuda_kernel *self = kernel;
    if (n > self->max_chunk) n = self->max_chunk;
    if (n <= self->staged || !cuda_pinned_with(self, frames)) return;
    pthread_mutex_lock(&self->prefetches);
    cuda_place *to = prefetched_for(self, position);
    if (!to) to = vacant(self);
    if (to && n > to->n) copy_ahead(self, to, position, frames, n);
    pthread_mutex_unlock(&self->prefetches);
}

void cuda_prefetch_forget(cuda_kernel *self)
{
    pthread_mutex_lock(&self->prefetches);
    for (int i = 0; i < CUDA_PLACES; i++) self->places[i].n = 0;
    pthread_mutex_unlock(&self->prefetches);
}

/* The place for the chunk at `position`: its prefetch's, or one without a later prefetch. */
static cuda_place *choose(cuda_kernel *self)
{
    for (int i = 0; i < CUDA_PLACES; i++) /* no chunk begins there any more */
        if (self->places[i].position < self->position) self->places[i].n = 0;
    cuda_place *found = prefetched_for(self, self->position);
    if (!found) found = vacant(self);
    return found ? found : &self->places[0];
}

cudaError_t cuda_prefetch_take(cuda_kernel *self, size_t *n)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&self->prefetches);
    cuda_place *place = choose(self);
    *n = place->position == self->position ? place->n : 0;
    place->n = 0;
    place->at_work = true;
    self->frames = place->frames;
    if (place->copied) { /* perhaps by a prefetch that no chunk took */
        error = cudaStreamWaitEvent(self->stream, place->ahead, 0);
        place->copied = false;
    }
    pthread_mutex_unlock(&self->prefetches);
    return error;
}

void cuda_prefetch_done(cuda_kernel *self)
{
    pthread_mutex_lock(&self->prefetches);
    for (int i = 0; i < CUDA_PLACES; i++) self->places[i].at_work = false;
    pthread_mutex_unlock(&self->prefetches);
}
