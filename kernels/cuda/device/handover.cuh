/*
 * handover.cuh - the sweep in which `lanes` threads share a segment, each with R rows in
 * registers, in skewed steps of W columns:
 *
 *     step                  0    1    2    3    4
 *     lane 0 (R rows)     [ 0 ][ 1 ][ 2 ][ 3 ][ 4 ]      numbers: W columns each
 *     lane 1                   [ 0 ][ 1 ][ 2 ][ 3 ]
 *     lane 2                        [ 0 ][ 1 ][ 2 ]
 *
 * A lane hands its bottom row of a step to the next lane through shared memory. Each has two slots,
 * for even and for odd steps, so one barrier a step is enough. Any number of rows fits: the lanes'
 * shares differ by at most one unit, and only the last share may end within a unit.
 *
 * The class Tile computes the R x W cells of a step, and holds the lane's part of the template:
 *
 *     samples.cu    samples: all in registers
 *     frames.cu     frames: steps are long, so seldom used values stay in shared memory
 *
 * `keep` and `kept` store such values, and return them.
 */
#ifndef KERNELS_CUDA_DEVICE_HANDOVER_CUH
#define KERNELS_CUDA_DEVICE_HANDOVER_CUH

#include <climits>

#include "kernels/cuda/device/seams.cuh"

/* A thread's place: rows [row, row + held) of a segment. */
struct place : range {
    int lane, row, held;
};

/* Arguments of a launch; a single sweep comes with it. */
struct arguments {
    cuda_launch launch;
    cuda_sweep only;
};

/* The sweep of this block of threads, for all of them. */
__device__ __forceinline__ void fetch_sweep(const arguments &a, int item, cuda_sweep *to)
{
    const int *from =
        reinterpret_cast<const int *>(a.launch.n_items > 1 ? a.launch.items + item : &a.only);
    for (int i = threadIdx.x; i < (int)(sizeof *to / sizeof(int)); i += blockDim.x)
        reinterpret_cast<int *>(to)[i] = from[i];
    __syncthreads();
}

/* The seam at which this block of threads begins, if single segments are swept again. */
__device__ __forceinline__ cuda_seam seam_here(const cuda_launch &launch)
{
    return launch.seams ? launch.seams[blockIdx.x] : cuda_seam{(int)blockIdx.y, 0};
}

/* Of a lane. */
__host__ __device__ __forceinline__ int first_row(int rows, int lanes, int lane)
{
    const int units = (rows + CUDA_UNIT - 1) / CUDA_UNIT, more = units % lanes;
    return CUDA_UNIT * (lane * (units / lanes) + (lane < more ? lane : more));
}

__device__ __forceinline__ place find_place(const cuda_launch &launch, const cuda_sweep &it,
                                            int segment)
{
    place p = {};
    const int group = threadIdx.x / it.lanes;
    p.lane = threadIdx.x % it.lanes;
    p.row = first_row(it.rows, it.lanes, p.lane);
    const bool again = launch.seams;
    if (!again) segment = blockIdx.x * it.groups + group;
    if (group >= (again ? 1 : it.groups) || segment >= it.segments) return p; /* held: 0 */
    static_cast<range &>(p) = range_of(launch, it, segment);
    p.held = min(first_row(it.rows, it.lanes, p.lane + 1), it.rows) - p.row;
    return p;
}

__device__ __forceinline__ seam_place seam_of(const cuda_sweep &it, const place &p, int item,
                                              int segment)
{
    return seam_place{item, segment, p.row, p.held, segment * it.lanes + p.lane};
}

/* Behind column c, the next column before which a lane stores its rows of the state; INT_MAX: none.
 */
__device__ __forceinline__ int stop_after(const cuda_launch &launch, const cuda_sweep &it,
                                          const place &p, int c)
{
    if (!p.held) return INT_MAX;
    if (p.segment && !launch.seams && c < p.start) return p.start;
    const int stop = next_stop(it, max(c, p.start));
    return stop <= it.end ? stop : INT_MAX;
}

