/*
 * cuda_prefetch.c - frames that are copied to the device before the step that they are for begins.
 * A stream of its own copies them into whichever of two places no step works in; the step then
 * waits for it by the place's event, and copies only what was not prefetched. So it does not wait
 * for copies that are for the step after it.
 *
 * Offers come from another thread than steps do, so all of a place but its frames is behind a lock.
 * Nothing depends on what a caller prefetches, but that frames at a position are the same until
 * reset: an prefetch never goes to a place that a step works in, or that holds another prefetch,
 * and is refused where there is no other.
 */
#include "kernels/cuda/host/cuda_kernel.h"

static cuda_place *prefetched_for(cuda_kernel *self, uint64_t position)
{
    for (int i = 0; i < CUDA_PLACES; i++)
        if (self->places[i].n && self->places[i].position == position) return &self->places[i];
    return NULL;
}

/* A place for another prefetch; NULL: there is none. */
static cuda_place *vacant(cuda_kernel *self)
{
    for (int i = 0; i < CUDA_PLACES; i++)
        if (!self->places[i].n && !self->places[i].at_work) return &self->places[i];
    return NULL;
}

/* What is new of an prefetch. The columns of a step begin at a whole block. Copies that no event is
 * behind are waited for here. */
static void copy_ahead(cuda_kernel *self, cuda_place *to, uint64_t position, const float *frames,
                       size_t n)
{
    const size_t dim = self->dim, first = (size_t)(position % CUDA_BLOCK), had = to->n;
    cudaError_t error = cudaSetDevice(self->device);
    if (error) {
        cuda_status(error); /* forgotten: should the device be lost, the step tells */
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

/* Short steps are staged, and what is not pinned would be copied by the caller's thread. */
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

/* The place of the step at `position`: that of its prefetch, or any that holds no later one. */
static cuda_place *choose(cuda_kernel *self)
{
    for (int i = 0; i < CUDA_PLACES; i++) /* no step will come there any more */
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
    if (place->copied) { /* perhaps an prefetch that was never taken */
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
