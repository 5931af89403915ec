/*
 * frames.cu - the hand-over kernel (handover.cuh) for frames of K values.
 *
 *     for each k:   load R values of x, W of y  -->  R x W sums of costs, in registers
 *     then:         R x W cells of the recurrence
 *
 * A lane adds the costs in index order, and loads the next R + W values meanwhile. The template is
 * copied to shared memory if it fits. Values of the stream seldom stay in the first cache, so a
 * ring in shared memory fetches several ahead.
 *
 * Template (x) and stream (y) are transposed, so that the lanes load 16 bytes each at the same
 * time, side by side:
 *
 *     group      the shares of 8 lanes: `held` rows each of x, W columns each of y
 *     its lines  | k = 0 | k = 1 | ... | K - 1 |
 *     a line     | values 0-3 of shares 0 .. 7 | values 4-7 of shares 0 .. 7 | ...
 */
#include "kernels/cuda/device/handover.cuh"

namespace
{

/* ---- the layout ---- */

constexpr int W = CUDA_STEP, FOUR = 4, IN_GROUP = 8;
static_assert(W * IN_GROUP == CUDA_BLOCK, "a group has the columns that launch.h states");

/* The place of the i-th share's first value, k = 0. `held`: rows or columns of a share. */
__host__ __device__ __forceinline__ long long share_at(long long i, int held, int dim)
{
    return i / IN_GROUP * IN_GROUP * held * dim + i % IN_GROUP * FOUR;
}

/* Floats from a share's first value to its i-th, of the same k. */
__host__ __device__ __forceinline__ int within_share(int i)
{
    return i / FOUR * (FOUR * IN_GROUP) + i % FOUR;
}

constexpr int VALUES = 64; /* of a frame, transposed at once */

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

/* ---- the sweep ---- */

constexpr int BANDS_HELD = 12 /* rows of all long templates */;

/* Floats of x for each k: a share for each lane, in whole groups. */
__host__ __device__ __forceinline__ int padded_rows(int lanes, int held)
{
    return (lanes + IN_GROUP - 1) / IN_GROUP * IN_GROUP * held;
}

/* In bytes: a warp has a ring of SLOTS values of y in shared memory, at a multiple of its size. */
constexpr int SLOTS = 4, SLOT = 32 * W * (int)sizeof(float), RING = SLOTS * SLOT;
constexpr int HALF_SLOT = SLOT / 2;

/* Bytes from a value of a share of y to that of the next k, and to that of the next share. */
constexpr int LINE = W * IN_GROUP * (int)sizeof(float), SHARE = FOUR * (int)sizeof(float);
static_assert((SLOTS / 2 + 1) * W <= CUDA_AHEAD, "columns read beyond n, with K = 2");
static_assert(LINE == 2 * IN_GROUP * SHARE,
              "a bit shows that a share is the first of the next group");

/* A lane's columns, value by value, step after step. Each value is fetched SLOTS values before it
 * is read. */
struct columns {
    long long from; /* the address to fetch from next: value K - left of a share */
    long long next; /* that of the following share, k = 0 */
    int dim, left;
    unsigned ring, slot; /* the warp's ring; the lane's place in the slot that is read next */

    __device__ __forceinline__ void init(const cuda_launch &launch, int k, int begin,
                                         const void *rings)
    {
        dim = left = k;
        next = reinterpret_cast<long long>(launch.y + share_at(begin / W, W, dim));
        from = next;
        turned();
        ring = ((unsigned)__cvta_generic_to_shared(rings) + RING - 1) / RING * RING +
               threadIdx.x / 32 * RING;
        slot = ring + threadIdx.x % 32 * 16;
        for (int i = 0; i < SLOTS; i++) {
            fetch();
            if (left == dim) turned();
        }
    }

    /* Fetch a value into the slot that was read last. */
    __device__ __forceinline__ void fetch()
    {
        const float *share = reinterpret_cast<const float *>(from);
        copy_four(slot, share);
        copy_four(slot + HALF_SLOT, share + within_share(FOUR));
        close_copies();
        slot = ring | ((slot + SLOT) & (RING - 1));
        from += LINE;
        if (--left) return;
        left = dim;
        from = next;
    }

