/* handover.cu - the hand-over kernel for samples: the template's rows stay in registers. */
#include "kernels/cuda/handover.cuh"

namespace
{

constexpr int W = CUDA_STEP;
constexpr int MOST_LANES = 256;
constexpr int MISSING = 3; /* rows of a lane that may not be held */

/* R x W cells. Of the R rows the last few may be missing; what they hold matters to nobody. */
template <int R, bool FULL> struct samples {
    /* y is of the next two steps: it comes in during a whole one at least. */
    float x[R], y[W], y2[W];
    const float *from;
    int missing;

    __device__ __forceinline__ void init(const cuda_launch &launch, const cuda_sweep &it,
                                         const place &p)
    {
#pragma unroll
        for (int r = 0; r < R; r++) x[r] = r < p.held ? it.x[p.row + r] : INFINITE;
        from = launch.y + p.begin;
        missing = R - p.held;
        load<W>(y, from);
        load<W>(y2, from + W);
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
        load<W>(y2, from + 2 * W);
        from += W;
#pragma unroll
        for (int w = 0; w < W; w++) {
            float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
            for (int r = 0; r < R; r++) {
                float left = d[r];
                d[r] = fabsf(x[r] - now[w]) + least3(above, left, corner);
                corner = left;
                above = d[r];
            }
            bottom[w] = d[R - 1];
            if (!FULL) {
                if (missing == 1) bottom[w] = d[R - 2];
                if (missing == 2) bottom[w] = d[R - 3];
                if (missing == 3) bottom[w] = d[R - 4];
            }
        }
    }
};

template <int R, bool FULL>
__global__ void __launch_bounds__(MOST_LANES, 1) sweep_samples(const cuda_launch launch)
{
    sweep<R, FULL, samples<R, FULL>>(launch);
}

template <int R> cudaError_t start(const cuda_launch &launch)
{
    const shape s = shape_of(launch, R);
    if (s.full)
        sweep_samples<R, true><<<s.grid, s.block, s.bytes, launch.stream>>>(launch);
    else
        sweep_samples<R, false><<<s.grid, s.block, s.bytes, launch.stream>>>(launch);
    return cudaGetLastError();
}

} // namespace

int cuda_handover_held(int i)
{
    const int held[] = {32, 16, 8, 4, 0};
    return held[i];
}

int cuda_handover_lanes(int rows, int held)
{
    const int lanes = (rows + held - 1) / held;
    return lanes <= MOST_LANES && rows / lanes >= held - MISSING ? lanes : 0;
}

cudaError_t cuda_handover(const cuda_launch *launch, int held)
{
    switch (held) {
    case 32: return start<32>(*launch);
    case 16: return start<16>(*launch);
    case 8: return start<8>(*launch);
    case 4: return start<4>(*launch);
    default: return cudaErrorInvalidValue;
    }
}
