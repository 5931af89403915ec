/*
 * handover.cuh - the sweep in which `lanes` threads share a segment, each with R rows in
 * registers, in skewed steps of W columns:
 *
 *     step                  0    1    2    3    4
 *     lane 0 (R rows)     [ 0 ][ 1 ][ 2 ][ 3 ][ 4 ]      numbers: W columns each
 *     lane 1                   [ 0 ][ 1 ][ 2 ][ 3 ]
 *     lane 2                        [ 0 ][ 1 ][ 2 ]
 *
 * A lane hands its bottom row of a step to the next one through shared memory. Two slots for
 * each take turns, so one barrier a step is enough. Any number of rows fits: the lanes' shares
 * differ by at most one row.
 *
 * What a cell costs is the Tile's: it holds the lane's part of the template and computes R x W
 * cells. handover.cu has that of samples, frames.cu that of frames.
 */
#ifndef KERNELS_CUDA_HANDOVER_CUH
#define KERNELS_CUDA_HANDOVER_CUH

#include <climits>

#include "kernels/cuda/recurrence.cuh"

/* A thread's place: rows [row, row + held) of a segment that is swept from column `begin` on
 * and owns [start, end). */
struct place {
    int lane, row, held;
    int segment, begin, start, end;
    const float *state; /* that it starts from; NULL: +inf */
};

__device__ __forceinline__ place find_place(const cuda_launch &launch, const cuda_sweep &it)
{
    place p = {};
    const int group = threadIdx.x / it.lanes;
    const int share = it.rows / it.lanes, more = it.rows % it.lanes;
    p.lane = threadIdx.x % it.lanes;
    p.row = p.lane * share + min(p.lane, more);
    const bool again = launch.seams;
    p.segment = again ? launch.seams[blockIdx.x].segment : blockIdx.x * it.groups + group;
    if (group >= (again ? 1 : it.groups) || p.segment >= it.segments) return p; /* held: 0 */
    p.held = share + (p.lane < more);
    p.start = p.segment * it.length;
    p.end = min(p.start + it.length, it.n);
    p.begin = again ? p.start : max(0, p.start - it.warm);
    if (again)
        p.state = it.before + (size_t)p.segment * it.rows;
    else if (p.begin == 0)
        p.state = it.carry;
    return p;
}

/* Store the state before column c > begin wherever it belongs. */
template <int R, bool FULL>
__device__ void stop_at(const cuda_sweep &it, const place &p, int c, const float (&d)[R])
{
    if (c == p.start) {
        state_store<R, FULL>(it.before + (size_t)p.segment * it.rows + p.row, d, p.held);
        return;
    }
    if (c == it.carry_column) state_store<R, FULL>(it.carry_out + p.row, d, p.held);
    float *kept = kept_at(it, c);
    if (kept && c <= it.end) state_store<R, FULL>(kept + p.row, d, p.held);
}

/* The first stop of a segment. */
__device__ __forceinline__ int first_stop(const cuda_launch &launch, const cuda_sweep &it,
                                          const place &p)
{
    return p.segment && !launch.seams ? p.start : next_stop(it, p.start);
}

/* The least number of steps that a working thread of the block has. */
__device__ __forceinline__ int least_blocks(bool works, int blocks)
{
    __shared__ int least_one;
    if (threadIdx.x == 0) least_one = INT_MAX;
    __syncthreads();
    if (works) atomicMin(&least_one, blocks);
    __syncthreads();
    return least_one;
}

