/* timing.c - for benchmarks: the time of a chunk on the device, and the device's description. */
#include <stdio.h>

#include "kernels/cuda/host/cuda.h"
#include "kernels/cuda/host/cuda_kernel.h"

void cuda_time(void *kernel, int times)
{
    cuda_kernel *self = kernel;
    self->times = times;
}

cuda_timing cuda_timed(const void *kernel)
{
    const cuda_kernel *self = kernel;
    const cuda_sweep *cut = &self->templates[0].cut;
    return (cuda_timing){.device_s = self->device_s,
                         .bad_seams = self->bad_seams,
                         .prefetched = self->prefetched,
                         .segments = cut->segments,
                         .length = cut->length};
}

bool cuda_describe(int index, cuda_machine *machine)
{
    *machine = (cuda_machine){.memory = 0};
    struct cudaDeviceProp properties;
    int khz = 0;
    cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (!error) error = cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, index);
    if (!error) error = cudaDriverGetVersion(&machine->driver);
    if (!error) error = cudaRuntimeGetVersion(&machine->runtime);
    if (cuda_status(error)) return false;
    snprintf(machine->name, sizeof machine->name, "%s", properties.name);
    machine->multiprocessors = properties.multiProcessorCount;
    machine->capability = 10 * properties.major + properties.minor;
    machine->memory = properties.totalGlobalMem;
    machine->clock_ghz = 1e-6 * khz;
    return true;
}
