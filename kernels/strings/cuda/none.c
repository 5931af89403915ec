/* none.c - stands for the CUDA kernel for strings if sigrep is built without CUDA. */
#include "kernels/strings/strings.h"

static bool usable(void)
{
    return false;
}

double string_cuda_device_s(const string_sweep *s)
{
    (void)s;
    return 0;
}

const string_ops string_cuda = {.name = "cuda", .usable = usable};
