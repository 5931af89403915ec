/*
 * prefetch.c - copies frames to the device before the sweep of their chunk begins.
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
 */
#include "kernels/cuda/host/cuda_kernel.h"

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