/* d is the state before column c, whether it is stored or not. */
template <int R, bool FULL>
__device__ __forceinline__ void stop_at(const cuda_launch &launch, const cuda_sweep &it,
                                        const place &p, int item, int c, const float (&d)[R])
{
    if (!p.held) return;
    if (c == p.start && p.segment && !launch.seams)
        seam_leave<R, FULL>(it, seam_of(it, p, item, p.segment), d);
    if (c <= p.start || c > it.end) return;
    float *to = checkpoint_at(it, c);
    if (to) state_store<R, FULL>(to + p.row, d, p.held);
    if (c == it.carry_column) state_store<R, FULL>(it.carry_out + p.row, d, p.held);
}

/* The work of a thread. */
struct task {
    int item;
    place p;
    whole_blocks whole;
};

/* The least number of steps of a working thread of the block, or of the warp; INT_MAX: none works.
 */
__device__ __forceinline__ int least_blocks(bool in_warp, bool works, int blocks)
{
    __shared__ int least_one;
    if (in_warp) return least_in_warp(works ? blocks : INT_MAX);
    if (threadIdx.x == 0) least_one = INT_MAX;
    __syncthreads();
    if (works) atomicMin(&least_one, blocks);
    __syncthreads();
    return least_one;
}

/* BANDS: there is a row above or below. One long function, since all of its state is in registers
 * of a thread. Threads without rows go along in unconditional steps; their results go nowhere. */
template <int R, bool FULL, bool BANDS, class Tile>
__device__ __forceinline__ void sweep(const arguments &a)
{
    constexpr int W = CUDA_STEP;
    extern __shared__ float4 shared[];
    __shared__ cuda_sweep it;
    const cuda_launch &launch = a.launch;
    if (launch.seams && (int)blockIdx.x >= *launch.n_seams) return;
    const cuda_seam seam = seam_here(launch);
    fetch_sweep(a, seam.item, &it);
    const place p = find_place(launch, it, seam.segment);
    const task first = {seam.item, p, find_whole(it, p.start, p.end)};
    const int lanes = it.lanes, blocks = (p.end - p.begin) / W;
    const bool works = p.held, last = works && p.lane == lanes - 1, in_warp = 32 % lanes == 0;
    const bool feeds = BANDS && works && it.top && p.lane == 0; /* the row above all into slot 0 */
    const bool gives_rows = it.scores || (BANDS && it.bottom);
    const float *top = BANDS ? it.top + p.begin : nullptr;

    /* Slot i of a group is what lane i reads; slot 0 is zeros, as row 0 is. */
    const int set = (blockDim.x + lanes - 1) / lanes * (lanes + 1) * W;
    float *mine =
        reinterpret_cast<float *>(shared) + (threadIdx.x / lanes * (lanes + 1) + p.lane) * W;
    float *other = mine + set; /* of the next step */
    float d[R], above[W] = {}, diag = p.lane ? INFINITE : 0, low = INFINITE;
    int c = p.begin, due = c; /* before column `due` there is more to do */
    bool apart = false;       /* a step is not just part of a whole block */
    Tile tile;
    tile.init(launch, it, p, reinterpret_cast<float *>(shared) + 2 * set);
    state_load<R>(d, p.state ? p.state + p.row : nullptr, p.held);
    if (p.state && p.lane) diag = p.state[p.row - 1];
    if (feeds) {
        diag = top[-1];
        load<W>(above, top);
    }
    if (p.lane == 0) {
        store<W>(mine, above);
        store<W>(other, above);
    }
    if (BANDS && last && it.bottom && p.state && p.start == 0) it.bottom[-1] = p.state[it.rows - 1];

    tile.keep(first);
    auto now = [&] { return tile.kept(first); };
    auto attend = [&] {
        const task own = now();
        stop_at<R, FULL>(launch, it, own.p, own.item, c, d);
        due = stop_after(launch, it, own.p, c);
        if (!last) return;
        const bool whole = c >= own.whole.from && c < own.whole.to;
        if (c % CUDA_BLOCK == 0) {
            if (it.minima && c > own.whole.from && c <= own.whole.to)
                it.minima[c / CUDA_BLOCK - 1] = low;
            low = INFINITE;
        }
        apart = c >= own.p.start && (gives_rows || !whole);
        due = min(due, c / CUDA_BLOCK * CUDA_BLOCK + CUDA_BLOCK);
    };
    auto step = [&] {
        if (c == due) attend();
        if (feeds && c + W < p.end) load<W>(above, top += W);
        float up[W], bottom[W];
        load<W>(up, mine);
        tile.run(d, up, diag, bottom);
        diag = up[W - 1];
        store<W>(other + W, bottom);
        if (feeds) store<W>(other, above);
#pragma unroll
        for (int w = 0; w < W; w += 2) low = least3(low, bottom[w], bottom[w + 1]);
        if (apart) {
            if (BANDS && it.bottom) store<W>(it.bottom + c, bottom);
            if (it.scores) store<W>(it.scores + c, bottom);
            const whole_blocks whole = now().whole;
            if (it.minima && (c < whole.from || c >= whole.to)) output_few(it, c, bottom);
        }
        c += W;
    };
    auto next_step = [&] {
        if (in_warp)
            __syncwarp();
        else
            __syncthreads();
        float *const was = mine;
        mine = other;
        other = was;
    };
    auto perhaps = [&](int s) { /* not all lanes have begun, or some are done */
                                if (s >= p.lane && s - p.lane < blocks) step();
                                next_step();
    };
    /* All lanes work from step lanes - 1 on, until the first of the block is done. */
    const int all = (launch.seams ? it.length : min(it.length + it.warm, it.n)) / W + lanes - 1;
    const int done = least_blocks(in_warp, works, blocks);
    if (done == INT_MAX) return; /* of an item with fewer segments than others */
    const int begun = min(done, it.warm / W + lanes); /* all lanes have passed their start */
    bool met = !works || launch.seams || p.segment == 0;
    int s = 0;
#pragma unroll 1
    for (; s < min(lanes - 1, all); s++) perhaps(s);
#pragma unroll 1
    for (int part = 0; part < 2; part++) {
        const int until = part ? done : begun;
#pragma unroll 1
        for (; s < until; s++) {
            step();
            next_step();
        }
        if (met) continue;
        const task own = now();
        if (c <= own.p.start) continue;
        seam_meet(launch, it, seam_of(it, own.p, own.item, own.p.segment));
        met = true;
    }
#pragma unroll 1
    for (; s < all; s++) perhaps(s);
    if (!works) return;
    const task own = now();
    if (!met) seam_meet(launch, it, seam_of(it, own.p, own.item, own.p.segment));
    if (c == due) attend();
    if (own.p.segment + 1 < it.segments)
        seam_ends<R, FULL>(launch, it, seam_of(it, own.p, own.item, own.p.segment + 1), d);
}

