/* transpose.cu - brings frames into the order in which frames.cu reads them (frames_layout.cuh). */
#include "kernels/cuda/device/frames_layout.cuh"

namespace
{

constexpr int VALUES = 64; /* of a frame, at once */

/* By way of shared memory, so that reads and writes both run along rows. */
__global__ void transpose(float *to, const float *from, int n, int dim)
{
    constexpr int COLUMNS = W * IN_GROUP;
    __shared__ float square[COLUMNS][VALUES + 1];
    const int t = blockIdx.x * COLUMNS, columns = min(COLUMNS, n - t);
    const int k = blockIdx.y * VALUES, values = min(VALUES, dim - k);
    from += (size_t)t * dim + k;
    to += share_at(t / W, W, dim) + k * COLUMNS;
    for (int i = threadIdx.x; i < columns * values; i += blockDim.x)
        square[i / values][i % values] = from[(size_t)(i / values) * dim + i % values];
    __syncthreads();
    for (int i = threadIdx.x; i < columns * values; i += blockDim.x) {
        const int c = i % columns, v = i / columns;
        to[v * COLUMNS + share_at(c / W, W, dim) + within_share(c % W)] = square[c][v];
    }
}

} // namespace

cudaError_t cuda_transpose(float *to, const float *from, int n, int dim, cudaStream_t stream)
{
    enum { THREADS = 256 };
    const dim3 grid((n + CUDA_BLOCK - 1) / CUDA_BLOCK, (dim + VALUES - 1) / VALUES);
    transpose<<<grid, THREADS, 0, stream>>>(to, from, n, dim);
    return cudaGetLastError();
}
