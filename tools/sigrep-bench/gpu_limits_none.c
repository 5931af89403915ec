/* gpu_limits_none.c - in the place of gpu_limits.cu where there is no CUDA. */
#include "tools/sigrep-bench/gpu_limits.h"

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
