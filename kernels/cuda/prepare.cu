/* prepare.cu - what a step has to have before its sweeps begin. */
#include "kernels/cuda/launch.h"

namespace
{

__global__ void prepare(float *to, size_t n, int *counters, int n_counters)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = __int_as_float(0x7f800000);
    if (i < (size_t)n_counters) counters[i] = 0;
}

} // namespace

cudaError_t cuda_prepare(float *to, size_t n, int *counters, int n_counters, cudaStream_t stream)
{
    const size_t most = n > (size_t)n_counters ? n : (size_t)n_counters;
    prepare<<<(unsigned)((most + 255) / 256), 256, 0, stream>>>(to, n, counters, n_counters);
    return cudaGetLastError();
}
