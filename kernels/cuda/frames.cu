/*
 * frames.cu - the hand-over kernel for frames of K values. A lane sums the costs of its R x W
 * cells value by value, in index order, with the sums in registers: R + W values are loaded
 * for each 2 R W operations, while those before them are added. Template and stream come
 * transposed, so that a lane's rows, and its columns, lie side by side.
 */
#include "kernels/cuda/handover.cuh"

namespace
{

constexpr int W = CUDA_STEP, R = 8, MOST_LANES = 256, WARPS = 3 /* a scheduler */;

/* The values that lanes load at once should lie side by side, 16 bytes of each. So a row of x or y
 * comes in groups of 8 lanes' shares: first the first halves of all eight, then the second ones. */
constexpr int HALF = 4, IN_GROUP = 8, GROUP = 2 * HALF * IN_GROUP;

/* Where the i-th share of 2 HALF values begins. */
__host__ __device__ __forceinline__ int share_at(int i)
{
    return i / IN_GROUP * GROUP + i % IN_GROUP * HALF;
}

/* Where the i-th value lies in a row. */
__host__ __device__ __forceinline__ int value_at(int i)
{
    const int in_share = i % (2 * HALF);
    return share_at(i / (2 * HALF)) + in_share % HALF + in_share / HALF * (GROUP / 2);
}

/* Floats of a row of x, which has a share for each lane. */
__host__ __device__ __forceinline__ int frames_rows(int lanes)
{
    return share_at(lanes + IN_GROUP - 1 - (lanes + IN_GROUP - 1) % IN_GROUP);
}

__device__ __forceinline__ void load_share(float (&to)[2 * HALF], const float *from)
{
    const float4 a = __ldg(reinterpret_cast<const float4 *>(from));
    const float4 b = __ldg(reinterpret_cast<const float4 *>(from + GROUP / 2));
    to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = a.w;
    to[4] = b.x, to[5] = b.y, to[6] = b.z, to[7] = b.w;
}

/* The k-th values of a lane's rows and columns. */
struct values {
    float x[R], y[W];

    __device__ __forceinline__ void load(const float *xk, const float *yk)
    {
        load_share(x, xk);
        load_share(y, yk);
    }
};

template <bool FULL> struct frames {
    const float *x, *y; /* the lane's, k = 0; y of the step to come */
    values first;       /* which are those */
    int x_stride, y_stride, dim, missing, share;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p)
    {
        x_stride = frames_rows(it.lanes);
        y_stride = launch.y_stride;
        dim = it.dim;
        missing = R - p.held;
        x = it.x + share_at(p.lane);
        share = p.begin / W;
        y = launch.y + share_at(share);
        first.load(x, y);
    }

    static __device__ __forceinline__ void add(float (&cost)[W][R], const values &k)
    {
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] += fabsf(k.x[r] - k.y[w]);
    }

    /* Of K >= 2 values; `first` becomes that of the step to come. */
    __device__ __forceinline__ void add_costs(float (&cost)[W][R])
    {
        const float *xk = x + x_stride, *yk = y + y_stride;
        values now = first, next;
        next.load(xk, yk);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] = now.x[r] - now.y[w];
        auto load = [&](values &to) {
            xk += x_stride;
            yk += y_stride;
            to.load(xk, yk);
        };
        int left = dim - 2;
        if (left) load(now);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++)
                cost[w][r] = fabsf(cost[w][r]) + fabsf(next.x[r] - next.y[w]);
#pragma unroll 1
        for (; left > 2; left -= 2) {
            load(next);
            add(cost, now);
            load(now);
            add(cost, next);
        }
        if (left == 2) load(next);
        if (left) add(cost, now);
        share++;
        y += share % IN_GROUP ? HALF : GROUP - (IN_GROUP - 1) * HALF;
        first.load(x, y);
        if (left == 2) add(cost, next);
    }

    __device__ __forceinline__ void run(float (&d)[R], const float (&up)[W], float diag,
                                        float (&bottom)[W])
    {
        float cost[W][R];
        add_costs(cost);
#pragma unroll
        for (int w = 0; w < W; w++) {
            float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
            for (int r = 0; r < R; r++) {
                float left = d[r];
                d[r] = cost[w][r] + least3(above, left, corner);
                corner = left;
                above = d[r];
            }
            bottom[w] = last_row<R, FULL>(d, missing);
        }
    }
};

template <bool FULL, bool BANDS>
__global__ void __maxnreg__(65536 / (4 * 32 * WARPS) / 8 * 8)
    sweep_frames(const __grid_constant__ arguments a)
{
    sweep<R, FULL, BANDS, frames<FULL>>(a);
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
            to[(size_t)(k + i) * stride + value_at(t + threadIdx.x)] =
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
    return frames_rows(cuda_frames_lanes(rows));
}

int cuda_frames_place(int rows, int i)
{
    const int lanes = cuda_frames_lanes(rows);
    int lane = i / R; /* at least: no lane has more rows */
    while (first_row(rows, lanes, lane + 1) <= i) lane++;
    return value_at(lane * R + i - first_row(rows, lanes, lane));
}

cudaError_t cuda_frames(const cuda_launch *launch)
{
    const arguments a = {*launch, launch->host[0]};
    const shape s = shape_of(*launch, R);
    if (s.bands)
        sweep_frames<false, true><<<s.grid, s.block, s.bytes, launch->stream>>>(a);
    else if (s.full)
        sweep_frames<true, false><<<s.grid, s.block, s.bytes, launch->stream>>>(a);
    else
        sweep_frames<false, false><<<s.grid, s.block, s.bytes, launch->stream>>>(a);
    return cudaGetLastError();
}

cudaError_t cuda_transpose(float *to, int stride, const float *from, int n, int dim,
                           cudaStream_t stream)
{
    const dim3 grid((n + 31) / 32, (dim + 31) / 32), block(32, 8);
    transpose<<<grid, block, 0, stream>>>(to, stride, from, n, dim);
    return cudaGetLastError();
}
