/* gpu_limits_none.c - instead of gpu_limits.cu, without CUDA. */
#include "dev/bench/gpu_limits.h"

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
