/* cuda.c - the CUDA kernels' table for registry.c, and which machine they need. */
#include "kernels/cuda/host/cuda.h"

#include <stdio.h>

#pragma GCC visibility push(hidden) /* else libsigrep.a would show the names of these functions */
#include "kernels/cuda/host/cuda_kernel.h"
#pragma GCC visibility pop

enum { LEAST_CAPABILITY = 75 };

static bool refuse(sigrep_error *error, const char *words)
{
    snprintf(error->text, sizeof error->text, "%s", words);
    return false;
}

bool cuda_usable(int index, sigrep_error *error)
{
    sigrep_error unwanted;
    int n = 0, major = 0, minor = 0;
    if (!error) error = &unwanted;
    if (!cuda_start()) return refuse(error, "out of memory");
    cudaError_t bad = cudaGetDeviceCount(&n);
    if (bad == cudaErrorInsufficientDriver) return refuse(error, "no NVIDIA driver, or too old");
    if (bad == cudaErrorNoDevice || (!bad && n == 0)) return refuse(error, "no NVIDIA GPU");
    if (bad) return refuse(error, cudaGetErrorString(bad));
    if (index >= n) {
        snprintf(error->text, sizeof error->text, "there is no GPU %d, only %d", index, n);
        return false;
    }
    bad = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index);
    if (!bad) bad = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index);
    if (bad) return refuse(error, cudaGetErrorString(bad));
    if (10 * major + minor >= LEAST_CAPABILITY) return true;
    snprintf(error->text, sizeof error->text, "the GPU is too old (compute capability %d.%d)",
             major, minor);
    return false;
}

int cuda_count(void)
{
    int n = 0;
    return !cuda_start() || cudaGetDeviceCount(&n) ? 0 : n;
}

static bool usable(void)
{
    return cuda_usable(0, NULL);
}

static const kernel_prefetch_ops prefetch = {.pin = cuda_kernel_pin, .copy = cuda_kernel_prefetch};

const kernel_ops kernel_cuda = {
    .name = "cuda",
    .device = "cuda",
    .usable = usable,
    .best_chunk = cuda_kernel_best_chunk,
    .create = cuda_kernel_create,
    .destroy = cuda_kernel_destroy,
    .sweep = cuda_kernel_sweep,
    .reset = cuda_kernel_reset,
    .spacing = cuda_kernel_spacing,
    .checkpoint = cuda_kernel_checkpoint,
    .checkpoints = cuda_kernel_checkpoints,
    .prefetch = &prefetch,
};