    /* Find the next share: `from` has entered a new one, as it does once a step. */
    __device__ __forceinline__ void turned()
    {
        next += SHARE;
        if (next & IN_GROUP * SHARE) next += LINE * dim - IN_GROUP * SHARE; /* the next group */
    }

    __device__ __forceinline__ void read(float (&to)[W])
    {
        await_copies<SLOTS - 1>();
        read_four(to, slot);
        read_four(to + FOUR, slot + HALF_SLOT);
        fetch();
    }
};

/* The k-th values of a lane's rows and columns. */
template <int R> struct values {
    float x[R], y[W];
};

/* NEAR: the template is copied to shared memory. */
template <int R, bool FULL, bool NEAR> struct frames {
    const float *x; /* the lane's, k = 0 */
    columns y;
    values<R> first; /* k = 0 of the step to come */
    int missing;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p, const void *own)
    {
        missing = R - p.held;
        y.init(launch, it.dim, p.begin, own);
        x = (NEAR ? copied(it) : it.x) + share_at(p.lane, R, it.dim);
        load(first, x);
        if (y.left == y.dim) y.turned();
    }

    /* A lane's task, which it needs once in 64 columns: in shared memory, after the rings, since
     * registers are for cells. */
    __device__ __forceinline__ task *own_task() const
    {
        const unsigned end = y.ring + (blockDim.x - threadIdx.x / 32 * 32) / 32 * RING;
        return reinterpret_cast<task *>(__cvta_shared_to_generic(end)) + threadIdx.x;
    }

    __device__ __forceinline__ void keep(const task &own)
    {
        *own_task() = own;
    }

    __device__ __forceinline__ task kept(const task &) const
    {
        return *own_task();
    }

    /* Copy the template to shared memory, after the tasks. */
    __device__ __forceinline__ const float *copied(const cuda_sweep &it)
    {
        float4 *to = reinterpret_cast<float4 *>(own_task() - threadIdx.x + blockDim.x);
        const float4 *from = reinterpret_cast<const float4 *>(it.x);
        const int n = it.dim * padded_rows(it.lanes, R) / FOUR;
        for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
        __syncthreads();
        return reinterpret_cast<const float *>(to);
    }

    __device__ __forceinline__ void load(values<R> &to, const float *rows)
    {
        y.read(to.y);
#pragma unroll
        for (int r = 0; r < R; r += FOUR) {
            const float4 *from = reinterpret_cast<const float4 *>(rows + within_share(r));
            const float4 four = NEAR ? *from : __ldg(from);
            to.x[r] = four.x, to.x[r + 1] = four.y, to.x[r + 2] = four.z, to.x[r + 3] = four.w;
        }
    }

    static __device__ __forceinline__ void add(float (&cost)[W][R], const values<R> &k)
    {
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] += cell_cost(k.x[r], k.y[w]);
    }

    /* Add the costs of K >= 2 values. `first` becomes that of the step to come. */
    __device__ __forceinline__ void add_costs(float (&cost)[W][R])
    {
        constexpr int ROWS = R * IN_GROUP;
        const float *rows = x + ROWS;
        values<R> now = first, next;
        load(next, rows);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++) cost[w][r] = cell_difference(now.x[r], now.y[w]);
        auto load_next = [&](values<R> &to) { load(to, rows += ROWS); };
        int left = y.dim - 2;
        if (left) load_next(now);
#pragma unroll
        for (int w = 0; w < W; w++)
#pragma unroll
            for (int r = 0; r < R; r++)
                cost[w][r] = cell_cost(cost[w][r]) + cell_cost(next.x[r], next.y[w]);
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
        y.turned();
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

/* ---- the host's part of a launch ---- */

/* Warps a scheduler, for which the registers suffice. */
__host__ __device__ constexpr int warps_of(int held)
{
    return held > 8 ? 2 : 3;
}

