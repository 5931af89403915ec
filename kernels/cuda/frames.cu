/*
 * frames.cu - the hand-over kernel for frames of K values. A lane sums the costs of its R x W
 * cells value by value, in index order, with the sums in registers: R + W values are loaded
 * for each 2 R W operations, while those before them are added. Template and stream come
 * transposed, so that a lane's rows, and its columns, lie side by side. Those of the stream, which
 * seldom stay in the first cache, are fetched several values ahead, by way of shared memory.
 */
#include "kernels/cuda/handover.cuh"

namespace
{

constexpr int W = CUDA_STEP, MOST_LANES = 256, BANDS_HELD = 12 /* rows of all long templates */;

/* The values that lanes load at once should lie side by side, 16 bytes of each. So rows of x and y
 * come in groups of 8 lanes' shares: first the first four values of all eight, then the next. */
constexpr int FOUR = 4, IN_GROUP = 8, GROUP = W * IN_GROUP;

/* Where the i-th share of a row of y begins. */
__host__ __device__ __forceinline__ int share_at(int i)
{
    return i / IN_GROUP * GROUP + i % IN_GROUP * FOUR;
}

/* How far it is from there to the i-th of the values of a share. */
__host__ __device__ __forceinline__ int within_share(int i)
{
    return i / FOUR * (FOUR * IN_GROUP) + i % FOUR;
}

/* Where a lane's share of a row of x begins, of `held` values. */
__host__ __device__ __forceinline__ int rows_at(int lane, int held)
{
    return lane / IN_GROUP * (held * IN_GROUP) + lane % IN_GROUP * FOUR;
}

/* Floats of a row of x, which has a share for each lane of whole groups. */
__host__ __device__ __forceinline__ int frames_rows(int lanes, int held)
{
    return (lanes + IN_GROUP - 1) / IN_GROUP * IN_GROUP * held;
}

/* A warp has a ring of SLOTS values of y in shared memory, at a multiple of its size: bytes. */
constexpr int SLOTS = 4, SLOT = 32 * W * (int)sizeof(float), RING = SLOTS * SLOT;
constexpr int HALF_SLOT = SLOT / 2;
static_assert(SLOTS / 2 + 1 <= 3, "what may be read beyond n, see launch.h, with K = 2");

/* Begin to copy a share to a lane's place in a slot. */
__device__ __forceinline__ void fetch_share(unsigned slot, long long from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n\t"
                 "cp.async.ca.shared.global [%0 + %2], [%1 + %3], 16;\n\t"
                 "cp.async.commit_group;" ::"r"(slot),
                 "l"(from), "n"(HALF_SLOT), "n"(FOUR * IN_GROUP * sizeof(float))
                 : "memory");
#else
    float first[FOUR], second[FOUR];
    load<FOUR>(first, reinterpret_cast<const float *>(from));
    load<FOUR>(second, reinterpret_cast<const float *>(from) + within_share(FOUR));
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};\n\t"
                 "st.shared.v4.f32 [%0 + %9], {%5, %6, %7, %8};" ::"r"(slot),
                 "f"(first[0]), "f"(first[1]), "f"(first[2]), "f"(first[3]), "f"(second[0]),
                 "f"(second[1]), "f"(second[2]), "f"(second[3]), "n"(HALF_SLOT)
                 : "memory");
#endif
}

/* Wait for the share that was fetched SLOTS fetches ago, and read it. */
__device__ __forceinline__ void read_share(float (&to)[W], unsigned slot)
{
    asm volatile(
#if __CUDA_ARCH__ >= 800
        "cp.async.wait_group %10;\n\t"
#endif
        "ld.shared.v4.f32 {%0, %1, %2, %3}, [%8];\n\t"
        "ld.shared.v4.f32 {%4, %5, %6, %7}, [%8 + %9];"
        : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3]), "=f"(to[4]), "=f"(to[5]), "=f"(to[6]),
          "=f"(to[7])
        : "r"(slot), "n"(HALF_SLOT), "n"(SLOTS - 1)
        : "memory");
}

/* A lane's columns, value by value, step after step: fetched SLOTS values before they are read. */
struct columns {
    long long from;                     /* what is fetched next: value K - left of share `share` */
    long long stride, turn, turn_group; /* bytes to the next value, and from behind the last one to
                                           the next share's first, in a group and beyond it */
    int dim, left, share;
    unsigned slot; /* the lane's place in the slot that is read next */

    __device__ __forceinline__ void init(const cuda_launch &launch, int k, int begin,
                                         const void *rings)
    {
        dim = left = k;
        stride = (long long)sizeof(float) * launch.y_stride;
        turn = (long long)sizeof(float) * FOUR - stride * dim;
        turn_group = (long long)sizeof(float) * (GROUP - (IN_GROUP - 1) * FOUR) - stride * dim;
        share = begin / W;
        from = reinterpret_cast<long long>(launch.y + share_at(share));
        const unsigned first = (unsigned)__cvta_generic_to_shared(rings) + RING - 1;
        slot = first / RING * RING + threadIdx.x / 32 * RING + threadIdx.x % 32 * 16;
        for (int i = 0; i < SLOTS; i++) fetch();
    }

    /* Into the slot that was read last. */
    __device__ __forceinline__ void fetch()
    {
        fetch_share(slot, from);
        slot = (slot & ~(RING - 1)) | ((slot + SLOT) & (RING - 1));
        from += stride;
        if (__builtin_expect(--left == 0, 0)) {
            asm volatile(""); /* lest it be done by choices, at each value */
            left = dim;
            share++;
            from += share % IN_GROUP ? turn : turn_group;
        }
    }

