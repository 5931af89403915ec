/*
 * frames.cu - the hand-over kernel for frames of K values. A lane sums the costs of its R x W
 * cells value by value, in index order, with the sums in registers: R + W values are loaded
 * for each 2 R W operations. Template and stream come transposed, so that a lane's rows, and
 * its columns, lie side by side.
 */
#include "kernels/cuda/handover.cuh"

namespace
{

constexpr int W = CUDA_STEP, R = 8, MOST_LANES = 256;

/* The columns of a step are stored as two halves, and all first halves of a row come before all
 * second ones: so what neighbouring lanes load at once lies side by side. The same goes for
 * the rows of a lane in x. */
constexpr int HALF = 4;

__device__ __forceinline__ void load_halves(float (&to)[2 * HALF], const float *from, int apart)
{
    const float4 a = *reinterpret_cast<const float4 *>(from);
    const float4 b = *reinterpret_cast<const float4 *>(from + apart);
    to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = a.w;
    to[4] = b.x, to[5] = b.y, to[6] = b.z, to[7] = b.w;
}

/* Where the i-th value lies in a row of `stride`. */
__host__ __device__ __forceinline__ int in_halves(int i, int stride)
{
    return i / (2 * HALF) * HALF + i % HALF + (i % (2 * HALF) >= HALF ? stride / 2 : 0);
}

struct frames {
    const float *x, *y;
    int x_stride, y_stride, dim, held, lane, lanes;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p)
    {
        x_stride = it.lanes * R;
        y_stride = launch.y_stride;
        lane = p.lane;
        lanes = it.lanes;
        dim = it.dim;
        held = p.held;
        x = it.x + p.lane * HALF;
        y = launch.y + p.begin / 2;
    }

    /* What lane 0 is the first to need two steps on: the lanes share it out. */
    __device__ __forceinline__ void fetch_ahead() const
    {
        const float *first = y + (lane + 2) * HALF;
        for (int k = lane; k < dim; k += lanes) {
            const float *from = first + (size_t)k * y_stride;
            asm volatile("prefetch.global.L1 [%0];" ::"l"(from));
            asm volatile("prefetch.global.L1 [%0];" ::"l"(from + y_stride / 2));
        }
    }

    __device__ __forceinline__ void add_costs(float (&cost)[W][R]) const
    {
        const float *xk = x, *yk = y;
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] = 0;
#pragma unroll 4
        for (int k = 0; k < dim; k++) {
            float xs[R], ys[W];
            load_halves(xs, xk, x_stride / 2);
            load_halves(ys, yk, y_stride / 2);
            xk += x_stride;
            yk += y_stride;
#pragma unroll
            for (int w = 0; w < W; w++)
#pragma unroll
                for (int r = 0; r < R; r++) cost[w][r] += fabsf(xs[r] - ys[w]);
        }
    }

    __device__ __forceinline__ void run(float (&d)[R], const float (&up)[W], float diag,
                                        float (&bottom)[W])
    {
        float cost[W][R];
        fetch_ahead();
        add_costs(cost);
        y += HALF;
#pragma unroll
        for (int w = 0; w < W; w++) {
            float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
            for (int r = 0; r < R; r++) {
                float left = d[r];
                d[r] = cost[w][r] + least3(above, left, corner);
                corner = left;
                above = d[r];
                if (r < held) bottom[w] = d[r];
            }
        }
    }
};

__global__ void __launch_bounds__(MOST_LANES, 1) sweep_frames(const __grid_constant__ arguments a)
{
    sweep<R, false, true, frames>(a);
}

/* 32 x 32 values by way of shared memory, so that both sides are read and written in rows. */
__global__ void transpose(float *to, int stride, const float *from, int n, int dim)
{
    __shared__ float square[32][33];
    const int t = blockIdx.x * 32, k = blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += blockDim.y)
        if (t + i < n && k + (int)threadIdx.x < dim)
            square[i][threadIdx.x] = from[(size_t)(t + i) * dim + k + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += blockDim.y)
        if (k + i < dim && t + (int)threadIdx.x < n)
            to[(size_t)(k + i) * stride + in_halves(t + threadIdx.x, stride)] =
                square[threadIdx.x][i];
}

} // namespace

int cuda_frames_lanes(int rows)
{
    const int lanes = (rows + R - 1) / R;
    return lanes <= MOST_LANES ? lanes : 0;
}

int cuda_frames_rows(int rows)
{
    return (rows + R - 1) / R * R;
}

int cuda_frames_place(int rows, int i)
{
    const int lanes = cuda_frames_lanes(rows), share = rows / lanes, more = rows % lanes;
    const int longer = more * (share + 1); /* rows of the lanes that have one more */
    const int place = i < longer ? i / (share + 1) * R + i % (share + 1)
                                 : (more + (i - longer) / share) * R + (i - longer) % share;
    return in_halves(place, cuda_frames_rows(rows));
}

cudaError_t cuda_frames(const cuda_launch *launch)
{
    const arguments a = {*launch, launch->host[0]};
    const shape s = shape_of(*launch, R);
    sweep_frames<<<s.grid, s.block, s.bytes, launch->stream>>>(a);
    return cudaGetLastError();
}

cudaError_t cuda_transpose(float *to, int stride, const float *from, int n, int dim,
                           cudaStream_t stream)
{
    const dim3 grid((n + 31) / 32, (dim + 31) / 32), block(32, 8);
    transpose<<<grid, block, 0, stream>>>(to, stride, from, n, dim);
    return cudaGetLastError();
}
