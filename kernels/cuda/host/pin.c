/*
 * pin.c - memory of the caller that the device reads and writes by itself.
 *
 * Memory is pinned for all devices, so another member of a multi-device kernel may have pinned it
 * already. If pinning fails, the device still fetches the frames, perhaps more slowly. If the
 * device has no address for the memory, minima come by way of our own pinned memory.
 */
#include "kernels/cuda/host/cuda_kernel.h"

sigrep_status cuda_kernel_pin(void *kernel, float *memory, size_t floats)
{
    cuda_kernel *self = kernel;
    cudaError_t error = cudaSetDevice(self->device);
    if (error) return cuda_status(error);
    int i = 0;
    while (i < CUDA_MAX_PINNED && self->areas[i].memory) i++;
    if (i == CUDA_MAX_PINNED) return SIGREP_OK;
    error = cudaHostRegister(memory, floats * sizeof *memory,
                             cudaHostRegisterPortable | cudaHostRegisterMapped);
    cuda_status(error); /* if the device is lost, the next sweep reports it */
    if (error && error != cudaErrorHostMemoryAlreadyRegistered) return SIGREP_OK;
    self->areas[i] = (cuda_pinned){.memory = memory, .floats = floats, .own = !error};
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
        if (self->areas[i].own) cudaHostUnregister(self->areas[i].memory);
}
