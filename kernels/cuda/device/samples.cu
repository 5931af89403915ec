/* samples.cu - the hand-over kernel (handover.cuh) for samples; rows stay in registers. */
#include "kernels/cuda/device/handover.cuh"

namespace
{

constexpr int W = CUDA_STEP;
constexpr int MOST_HELD = 32;

/* R x W cells. The last few rows may be missing; they cost +inf, since states are compared by whole
 * units. */
template <int R, bool FULL> struct samples {
    float x[R];
    float y[W], y2[W]; /* of the next step and of the one after it: loads take that long */
    const float *from; /* of the latter */
    int missing;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p, const void *)
    {
#pragma unroll
        for (int r = 0; r < R; r++) x[r] = r < p.held ? it.x[p.row + r] : INFINITE;
        from = launch.y + p.begin;
        missing = R - p.held;
        load<W>(y, from);
        load<W>(y2, from += W);
    }

    __device__ __forceinline__ void keep(const task &)
    {
    }

    __device__ __forceinline__ const task &kept(const task &first) const
    {
        return first;
    }

    __device__ __forceinline__ void run(float (&d)[R], const float (&up)[W], float diag,
                                        float (&bottom)[W])
    {
        float now[W];
#pragma unroll
        for (int w = 0; w < W; w++) {
            now[w] = y[w];
            y[w] = y2[w];
        }
        load<W>(y2, from += W);
        tile<R, FULL>(
            d, [&](int r, int w) { return cell_cost(x[r], now[w]); }, up, diag, missing, bottom);
    }
};

/* Registers for two warps a scheduler, or three. */
template <int R, bool FULL, bool BANDS>
__global__ void __maxnreg__(R == MOST_HELD ? 248 : 168)
    sweep_samples(const __grid_constant__ arguments a)
{
    sweep<R, FULL, BANDS, samples<R, FULL>>(a);
}

template <int R, bool FULL> void start_kind(const arguments &a, const shape &s)
{
    if constexpr (R == MOST_HELD) /* only what is too long for it is cut into bands */
        if (s.bands) {
            sweep_samples<R, FULL, true><<<s.grid, s.block, s.bytes, a.launch.stream>>>(a);
            return;
        }
    sweep_samples<R, FULL, false><<<s.grid, s.block, s.bytes, a.launch.stream>>>(a);
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const arguments a = {launch, launch.host[0]};
    const shape s = shape_of(launch, R, 0);
    if (s.full)
        start_kind<R, true>(a, s);
    else
        start_kind<R, false>(a, s);
    return cudaGetLastError();
}

} // namespace

cudaError_t cuda_samples(const cuda_launch *launch, int held)
{
    switch (held) {
    case 32: return start<32>(*launch);
    case 16: return start<16>(*launch);
    case 8: return start<8>(*launch);
    case 4: return start<4>(*launch);
    default: return cudaErrorInvalidValue;
    }
}