    __device__ __forceinline__ void read(float (&to)[W])
    {
        read_share(to, slot);
        fetch();
    }
};

/* The k-th values of a lane's rows and columns. */
template <int R> struct values {
    float x[R], y[W];
};

template <int R, bool FULL> struct frames {
    const float *x; /* the lane's, k = 0 */
    columns y;
    values<R> first; /* k = 0 of the step to come */
    int stride, missing;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p, const void *own)
    {
        stride = frames_rows(it.lanes, R);
        missing = R - p.held;
        x = it.x + rows_at(p.lane, R);
        y.init(launch, it.dim, p.begin, own);
        load(first, x);
    }

    __device__ __forceinline__ void load(values<R> &to, const float *rows)
    {
        y.read(to.y);
#pragma unroll
        for (int r = 0; r < R; r += FOUR) {
            const float4 four = __ldg(reinterpret_cast<const float4 *>(rows + within_share(r)));
            to.x[r] = four.x, to.x[r + 1] = four.y, to.x[r + 2] = four.z, to.x[r + 3] = four.w;
        }
    }

    static __device__ __forceinline__ void add(float (&cost)[W][R], const values<R> &k)
    {
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] += fabsf(k.x[r] - k.y[w]);
    }

    /* Of K >= 2 values; `first` becomes that of the step to come. */
    __device__ __forceinline__ void add_costs(float (&cost)[W][R])
    {
        const float *rows = x + stride;
        values<R> now = first, next;
        load(next, rows);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] = now.x[r] - now.y[w];
        auto load_next = [&](values<R> &to) { load(to, rows += stride); };
        int left = y.dim - 2;
        if (left) load_next(now);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++)
                cost[w][r] = fabsf(cost[w][r]) + fabsf(next.x[r] - next.y[w]);
#pragma unroll 1
        for (; left > 2; left -= 2) {
            load_next(next);
            add(cost, now);
            load_next(now);
            add(cost, next);
        }
        if (left == 2) load_next(next);
        if (left) add(cost, now);
        load(first, x);
        if (left == 2) add(cost, next);
    }

    __device__ __forceinline__ void run(float (&d)[R], const float (&up)[W], float diag,
                                        float (&bottom)[W])
    {
        float cost[W][R];
        add_costs(cost);
        tile<R, FULL>(
            d, [&](int r, int w) { return cost[w][r]; }, up, diag, missing, bottom);
    }
};

/* Registers for two warps a scheduler, or three. */
template <int R, bool FULL, bool BANDS>
__global__ void __maxnreg__(R > 8 ? 255 : 168) sweep_frames(const __grid_constant__ arguments a)
{
    sweep<R, FULL, BANDS, frames<R, FULL>>(a);
}

template <int R, bool FULL, bool BANDS> cudaError_t start_kind(const arguments &a, const shape &s)
{
    /* Bytes, with room for what is static. One bound for all, since it is the process's: another
     * searcher may launch the same kernel meanwhile. It is what the smallest cards have; the plan's
     * blocks have less. */
    enum { WITHOUT_ASKING = 40 << 10, MOST = 60 << 10 };
    cudaError_t error = cudaSuccess;
    if (s.bytes > WITHOUT_ASKING)
        error = cudaFuncSetAttribute(sweep_frames<R, FULL, BANDS>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, MOST);
    if (error) return error;
    sweep_frames<R, FULL, BANDS><<<s.grid, s.block, s.bytes, a.launch.stream>>>(a);
    return cudaGetLastError();
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const arguments a = {launch, launch.host[0]};
    const shape s = shape_of(launch, R, RING);
    if constexpr (R == BANDS_HELD)
        if (s.bands) return start_kind<R, false, true>(a, s);
    if (s.bands) return cudaErrorInvalidValue;
    return s.full ? start_kind<R, true, false>(a, s) : start_kind<R, false, false>(a, s);
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
            to[(size_t)(k + i) * stride + share_at((t + threadIdx.x) / W) +
               within_share((t + threadIdx.x) % W)] = square[threadIdx.x][i];
}

} // namespace

int cuda_frames_held(int i)
{
    const int held[] = {16, 12, 8, 0};
    return held[i];
}

int cuda_frames_lanes(int rows, int held)
{
    return lanes_of(rows, held, MOST_LANES);
}

int cuda_frames_rows(int rows, int held)
{
    return frames_rows(cuda_frames_lanes(rows, held), held);
}

int cuda_frames_place(int rows, int held, int i)
{
    const int lanes = cuda_frames_lanes(rows, held);
    int lane = i / held; /* at least: no lane has more rows */
    while (first_row(rows, lanes, lane + 1) <= i) lane++;
    return rows_at(lane, held) + within_share(i - first_row(rows, lanes, lane));
}

cudaError_t cuda_frames(const cuda_launch *launch, int held)
{
    switch (held) {
    case 16: return start<16>(*launch);
    case 12: return start<12>(*launch);
    case 8: return start<8>(*launch);
    default: return cudaErrorInvalidValue;
    }
}

cudaError_t cuda_transpose(float *to, int stride, const float *from, int n, int dim,
                           cudaStream_t stream)
{
    const dim3 grid((n + 31) / 32, (dim + 31) / 32), block(32, 8);
    transpose<<<grid, block, 0, stream>>>(to, stride, from, n, dim);
    return cudaGetLastError();
}
