/*
 * band.cu - one thread sweeps one segment of a band of rows; for long streams.
 *
 *     columns    | thread 0 | thread 1 | thread 2 | ...
 *     band 0     |  R rows in registers of each   |  launch 0
 *     the last row of band 0, through memory
 *     band 1     |                                |  launch 1
 *
 * The row between two bands costs 12 bytes a column for R cells. Warm-ups depend on the height of a
 * band, not on the template's length. The template's values are kernel arguments: the subtraction
 * reads them from the constant bank, so they need no registers.
 */
#include <climits>

#include "kernels/cuda/device/seams.cuh"

namespace
{

constexpr int W = CUDA_STEP, THREADS = CUDA_BAND_THREADS, GRAIN = 8 /* of heights */;

/* A multiprocessor has more registers for CUDA_BAND_BLOCKS blocks. But the limit changes where the
 * compiler puts a cell's seven registers, and so how often two reads want the same of two banks.
 * This limit was the fastest (docs/lab/gpu-kernels.md). */
constexpr int REGISTERS = 184;
static_assert(REGISTERS * THREADS * CUDA_BAND_BLOCKS <= 65536, "the plan's blocks fit");

template <int R> struct values {
    float x[R];
};

struct arguments {
    cuda_launch launch;
    cuda_sweep it;
    int apart; /* distance of segments with checkpoints at the same steps; a power of two */
};

/* Load memory that no thread writes in this launch. Threads that read in step, each along its own
 * addresses, load pieces of a size that suits the memory. */
template <int W> __device__ __forceinline__ void load_ahead(float (&to)[W], const float *from)
{
#if __CUDA_ARCH__ >= 800
#pragma unroll
    for (int i = 0; i < W / 4; i++)
        asm volatile("ld.global.nc.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(to[4 * i]), "=f"(to[4 * i + 1]), "=f"(to[4 * i + 2]),
                       "=f"(to[4 * i + 3])
                     : "l"(from + 4 * i));
#else
    load<W>(to, from);
#endif
}

/* The threads of a warp take segments with checkpoints at the same steps. */
__device__ __forceinline__ int segment_of(const arguments &a, int thread)
{
    const int group = 32 * a.apart, first = thread / group * group;
    if (first + group > a.it.segments) return thread;
    return first + (thread - first) / 32 + thread % 32 * a.apart;
}

/* A thread's segment; end 0: none. */
__device__ __forceinline__ range find_range(const arguments &a)
{
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    const bool again = a.launch.seams;
    if (thread >= (again ? *a.launch.n_seams : a.it.segments)) return range{};
    return range_of(a.launch, a.it, again ? a.launch.seams[thread].segment : segment_of(a, thread));
}

__device__ __forceinline__ seam_place seam_of(const cuda_sweep &it, int segment)
{
    return seam_place{0, segment, 0, it.rows, segment};
}

/* Store the state before column c: the segment's first, or a checkpoint. False: this is a repair,
 * and the segment was right from here on. */
template <int R, bool FULL>
__device__ __forceinline__ bool stop_at(const arguments &a, const range &p, int c,
                                        const float (&d)[R])
{
    if (c == p.start) {
        const seam_place seam = seam_of(a.it, p.segment);
        seam_leave<R, FULL>(a.it, seam, d);
        seam_meet(a.launch, a.it, seam);
        return true;
    }
    if (c == a.it.carry_column) state_store<R, FULL>(a.it.carry_out, d, a.it.rows);
    float *checkpoint = checkpoint_at(a.it, c);
    if (!checkpoint || c > a.it.end) return true;
    if (a.launch.seams && same_state<R, FULL>(checkpoint, d, a.it.rows)) return false;
    state_store<R, FULL>(checkpoint, d, a.it.rows);
    return true;
}

/*
 * The inner loop has no branches, and equally many steps for all threads of a warp. So the
 * template's values stay in uniform registers, from which the subtraction takes them. The loop ends
 * when some thread has something else to do. Threads at their end stay there (`ahead` is 0) and
 * store nothing.
 */
template <int R, bool FULL, bool TOP, bool LAST>
__global__ void __maxnreg__(REGISTERS)
    sweep_band(const __grid_constant__ values<R> x, const __grid_constant__ arguments a)
{
    const cuda_sweep &it = a.it;
    const range p = find_range(a);
    const whole_blocks whole = find_whole(it, p.start, p.end);
    const int missing = R - it.rows;
    float d[R], y[W], top[W] = {}, bottom[W], diag = 0, low = INFINITE;
    const float *next_y = a.launch.y + p.begin, *next_top = TOP ? it.top + p.begin : nullptr;
    float *to = LAST ? it.scores : it.bottom, *minimum = LAST ? it.minima : nullptr;
    state_load<R>(d, p.state, it.rows);
    load_ahead<W>(y, next_y);
    if constexpr (TOP) {
        diag = next_top[-1];
        load_ahead<W>(top, next_top);
    }
    if (!LAST && p.state && p.start == 0) to[-1] = p.state[it.rows - 1];
    const bool wanted = to;
    if (wanted) to += p.begin;
    if (LAST) minimum += whole.from / CUDA_BLOCK;
    int c = p.begin, ahead = p.end ? W : 0;
    int stop = p.segment && !a.launch.seams ? p.start : next_stop(it, p.start);
    for (;;) {
        if (ahead && c == stop) {
            if (!stop_at<R, FULL>(a, p, c, d)) ahead = 0;
            stop = next_stop(it, c);
        }
        if (ahead && c == p.end) {
            if (p.segment + 1 < it.segments)
                seam_ends<R, FULL>(a.launch, it, seam_of(it, p.segment + 1), d);
            ahead = 0;
        }
        const bool own = ahead && c >= p.start, saves = own && wanted;
        const bool few = LAST && own && (c < whole.from || c >= whole.to);
        const bool blocks = LAST && own && !few;
        if (LAST && c == whole.from) low = INFINITE;
        int until = min(stop, LAST && c < whole.to ? whole.to : p.end);
        if (few) until = c + W;
        const int steps = least_in_warp(ahead ? (until - c) / W : INT_MAX);
        if (steps == INT_MAX) return;
#pragma unroll 1
        for (int i = 0; i < steps; i++) {
            float now[W], up[W];
#pragma unroll
            for (int w = 0; w < W; w++) now[w] = y[w], up[w] = top[w];
            next_y += ahead;
            load_ahead<W>(y, next_y);
            if constexpr (TOP) {
                next_top += ahead;
                load_ahead<W>(top, next_top);
            }
            tile<R, FULL>(
                d, [&](int r, int w) { return cell_cost(x.x[r], now[w]); }, up, diag, missing,
                bottom);
            diag = up[W - 1];
            if (saves) store<W>(to, bottom);
            to += ahead;
            c += ahead;
            if constexpr (LAST) {
#pragma unroll
                for (int w = 0; w < W; w += 2) low = least3(low, bottom[w], bottom[w + 1]);
                if (blocks && c % CUDA_BLOCK == 0) {
                    *minimum++ = low;
                    low = INFINITE;
                }
            }
        }
        if (few && it.minima) output_few(it, c - W, bottom);
    }
}

template <int R, bool FULL> void start_kind(const values<R> &x, const arguments &a, unsigned grid)
{
    const cudaStream_t stream = a.launch.stream;
    const bool last = !a.it.bottom;
    if constexpr (R >= CUDA_BAND_ROWS / 2) { /* of several bands, each has half the rows or more */
        if (a.it.top && last)
            sweep_band<R, FULL, true, true><<<grid, THREADS, 0, stream>>>(x, a);
        else if (a.it.top)
            sweep_band<R, FULL, true, false><<<grid, THREADS, 0, stream>>>(x, a);
        else if (!last)
            sweep_band<R, FULL, false, false><<<grid, THREADS, 0, stream>>>(x, a);
    }
    if (!a.it.top && last) sweep_band<R, FULL, false, true><<<grid, THREADS, 0, stream>>>(x, a);
}

/* Checkpoints are a power of two apart. A warp takes segments with checkpoints at the same steps
 * only if they are near: too many pages of memory at a time cost more. */
int apart_of(const cuda_sweep &it)
{
    enum { MOST_APART = 16 };
    const int spacing = 1 << it.checkpoint_shift;
    const int apart = spacing / min(spacing, it.length & -it.length);
    return apart > MOST_APART ? 1 : apart;
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const arguments a = {launch, launch.host[0], apart_of(launch.host[0])};
    values<R> x;
    for (int r = 0; r < R; r++) x.x[r] = r < a.it.rows ? launch.x[r] : INFINITY;
    const int threads = launch.seams ? launch.most_seams : a.it.segments;
    const unsigned grid = (threads + THREADS - 1) / THREADS;
    if (a.it.rows == R)
        start_kind<R, true>(x, a, grid);
    else
        start_kind<R, false>(x, a, grid);
    return cudaGetLastError();
}

} // namespace

cudaError_t cuda_band(const cuda_launch *launch)
{
    switch ((launch->host[0].rows + GRAIN - 1) / GRAIN * GRAIN) {
    case 8: return start<8>(*launch);
    case 16: return start<16>(*launch);
    case 24: return start<24>(*launch);
    case 32: return start<32>(*launch);
    case 40: return start<40>(*launch);
    case 48: return start<48>(*launch);
    case 56: return start<56>(*launch);
    case 64: return start<64>(*launch);
    default: return cudaErrorInvalidValue;
    }
}
