#include "dev/bench/gpu_timing.h"

#include <stdio.h>

#include "kernels/cuda/host/cuda_kernel.h"

/* Sweep columns of all templates between two events. */
static cudaError_t repeat(cuda_kernel *self, cuda_extent e, int times, cudaEvent_t begun,
                          cudaEvent_t ended)
{
    cudaError_t error = cudaEventRecord(begun, self->stream);
    for (int i = 0; i < times && !error; i++) error = cuda_evaluate(self, e, false);
    if (!error) error = cudaEventRecord(ended, self->stream);
    return error ? error : cudaEventSynchronize(ended);
}

/* The frames are still on the device, and so is the state from which the chunk began. */
double gpu_sweeps_s(void *kernel, size_t n, int times)
{
    cuda_kernel *self = kernel;
    const uint64_t position = self->position, carried = self->carried;
    const int turn = self->turn;
    self->position -= n;
    self->carried = self->position / CUDA_BLOCK * CUDA_BLOCK;
    if (self->carried != carried) self->turn = !turn;
    self->answer.there = NULL; /* minima are not copied */

    cudaEvent_t begun = NULL, ended = NULL;
    float ms = 0;
    cudaError_t error = cudaSetDevice(self->device);
    if (!error) error = cudaEventCreate(&begun);
    if (!error) error = cudaEventCreate(&ended);
    if (!error) error = repeat(self, cuda_extent_of(self, n), times, begun, ended);
    if (!error) error = cudaEventElapsedTime(&ms, begun, ended);
    if (begun) cudaEventDestroy(begun);
    if (ended) cudaEventDestroy(ended);
    self->position = position;
    self->carried = carried;
    self->turn = turn;
    return cuda_status(error) ? -1 : 1e-3 * (double)ms / times;
}

gpu_chunk gpu_last_chunk(const void *kernel)
{
    const cuda_kernel *self = kernel;
    const cuda_sweep *cut = &self->templates[0].cut;
    return (gpu_chunk){
        .bad_seams = self->bad_seams, .segments = cut->segments, .length = cut->length};
}

bool gpu_describe(int index, gpu_description *to)
{
    *to = (gpu_description){.memory = 0};
    struct cudaDeviceProp properties;
    int khz = 0;
    cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (!error) error = cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, index);
    if (!error) error = cudaDriverGetVersion(&to->driver);
    if (!error) error = cudaRuntimeGetVersion(&to->runtime);
    if (cuda_status(error)) return false;
    snprintf(to->name, sizeof to->name, "%s", properties.name);
    to->multiprocessors = properties.multiProcessorCount;
    to->capability = 10 * properties.major + properties.minor;
    to->memory = properties.totalGlobalMem;
    to->clock_ghz = 1e-6 * khz;
    return true;
}
