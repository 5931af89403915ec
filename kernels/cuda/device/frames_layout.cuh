/*
 * frames_layout.cuh - how frames lie that lanes of frames.cu load side by side, 16 bytes of each:
 * those of the template, x, and of the stream, y, which transpose.cu makes so. The shares of 8
 * lanes are a group: of x `held` rows a lane, of y W columns. A group has a line for each k, and a
 * line first the first four values of all eight shares, then the next.
 */
#ifndef KERNELS_CUDA_FRAMES_LAYOUT_CUH
#define KERNELS_CUDA_FRAMES_LAYOUT_CUH

#include "kernels/cuda/launch.h"

namespace
{

constexpr int W = CUDA_STEP, FOUR = 4, IN_GROUP = 8;
static_assert(W * IN_GROUP == CUDA_BLOCK, "columns of a group, as launch.h tells");

/* Where the i-th share's values begin, k = 0. `held`: of a share. */
__host__ __device__ __forceinline__ long long share_at(long long i, int held, int dim)
{
    return i / IN_GROUP * IN_GROUP * held * dim + i % IN_GROUP * FOUR;
}

/* How far it is from there to the i-th of the values of a share, of the same k. */
__host__ __device__ __forceinline__ int within_share(int i)
{
    return i / FOUR * (FOUR * IN_GROUP) + i % FOUR;
}

} // namespace

#endif
