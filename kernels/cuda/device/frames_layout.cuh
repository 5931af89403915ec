/*
 * frames_layout.cuh - the layout of frames in memory: of the template (x), and of the stream (y, by
 * transpose.cu). The lanes of frames.cu load 16 bytes each at the same time, side by side.
 *
 *     group      the shares of 8 lanes: `held` rows each of x, W columns each of y
 *     its lines  | k = 0 | k = 1 | ... | K - 1 |
 *     a line     | values 0-3 of shares 0 .. 7 | values 4-7 of shares 0 .. 7 | ...
 */
#ifndef KERNELS_CUDA_DEVICE_FRAMES_LAYOUT_CUH
#define KERNELS_CUDA_DEVICE_FRAMES_LAYOUT_CUH

#include "kernels/cuda/launch.h"

namespace
{

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

} // namespace

#endif
