/* cuda.c - the CUDA kernels as registry.c sees them, and the machine they need. */
#include "kernels/cuda/host/cuda.h"

#include "filter/status.h"
#include "kernels/cuda/host/cuda_kernel.h"

enum { LEAST_CAPABILITY = 75 };

sigrep_status cuda_status(cudaError_t error)
{
    if (!error) return SIGREP_OK;
    cudaGetLastError(); /* told now: not to be taken for what a later launch gave */
    return error == cudaErrorMemoryAllocation ? SIGREP_DEVICE_MEMORY : SIGREP_DEVICE_FAILED;
}

static bool refuse(sigrep_error *error, const char *words)
{
    status_fail(error, SIGREP_NO_KERNEL, "%s", words);
    return false;
}

bool cuda_usable(int index, sigrep_error *error)
{
    int n = 0, major = 0, minor = 0;
    cudaError_t bad = cudaGetDeviceCount(&n);
    if (bad == cudaErrorInsufficientDriver) return refuse(error, "no NVIDIA driver, or too old");
    if (bad == cudaErrorNoDevice || (!bad && n == 0)) return refuse(error, "no NVIDIA GPU");
    if (bad) return refuse(error, cudaGetErrorString(bad));
    if (index >= n) {
        status_fail(error, SIGREP_NO_KERNEL, "there is no GPU %d, only %d", index, n);
        return false;
    }
    bad = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index);
    if (!bad) bad = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index);
    if (bad) return refuse(error, cudaGetErrorString(bad));
    if (10 * major + minor >= LEAST_CAPABILITY) return true;
    status_fail(error, SIGREP_NO_KERNEL, "the GPU is too old (compute capability %d.%d)", major,
                minor);
    return false;
}

int cuda_count(void)
{
    int n = 0;
    return cudaGetDeviceCount(&n) ? 0 : n;
}

static bool usable(void)
{
    return cuda_usable(0, NULL);
}

static sigrep_status create_any(void **kernel, const kernel_plan *plan)
{
    return cuda_kernel_create(kernel, plan, CUDA_ANY);
}

static sigrep_status create_band(void **kernel, const kernel_plan *plan)
{
    return cuda_kernel_create(kernel, plan, CUDA_BAND);
}

static sigrep_status create_handover(void **kernel, const kernel_plan *plan)
{
    return cuda_kernel_create(kernel, plan, CUDA_HANDOVER);
}

static sigrep_status create_wavefront(void **kernel, const kernel_plan *plan)
{
    return cuda_kernel_create(kernel, plan, CUDA_WAVEFRONT);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): initializers */
#define CUDA_OPS(NAME, CREATE)                                                                     \
    {                                                                                              \
        .name = NAME, .device = "cuda", .usable = usable, .chunk = cuda_kernel_chunk,              \
        .create = CREATE, .destroy = cuda_kernel_destroy, .pin = cuda_kernel_pin,                  \
        .prefetch = cuda_kernel_prefetch, .step = cuda_kernel_step, .reset = cuda_kernel_reset,    \
        .seek = cuda_kernel_seek, .spacing = cuda_kernel_spacing, .columns = cuda_kernel_columns,  \
        .column = cuda_kernel_column,                                                              \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

const kernel_ops kernel_cuda = CUDA_OPS("cuda", create_any);
const kernel_ops kernel_handover = CUDA_OPS("handover", create_handover);
const kernel_ops kernel_band = CUDA_OPS("band", create_band);
const kernel_ops kernel_wavefront = CUDA_OPS("wavefront", create_wavefront);
