/*
 * publish.cu - prepares memory before a chunk's sweeps, and publishes their results to the host.
 *
 *     prepare    minima = +inf, counters = 0
 *     publish    counters, then minima if all seams hold, then the number   --> pinned host memory
 *
 * Two copies and a wait for the stream would take longer than all the rest of a short sweep.
 */
#include "kernels/cuda/launch.h"

namespace
{

enum { THREADS = 256, MINIMA_A_THREAD = 4, MOST_BLOCKS = 512 };

__global__ void prepare(float *to, size_t n, int *counters, int n_counters)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = __int_as_float(0x7f800000);
    if (i < (size_t)n_counters) counters[i] = 0;
}

/* Each block reads all counters; the first one publishes them. */
__device__ __forceinline__ bool all_are_0(const cuda_publication &p)
{
    int any = 0;
#pragma unroll 1 /* few instructions to fetch: it runs once */
    for (int i = (int)threadIdx.x; i < p.n_counters; i += THREADS) {
        const int counter = p.counters[i];
        any |= counter;
        if (blockIdx.x == 0) p.host_counters[i] = counter;
    }
    return !__syncthreads_or(any);
}

__device__ __forceinline__ void give_minima(const cuda_publication &p)
{
    const size_t all = p.n * p.n_templates;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < all;
         i += (size_t)gridDim.x * THREADS) {
        const size_t j = i / p.n, block = i % p.n;
        float *minimum = p.minima + j * p.stride + block;
        if (p.to) p.to[j * p.to_stride + block] = *minimum;
        *minimum = __int_as_float(0x7f800000);
    }
}

/* The number becomes visible after all writes of all blocks. The barrier orders a block's writes
 * before its first thread's fence, and the fence before its arrival. The last block to arrive has
 * seen all others. See "Memory Fence Functions" in the CUDA C++ Programming Guide. */
__global__ void __launch_bounds__(THREADS) publish(const cuda_publication p)
{
    if (all_are_0(p) && p.minima) give_minima(p);
    __syncthreads();
    if (threadIdx.x) return;
    __threadfence_system();
    if (gridDim.x > 1) { /* the count wraps to 0 with the last one */
        if (atomicInc(p.arrived, gridDim.x - 1) != gridDim.x - 1) return;
        __threadfence_system();
    }
    *(volatile unsigned long long *)p.host_number = p.number;
}

} // namespace

cudaError_t cuda_prepare(float *to, size_t n, int *counters, int n_counters, cudaStream_t stream)
{
    const size_t most = n > (size_t)n_counters ? n : (size_t)n_counters;
    prepare<<<(unsigned)((most + THREADS - 1) / THREADS), THREADS, 0, stream>>>(to, n, counters,
                                                                                n_counters);
    return cudaGetLastError();
}

cudaError_t cuda_publish(const cuda_publication *p)
{
    const size_t a_block = (size_t)THREADS * MINIMA_A_THREAD;
    const size_t all = p->minima ? p->n * p->n_templates : 0;
    size_t blocks = (all + a_block - 1) / a_block;
    if (blocks < 1) blocks = 1;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    publish<<<(unsigned)blocks, THREADS, 0, p->stream>>>(*p);
    return cudaGetLastError();
}
