/*
 * band.cu - a thread a segment, for long streams. The template is cut into bands of at most
 * R rows, which a thread holds in registers; each band is a sweep of its own and passes its
 * last row to the next one through memory, 12 bytes a column for R cells. Warm-ups are as long
 * as a band is high, not as the template is long. The template's values are kernel arguments:
 * the subtraction reads them from the constant bank, where they take no registers.
 */
#include "kernels/cuda/recurrence.cuh"

namespace
{

constexpr int W = CUDA_STEP, THREADS = 128, GRAIN = 8 /* of heights */;

template <int R> struct arguments {
    cuda_sweep it;
    const float *y;
    const cuda_seam *seams;
    int n_seams;
    float x[R];
};

/* The last row that is held: `missing` < GRAIN of the R are not. */
template <int R, bool FULL>
__device__ __forceinline__ float last_row(const float (&d)[R], int missing)
{
    if (FULL) missing = 0;
    float four[4], two[2]; /* the last four that come into question, then two */
#pragma unroll
    for (int i = 0; i < 4; i++) four[i] = missing & 4 ? d[R - 5 - i] : d[R - 1 - i];
    two[0] = missing & 2 ? four[2] : four[0];
    two[1] = missing & 2 ? four[3] : four[1];
    return missing & 1 ? two[1] : two[0];
}

/* A thread's segment: swept from column `begin` on, it owns [start, end). */
struct range {
    int segment, begin, start, end;
    const float *state; /* that it starts from; NULL: +inf */
};

template <int R> __device__ __forceinline__ range find_range(const arguments<R> &a)
{
    range p = {};
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    if (a.seams && thread >= a.n_seams) return p;
    p.segment = a.seams ? a.seams[thread].segment : thread;
    if (p.segment >= a.it.segments) return p;
    p.start = p.segment * a.it.length;
    p.end = min(p.start + a.it.length, a.it.n);
    p.begin = a.seams ? p.start : max(0, p.start - a.it.warm);
    if (a.seams)
        p.state = a.it.before + (size_t)p.segment * a.it.rows;
    else if (p.begin == 0)
        p.state = a.it.carry;
    return p;
}

template <int R, bool FULL, bool TOP>
__global__ void __launch_bounds__(THREADS, 2) sweep_band(const __grid_constant__ arguments<R> a)
{
    const cuda_sweep &it = a.it;
    const range p = find_range<R>(a);
    if (p.end == 0) return;
    const int missing = R - it.rows;
    float d[R], y[W], top[W] = {}, diag = 0, low = INFINITE;
    state_load<R>(d, p.state, it.rows);
    load<W>(y, a.y + p.begin);
    if constexpr (TOP) {
        diag = it.top[p.begin - 1];
        load<W>(top, it.top + p.begin);
    }
    if (it.bottom && p.state && p.start == 0) it.bottom[-1] = p.state[it.rows - 1];
    int stop = p.segment && !a.seams ? p.start : next_stop(it, p.start);
#pragma unroll 1
    for (int c = p.begin; c < p.end; c += W) {
        if (c == stop) {
            if (c == p.start)
                state_store<R, FULL>(it.before + (size_t)p.segment * it.rows, d, it.rows);
            else {
                if (c == it.carry_column) state_store<R, FULL>(it.carry_out, d, it.rows);
                float *kept = kept_at(it, c);
                if (kept) state_store<R, FULL>(kept, d, it.rows);
            }
            stop = next_stop(it, c);
        }
        float now[W], up[W], bottom[W];
#pragma unroll
        for (int w = 0; w < W; w++) {
            now[w] = y[w];
            up[w] = top[w];
        }
        load<W>(y, a.y + c + W);
        if constexpr (TOP) load<W>(top, it.top + c + W);
#pragma unroll
        for (int w = 0; w < W; w++) {
            float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
            for (int r = 0; r < R; r++) {
                float left = d[r];
                d[r] = fabsf(a.x[r] - now[w]) + least3(above, left, corner);
                corner = left;
                above = d[r];
            }
            bottom[w] = last_row<R, FULL>(d, missing);
        }
        diag = up[W - 1];
        if (c >= p.start) give<W>(it, c, p.start, p.end, bottom, low);
    }
    if (p.end == it.carry_column) state_store<R, FULL>(it.carry_out, d, it.rows);
    float *kept = kept_at(it, p.end);
    if (kept && p.end <= it.end) state_store<R, FULL>(kept, d, it.rows);
    if (p.segment + 1 < it.segments)
        state_store<R, FULL>(it.after + (size_t)p.segment * it.rows, d, it.rows);
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const cuda_sweep &it = launch.host[0];
    arguments<R> a = {it, launch.y, launch.seams, launch.n_seams, {}};
    for (int r = 0; r < R; r++) a.x[r] = r < it.rows ? launch.x[r] : INFINITY;
    const int threads = launch.seams ? launch.n_seams : it.segments;
    const unsigned grid = (threads + THREADS - 1) / THREADS;
    const bool full = it.rows == R && aligned(it);
    if (it.top && full)
        sweep_band<R, true, true><<<grid, THREADS, 0, launch.stream>>>(a);
    else if (it.top)
        sweep_band<R, false, true><<<grid, THREADS, 0, launch.stream>>>(a);
    else if (full)
        sweep_band<R, true, false><<<grid, THREADS, 0, launch.stream>>>(a);
    else
        sweep_band<R, false, false><<<grid, THREADS, 0, launch.stream>>>(a);
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
