/* state.c - copies states and checkpoints between the device and the host. */
#include <string.h>

#include "kernels/cuda/host/cuda_kernel.h"

/* A cold start may still be under way on return. The stream does the next chunk after it. */
void cuda_kernel_reset(void *kernel)
{
    cuda_kernel *self = kernel;
    cuda_prefetch_forget(self);
    self->position = self->carried = 0;
    self->turn = 0;
    cudaError_t error = cudaSetDevice(self->device);
    if (!error)
        error =
            cuda_prepare(self->templates[0].carry[0], self->first_states, NULL, 0, self->stream);
    self->unset = cuda_status(error);
}

static cudaError_t copy_floats(float *to, const float *from, size_t n, enum cudaMemcpyKind kind,
                               const cuda_kernel *self)
{
    return cudaMemcpyAsync(to, from, n * sizeof *to, kind, self->stream);
}

static float *checkpoint_at(const cuda_template *own, uint64_t position)
{
    const size_t slot = (size_t)((position >> own->spacing_shift) % own->slots);
    return own->checkpoints + slot * own->state_rows;
}

sigrep_status cuda_kernel_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    cuda_kernel *self = kernel;
    const cuda_template *own = &self->templates[index];
    cudaError_t error = cudaSetDevice(self->device);
    if (!error)
        error =
            copy_floats(d, checkpoint_at(own, position), own->length, cudaMemcpyDeviceToHost, self);
    if (!error) error = cudaStreamSynchronize(self->stream);
    return cuda_status(error);
}

/* Copies all to pinned memory first: one wait for all templates. */
sigrep_status cuda_kernel_checkpoints(void *kernel, uint64_t position, float *d)
{
    cuda_kernel *self = kernel;
    float *to = self->host_checkpoints;
    cudaError_t error = cudaSetDevice(self->device);
    for (size_t j = 0; j < self->n_templates && !error; j++) {
        const cuda_template *own = &self->templates[j];
        error = copy_floats(to, checkpoint_at(own, position), own->length, cudaMemcpyDeviceToHost,
                            self);
        to += own->length;
    }
    if (!error) error = cudaStreamSynchronize(self->stream);
    if (!error)
        memcpy(d, self->host_checkpoints, (size_t)(to - self->host_checkpoints) * sizeof *d);
    return cuda_status(error);
}