template <int R, bool FULL, class Tile>
__device__ __forceinline__ void sweep(const cuda_launch &launch)
{
    constexpr int W = CUDA_STEP;
    extern __shared__ float4 shared[];
    const cuda_sweep &it = launch.items[launch.seams ? launch.seams[blockIdx.x].item : blockIdx.y];
    const place p = find_place(launch, it);
    const outlet out = {it.bottom, it.scores, it.minima, it.first, it.end, p.start, p.end};
    const int lanes = it.lanes, blocks = (p.end - p.begin) / W;
    const bool works = p.held, last = p.lane == lanes - 1, in_warp = 32 % lanes == 0;
    const bool feeds = works && it.top && p.lane == 0; /* the row above all into slot 0 */
    const float *top = it.top + p.begin;

    /* Slot i of a group is what lane i reads; slot 0 is zeros, as row 0 is. */
    const int set = (launch.seams ? 1 : it.groups) * (lanes + 1) * W;
    float *slot =
        reinterpret_cast<float *>(shared) + (threadIdx.x / lanes * (lanes + 1) + p.lane) * W;
    float d[R], above[W] = {}, diag = p.lane ? INFINITE : 0, low = INFINITE;
    int stop = first_stop(launch, it, p);
    Tile tile;
    if (works) {
        tile.init(launch, it, p);
        state_load<R>(d, p.state ? p.state + p.row : nullptr, p.held);
        if (p.state && p.lane) diag = p.state[p.row - 1];
        if (feeds) {
            diag = top[-1];
            load<W>(above, top);
        }
        if (p.lane == 0) {
            store<W>(slot, above);
            store<W>(slot + set, above);
        }
        if (last && it.bottom && p.state && p.start == 0) it.bottom[-1] = p.state[it.rows - 1];
    }

    auto step = [&](int s) {
        const int i = s - p.lane, c = p.begin + i * W;
        if (c == stop) {
            stop_at<R, FULL>(it, p, c, d);
            stop = next_stop(it, c);
        }
        if (feeds && i + 1 < blocks) load<W>(above, top + (i + 1) * W);
        float up[W], bottom[W];
        float *mine = slot + (s & 1 ? set : 0), *other = slot + (s & 1 ? 0 : set);
        load<W>(up, mine);
        tile.run(d, up, diag, bottom);
        diag = up[W - 1];
        if (!last) store<W>(other + W, bottom);
        if (feeds) store<W>(other, above);
        if (last && c >= p.start) give<W>(out, c, bottom, low);
    };
    auto barrier = [&] {
        if (in_warp)
            __syncwarp();
        else
            __syncthreads();
    };
    /* All lanes work from step lanes - 1 on, until the first of the block is done. */
    const int all = (launch.seams ? it.length : min(it.length + it.warm, it.n)) / W + lanes - 1;
    const int done = least_blocks(works, blocks);
    int s = 0;
#pragma unroll 1
    for (; s < min(lanes - 1, all); s++) {
        if (s >= p.lane && s - p.lane < blocks) step(s);
        barrier();
    }
#pragma unroll 2
    for (; s < done; s++) {
        if (works) step(s);
        barrier();
    }
#pragma unroll 1
    for (; s < all; s++) {
        if (s >= p.lane && s - p.lane < blocks) step(s);
        barrier();
    }
    if (!works) return;
    stop_at<R, FULL>(it, p, p.end, d);
    if (p.segment + 1 < it.segments)
        state_store<R, FULL>(it.after + (size_t)p.segment * it.rows + p.row, d, p.held);
}

/* ---- the host's part of a launch ---- */

struct shape {
    dim3 grid;
    int block;
    size_t bytes; /* of shared memory */
    bool full;    /* every lane of every item has `held` rows */
};

static inline shape shape_of(const cuda_launch &launch, int held)
{
    shape s = {dim3(1, launch.n_items), 32, 0, true};
    for (int i = 0; i < launch.n_items; i++) {
        const cuda_sweep &it = launch.host[i];
        const int groups = launch.seams ? 1 : it.groups;
        const unsigned grid = (it.segments + groups - 1) / groups;
        const size_t bytes = 2 * sizeof(float) * CUDA_STEP * (size_t)groups * (it.lanes + 1);
        if (grid > s.grid.x) s.grid.x = grid;
        if (groups * it.lanes > s.block) s.block = (groups * it.lanes + 31) / 32 * 32;
        if (bytes > s.bytes) s.bytes = bytes;
        s.full = s.full && it.rows == it.lanes * held && aligned(it);
    }
    if (launch.seams) s.grid = dim3(launch.n_seams);
    return s;
}

#endif
