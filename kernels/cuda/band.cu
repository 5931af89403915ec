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

/* Store the state before column c, the segment's first or a kept one. */
template <int R, bool FULL>
__device__ __forceinline__ void store_state(const cuda_sweep &it, const range &p, int c,
                                            const float (&d)[R])
{
    if (c == p.start) {
        state_store<R, FULL>(it.before + (size_t)p.segment * it.rows, d, it.rows);
        return;
    }
    if (c == it.carry_column) state_store<R, FULL>(it.carry_out, d, it.rows);
    float *kept = kept_at(it, c);
    if (kept && c <= it.end) state_store<R, FULL>(kept, d, it.rows);
}

/* The least of the values of those threads of a warp that are here together. */
__device__ __forceinline__ int least_in_warp(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(__activemask(), value);
#else
    return value;
#endif
}

template <int R, bool FULL>
__device__ __forceinline__ void tile(float (&d)[R], const float (&x)[R], const float (&y)[W],
                                     const float (&up)[W], float diag, int missing,
                                     float (&bottom)[W])
{
#pragma unroll
    for (int w = 0; w < W; w++) {
        float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
        for (int r = 0; r < R; r++) {
            float left = d[r];
            d[r] = fabsf(x[r] - y[w]) + least3(above, left, corner);
            corner = left;
            above = d[r];
        }
        bottom[w] = last_row<R, FULL>(d, missing);
    }
}

template <int R, bool FULL, bool TOP, bool LAST>
__global__ void __launch_bounds__(THREADS, 2) sweep_band(const __grid_constant__ arguments<R> a)
{
    const cuda_sweep &it = a.it;
    const range p = find_range<R>(a);
    if (p.end == 0) return;
    const outlet out = {it.bottom, it.scores, it.minima, it.first, it.end, p.start, p.end};
    const int missing = R - it.rows;
    float d[R], diag = 0, low = INFINITE;
    /* Of the next two steps: what is loaded in a step comes in during a whole one at least. */
    float y[W], y2[W], top[W] = {}, top2[W] = {};
    state_load<R>(d, p.state, it.rows);
    load<W>(y, a.y + p.begin);
    load<W>(y2, a.y + p.begin + W);
    if constexpr (TOP) {
        diag = it.top[p.begin - 1];
        load<W>(top, it.top + p.begin);
        load<W>(top2, it.top + p.begin + W);
    }
    if (it.bottom && p.state && p.start == 0) it.bottom[-1] = p.state[it.rows - 1];
    int stop = p.segment && !a.seams ? p.start : next_stop(it, p.start);
    /* Pointers of each thread's own, so that the template's values keep the uniform registers. */
    const float *next_y = a.y + p.begin + 2 * W;
    const float *next_top = TOP ? it.top + p.begin + 2 * W : nullptr;
    float *next_bottom = LAST ? nullptr : it.bottom + p.begin;
    /* The inner loop has no stops, and as many steps for all threads of a warp. */
    for (int c = p.begin; c < p.end;) {
        if (c == stop) {
            store_state<R, FULL>(it, p, c, d);
            stop = next_stop(it, c);
        }
        const int until = c + least_in_warp(min(stop, p.end) - c);
        const bool own = c >= p.start;
#pragma unroll 1
        for (; c < until; c += W) {
            float now[W], up[W], bottom[W];
#pragma unroll
            for (int w = 0; w < W; w++) {
                now[w] = y[w];
                y[w] = y2[w];
                up[w] = top[w];
                top[w] = top2[w];
            }
            load<W>(y2, next_y);
            next_y += W;
            if constexpr (TOP) {
                load<W>(top2, next_top);
                next_top += W;
            }
            tile<R, FULL>(d, a.x, now, up, diag, missing, bottom);
            diag = up[W - 1];
            if (own && LAST) give<W>(out, c, bottom, low);
            if constexpr (!LAST) {
                if (own) store<W>(next_bottom, bottom);
                next_bottom += W;
            }
        }
    }
    store_state<R, FULL>(it, p, p.end, d);
    if (p.segment + 1 < it.segments)
        state_store<R, FULL>(it.after + (size_t)p.segment * it.rows, d, it.rows);
}

template <int R, bool FULL>
void start_kind(const arguments<R> &a, unsigned grid, cudaStream_t stream)
{
    const bool last = !a.it.bottom;
    if constexpr (R >= CUDA_BAND_ROWS / 2) { /* of several bands all are half as high or more */
        if (a.it.top && last)
            sweep_band<R, FULL, true, true><<<grid, THREADS, 0, stream>>>(a);
        else if (a.it.top)
            sweep_band<R, FULL, true, false><<<grid, THREADS, 0, stream>>>(a);
        else if (!last)
            sweep_band<R, FULL, false, false><<<grid, THREADS, 0, stream>>>(a);
    }
    if (!a.it.top && last) sweep_band<R, FULL, false, true><<<grid, THREADS, 0, stream>>>(a);
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const cuda_sweep &it = launch.host[0];
    arguments<R> a = {it, launch.y, launch.seams, launch.n_seams, {}};
    for (int r = 0; r < R; r++) a.x[r] = r < it.rows ? launch.x[r] : INFINITY;
    const int threads = launch.seams ? launch.n_seams : it.segments;
    const unsigned grid = (threads + THREADS - 1) / THREADS;
    const bool full = it.rows == R && aligned(it);
    if (full)
        start_kind<R, true>(a, grid, launch.stream);
    else
        start_kind<R, false>(a, grid, launch.stream);
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
