/*
 * wavefront.cu - the papers' own kernel, as a baseline (docs/PAPERS.md); for samples.
 *
 *     row 0   . . 2 . .     a block of threads sweeps a segment, a thread one row or a few
 *     row 1   . 2 . . .     2: the cells of diagonal 2, which run in parallel
 *     row 2   2 . . . .     a barrier after each diagonal
 *
 * Three rolling anti-diagonals lie in shared memory. Segments warm up over twice the template's
 * length, and are verified and repaired as in the other kernels.
 */
#include "papers/bench/wavefront.h"

#include "kernels/cuda/device/handover.cuh"

namespace
{

constexpr int MOST_THREADS = 1024, MOST_EACH = 4;

/* Blocks of 1024 threads that a multiprocessor may hold: 2048 threads, or 1024 to 1536. */
#if defined(__CUDA_ARCH__) &&                                                                      \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ / 100 == 9 || __CUDA_ARCH__ / 100 == 10)
constexpr int BLOCKS = 2;
#else
constexpr int BLOCKS = 1;
#endif

/* The segment of a block of threads; end 0: none. */
__device__ __forceinline__ range find_range(const cuda_launch &launch, const cuda_sweep &it,
                                            int segment)
{
    if (!launch.seams) segment = blockIdx.x;
    return segment < it.segments ? range_of(launch, it, segment) : range{};
}

__device__ __forceinline__ seam_place seam_of(const cuda_sweep &it, int item, int segment, int row)
{
    return seam_place{item, segment, row, 1, segment * it.rows + row};
}

/* As seam_ends, for one row: d is where the segment before p.segment ends. */
__device__ void end_one(const cuda_launch &launch, const cuda_sweep &it, const seam_place &p,
                        float d)
{
    if (!launch.seams) {
        it.after[(size_t)(p.segment - 1) * it.state_rows + p.row] = d;
        __threadfence();
        if ((atomicAdd(&it.tickets[p.ticket], 1) & 1) == 0) return;
        __threadfence();
    }
    float *before = it.before + (size_t)p.segment * it.state_rows + p.row;
    if (__float_as_int(__ldcg(before)) == __float_as_int(d)) return;
    *before = d;
    list_seam(launch, it, p);
}

/* Store one row of the state before column c > begin: at a seam, as carry, as a checkpoint. */
__device__ __forceinline__ void stop_at(const cuda_sweep &it, const range &p, int c, int row,
                                        float d)
{
    if (c == p.start) {
        it.before[(size_t)p.segment * it.state_rows + row] = d;
        return;
    }
    if (c == it.carry_column) it.carry_out[row] = d;
    float *checkpoint = checkpoint_at(it, c);
    if (checkpoint && c <= it.end) checkpoint[row] = d;
}

/* Store D(m, c) for the next band and as a score, and in its block's minimum. `low`: that minimum
 * so far. */
__device__ __forceinline__ void give_one(const cuda_sweep &it, const range &p, int c, float d,
                                         float &low)
{
    if (it.bottom) it.bottom[c] = d;
    if (it.scores) it.scores[c] = d;
    if (!it.minima) return;
    if (c >= it.first && c < it.end) low = least(low, d);
    if (c % CUDA_BLOCK < CUDA_BLOCK - 1 && c + 1 < p.end) return;
    atomicMin(reinterpret_cast<int *>(it.minima + c / CUDA_BLOCK), __float_as_int(low));
    low = INFINITE;
}

template <int EACH>
__global__ void __launch_bounds__(MOST_THREADS, EACH == 1 ? BLOCKS : 1)
    sweep_wavefront(const __grid_constant__ arguments a)
{
    extern __shared__ float diagonals[];
    __shared__ cuda_sweep it;
    const cuda_launch &launch = a.launch;
    if (launch.seams && (int)blockIdx.x >= *launch.n_seams) return;
    const cuda_seam seam = seam_here(launch);
    fetch_sweep(a, seam.item, &it);
    const range p = find_range(launch, it, seam.segment);
    if (p.end == 0) return;
    const int rows = it.rows, threads = it.lanes, columns = p.end - p.begin;
    const float *top = it.top ? it.top + p.begin : nullptr;

    /* Place i + 1 of a diagonal is row i's, place 0 the row above the first. */
    float *last = diagonals, *now = last + rows + 1, *before = now + rows + 1;
    float x[EACH], d[EACH], y[EACH], low = INFINITE; /* y: of the next diagonal */
    int stop[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int row = threadIdx.x + e * threads;
        if (row >= rows || (int)threadIdx.x >= threads) continue;
        x[e] = it.x[row];
        d[e] = p.state ? p.state[row] : INFINITE;
        stop[e] = p.segment && !launch.seams ? p.start : next_stop(it, p.start);
        y[e] = launch.y[p.begin];
        last[row + 1] = now[row + 1] = before[row + 1] = d[e];
        if (row == rows - 1 && it.bottom && p.state && p.start == 0) it.bottom[-1] = d[e];
    }
    if (threadIdx.x == 0) {
        before[0] = top ? top[-1] : 0;
        last[0] = top ? top[0] : 0;
        now[0] = 0;
    }
    __syncthreads();
    for (int k = 0; k < columns + rows - 1; k++) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            const int row = threadIdx.x + e * threads, t = k - row, c = p.begin + t;
            if (row >= rows || (int)threadIdx.x >= threads) continue;
            if (t >= 0 && t < columns) {
                if (c == stop[e]) {
                    stop_at(it, p, c, row, d[e]);
                    stop[e] = next_stop(it, c);
                }
                d[e] = cell_cost(x[e], y[e]) + least3(last[row], d[e], before[row]);
                y[e] = launch.y[c + 1];
                if (row == rows - 1 && c >= p.start) give_one(it, p, c, d[e], low);
            }
            now[row + 1] = d[e];
        }
        if (threadIdx.x == 0) now[0] = top && k + 1 < columns ? top[k + 1] : 0;
        __syncthreads();
        float *free = before;
        before = last;
        last = now;
        now = free;
    }
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        const int row = threadIdx.x + e * threads;
        if (row >= rows || (int)threadIdx.x >= threads) continue;
        if (!launch.seams && p.segment)
            seam_meet(launch, it, seam_of(it, seam.item, p.segment, row));
        if (p.end == stop[e]) stop_at(it, p, p.end, row, d[e]);
        if (p.segment + 1 < it.segments)
            end_one(launch, it, seam_of(it, seam.item, p.segment + 1, row), d[e]);
    }
}

} // namespace

int wavefront_lanes(int rows)
{
    return rows < MOST_THREADS ? rows : MOST_THREADS;
}

cudaError_t wavefront_sweep(const cuda_launch *launch)
{
    const arguments a = {*launch, launch->host[0]};
    int rows = 0, segments = 0;
    for (int i = 0; i < launch->n_items; i++) {
        rows = max(rows, launch->host[i].rows);
        segments = max(segments, launch->host[i].segments);
    }
    const dim3 grid = launch->seams ? dim3(launch->most_seams) : dim3(segments, launch->n_items);
    const int threads = (wavefront_lanes(rows) + 31) / 32 * 32;
    const size_t bytes = 3 * sizeof(float) * (size_t)(rows + 1);
    if (rows <= MOST_THREADS)
        sweep_wavefront<1><<<grid, threads, bytes, launch->stream>>>(a);
    else
        sweep_wavefront<MOST_EACH><<<grid, threads, bytes, launch->stream>>>(a);
    return cudaGetLastError();
}
