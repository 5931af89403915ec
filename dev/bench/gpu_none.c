/* gpu_none.c - instead of gpu_limits.cu and gpu_timing.c, without CUDA. */
#include "dev/bench/gpu_limits.h"
#include "dev/bench/gpu_timing.h"

double gpu_sweeps_s(void *kernel, size_t n, int times)
{
    (void)kernel, (void)n, (void)times;
    return -1;
}

gpu_chunk gpu_last_chunk(const void *kernel)
{
    (void)kernel;
    return (gpu_chunk){.bad_seams = 0};
}

bool gpu_describe(int index, gpu_description *to)
{
    (void)index, (void)to;
    return false;
}

double gpu_ceiling(int device)
{
    (void)device;
    return 0;
}

double gpu_copy_rate(int device)
{
    (void)device;
    return 0;
}
