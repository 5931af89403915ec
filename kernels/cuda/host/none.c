/* none.c - stands for the CUDA kernels if the library is built without CUDA: none is usable. */
#include "kernels/cuda/host/cuda.h"

#include <stdio.h>

bool cuda_usable(int index, sigrep_error *error)
{
    (void)index;
    if (error) snprintf(error->text, sizeof error->text, "built without CUDA");
    return false;
}

int cuda_count(void)
{
    return 0;
}

static bool none_usable(void)
{
    return false;
}

const kernel_ops kernel_cuda = {.name = "cuda", .device = "cuda", .usable = none_usable};