template <int R, bool FULL, bool BANDS, bool NEAR>
__global__ void __maxnreg__(warps_of(R) == 2 ? 255 : 168)
    sweep_frames(const __grid_constant__ arguments a)
{
    sweep<R, FULL, BANDS, frames<R, FULL, NEAR>>(a);
}

/* Bytes of shared memory of a block. most: all that it may have. most_near: with these, as many
 * blocks run on a multiprocessor as without the template's copy. */
struct limits {
    int most, most_near;
};

cudaError_t limits_of(int held, const shape &s, limits *to)
{
    enum { SCHEDULERS = 4, STATIC = 2 << 10 /* at most, with the driver's own */ };
    int device, all;
    cudaError_t error = cudaGetDevice(&device);
    if (!error)
        error = cudaDeviceGetAttribute(&to->most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (!error)
        error = cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    if (error) return error;
    const int blocks = min(SCHEDULERS * warps_of(held) * 32 / s.block, all / (int)s.bytes);
    to->most -= STATIC;
    to->most_near = min(to->most, all / max(blocks, 1) - STATIC);
    return error;
}

template <int R, bool FULL, bool BANDS, bool NEAR>
cudaError_t start_kind(const arguments &a, const shape &s, int most)
{
    /* Blocks may have 48 KiB without asking, static memory included. Every launch asks for the same
     * bound, since it holds for the process: another search may launch the same kernel meanwhile.
     */
    enum { WITHOUT_ASKING = 40 << 10 };
    cudaError_t error = cudaSuccess;
    if (s.bytes > WITHOUT_ASKING)
        error = cudaFuncSetAttribute(sweep_frames<R, FULL, BANDS, NEAR>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error) return error;
    sweep_frames<R, FULL, BANDS, NEAR><<<s.grid, s.block, s.bytes, a.launch.stream>>>(a);
    return cudaGetLastError();
}

/* Bytes of the largest template of a launch. */
size_t bytes_of_x(const cuda_launch &launch, int held)
{
    size_t floats = 0;
    for (int i = 0; i < launch.n_items; i++) {
        const cuda_sweep &it = launch.host[i];
        floats = max(floats, (size_t)it.dim * padded_rows(it.lanes, held));
    }
    return floats * sizeof(float);
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const arguments a = {launch, launch.host[0]};
    shape s = shape_of(launch, R, RING);
    s.bytes += s.block * sizeof(task);
    limits limit;
    cudaError_t error = limits_of(R, s, &limit);
    if (error) return error;
    if constexpr (R == BANDS_HELD)
        if (s.bands) return start_kind<R, false, true, false>(a, s, limit.most);
    if (s.bands) return cudaErrorInvalidValue;
    const size_t near = s.bytes + bytes_of_x(launch, R);
    if (near > (size_t)max(limit.most_near, 0))
        return start_kind<R, false, false, false>(a, s, limit.most);
    s.bytes = near;
    return s.full ? start_kind<R, true, false, true>(a, s, limit.most)
                  : start_kind<R, false, false, true>(a, s, limit.most);
}

} // namespace

cudaError_t cuda_transpose(float *to, const float *from, int n, int dim, cudaStream_t stream)
{
    enum { THREADS = 256 };
    const dim3 grid((n + CUDA_BLOCK - 1) / CUDA_BLOCK, (dim + VALUES - 1) / VALUES);
    transpose<<<grid, THREADS, 0, stream>>>(to, from, n, dim);
    return cudaGetLastError();
}

int cuda_frames_rows(int rows, int held)
{
    return padded_rows(cuda_lanes(rows, held), held);
}

void cuda_frames_arrange(float *to, const float *x, int rows, int held, int dim)
{
    const int lanes = cuda_lanes(rows, held);
    for (int i = 0, lane = 0; i < rows; i++) {
        if (first_row(rows, lanes, lane + 1) <= i) lane++;
        const int within = within_share(i - first_row(rows, lanes, lane));
        float *place = to + share_at(lane, held, dim) + within;
        for (int k = 0; k < dim; k++) place[k * IN_GROUP * held] = x[(size_t)i * dim + k];
    }
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