/* ---- the host's part of a launch ---- */

struct shape {
    dim3 grid;
    int block;
    size_t bytes; /* of shared memory */
    bool full;    /* every lane of every item has `held` rows */
    bool bands;   /* some item has a row above or below */
};

/* `own`: bytes of shared memory of a warp after the slots, at a multiple of `own`. */
static inline shape shape_of(const cuda_launch &launch, int held, int own)
{
    shape s = {dim3(1, launch.n_items), 32, 0, true, false};
    for (int i = 0; i < launch.n_items; i++) {
        const cuda_sweep &it = launch.host[i];
        const int groups = launch.seams ? 1 : it.groups;
        const unsigned grid = (it.segments + groups - 1) / groups;
        if (grid > s.grid.x) s.grid.x = grid;
        if (groups * it.lanes > s.block) s.block = (groups * it.lanes + 31) / 32 * 32;
        s.full = s.full && it.rows == it.lanes * held;
        s.bands = s.bands || it.top || it.bottom;
    }
    for (int i = 0; i < launch.n_items; i++) { /* threads without a segment have slots as well */
        const int lanes = launch.host[i].lanes, groups = (s.block + lanes - 1) / lanes;
        const size_t bytes = 2 * sizeof(float) * CUDA_STEP * (size_t)groups * (lanes + 1);
        if (bytes > s.bytes) s.bytes = bytes;
    }
    if (own) s.bytes += (size_t)own * (s.block / 32 + 1);
    if (launch.seams) s.grid = dim3(launch.most_seams);
    return s;
}

#endif
