/*
 * seams.cu - the certificate: does every segment end as the next one was after its warm-up?
 * before[k] and after[k-1] are compared for all k at once, as two arrays one segment apart.
 */
#include "kernels/cuda/launch.h"

namespace
{

__global__ void check(const cuda_launch launch, cuda_seam *bad, int *n_bad, int *marks)
{
    const cuda_sweep &it = launch.items[blockIdx.y];
    const size_t n = (size_t)(it.segments - 1) * it.rows;
    const int *before = reinterpret_cast<const int *>(it.before) + it.rows;
    const int *after = reinterpret_cast<const int *>(it.after);
    int *mark = marks;
    for (unsigned i = 0; i < blockIdx.y; i++) mark += launch.items[i].segments;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        if (before[i] == after[i]) continue;
        const int segment = (int)(i / it.rows) + 1;
        if (atomicExch(&mark[segment], 1)) continue;
        bad[atomicAdd(n_bad, 1)] = cuda_seam{(int)blockIdx.y, segment};
    }
}

__global__ void mend(const cuda_launch launch)
{
    const cuda_seam seam = launch.seams[blockIdx.x];
    const cuda_sweep &it = launch.items[seam.item];
    float *before = it.before + (size_t)seam.segment * it.rows;
    const float *after = it.after + (size_t)(seam.segment - 1) * it.rows;
    for (int i = threadIdx.x; i < it.rows; i += blockDim.x) before[i] = after[i];
}

__global__ void fill_infinite(float *to, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = __int_as_float(0x7f800000);
}

} // namespace

cudaError_t cuda_fill_infinite(float *to, size_t n, cudaStream_t stream)
{
    fill_infinite<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>(to, n);
    return cudaGetLastError();
}

cudaError_t cuda_seams_check(const cuda_launch *launch, cuda_seam *bad, int *n_bad, int *marks)
{
    enum { THREADS = 256, EACH = 4, MOST_BLOCKS = 2048 };
    size_t most = 0;
    for (int i = 0; i < launch->n_items; i++) {
        const size_t n = (size_t)(launch->host[i].segments - 1) * launch->host[i].rows;
        if (n > most) most = n;
    }
    if (!most) return cudaSuccess;
    size_t blocks = (most + THREADS * EACH - 1) / (THREADS * EACH);
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    check<<<dim3(blocks, launch->n_items), THREADS, 0, launch->stream>>>(*launch, bad, n_bad,
                                                                         marks);
    return cudaGetLastError();
}

cudaError_t cuda_seams_mend(const cuda_launch *launch)
{
    mend<<<launch->n_seams, 256, 0, launch->stream>>>(*launch);
    return cudaGetLastError();
}
