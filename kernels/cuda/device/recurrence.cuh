/*
 * recurrence.cuh - shared by all kernels: the cost of a cell, minima, states in a thread's
 * registers, checkpoints.
 *
 *     corner  above            s = x - y                      subtraction
 *     left    D(i,t)           a = min3(left, above, corner)  integer minimum
 *                              D = a + |s|                    addition, |s| on the way
 *
 * A cell is three instructions. Costs are >= 0, so the minimum of floats is the integer minimum of
 * their bits, and the integer unit has one of three operands.
 */
#ifndef KERNELS_CUDA_DEVICE_RECURRENCE_CUH
#define KERNELS_CUDA_DEVICE_RECURRENCE_CUH

#include "kernels/cuda/launch.h"

#define INFINITE __int_as_float(0x7f800000)

/* x - y, and the cost of a cell, |x - y|. Keep the difference: the addition that uses the cost
 * takes its absolute value on the way, so only the difference is an instruction. */
__device__ __forceinline__ float cell_difference(float x, float y)
{
    return x - y;
}

__device__ __forceinline__ float cell_cost(float difference)
{
    return fabsf(difference);
}

__device__ __forceinline__ float cell_cost(float x, float y)
{
    return cell_cost(cell_difference(x, y));
}

__device__ __forceinline__ float least(float a, float b)
{
    return __int_as_float(min(__float_as_int(a), __float_as_int(b)));
}

__device__ __forceinline__ float least3(float a, float b, float c)
{
    return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
}

/* The least of the values of a warp. */
__device__ __forceinline__ int least_in_warp(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, value);
#else
    for (int apart = 16; apart; apart /= 2) value = min(value, __shfl_xor_sync(~0u, value, apart));
    return value;
#endif
}

/* W floats, W a multiple of 4, 16-byte aligned. */
template <int W> __device__ __forceinline__ void load(float (&to)[W], const float *from)
{
#pragma unroll
    for (int i = 0; i < W / 4; i++) {
        float4 v = reinterpret_cast<const float4 *>(from)[i];
        to[4 * i] = v.x;
        to[4 * i + 1] = v.y;
        to[4 * i + 2] = v.z;
        to[4 * i + 3] = v.w;
    }
}

/* Begin to copy four floats, 16-byte aligned, to shared memory. No register holds them meanwhile.
 */
__device__ __forceinline__ void copy_four(unsigned to, const void *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#else
    const float4 v = *static_cast<const float4 *>(from);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(v.x), "f"(v.y), "f"(v.z),
                 "f"(v.w)
                 : "memory");
#endif
}

/* The copies that a thread began since the last call are a group. */
__device__ __forceinline__ void close_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Wait for all groups of the thread's copies but the last N. */
template <int N> __device__ __forceinline__ void await_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

/* Read four floats that were copied. */
__device__ __forceinline__ void read_four(float *to, unsigned from)
{
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
                 : "r"(from)
                 : "memory");
}

template <int W> __device__ __forceinline__ void store(float *to, const float (&from)[W])
{
#pragma unroll
    for (int i = 0; i < W / 4; i++)
        reinterpret_cast<float4 *>(to)[i] =
            make_float4(from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]);
}

/* A thread's rows of a state: `held` of R, in whole units. FULL: all R. */
template <int R, bool FULL>
__device__ __forceinline__ void state_store(float *to, const float (&d)[R], int held)
{
#pragma unroll
    for (int r = 0; r < R; r += CUDA_UNIT)
        if (FULL || r < held)
            *reinterpret_cast<float4 *>(to + r) = make_float4(d[r], d[r + 1], d[r + 2], d[r + 3]);
}

template <int R>
__device__ __forceinline__ void state_load(float (&d)[R], const float *from, int held)
{
#pragma unroll
    for (int r = 0; r < R; r++) d[r] = from && r < held ? from[r] : INFINITE;
}

/* The last row that the thread holds; the last `missing` < 8 of R are not held. */
template <int R, bool FULL>
__device__ __forceinline__ float last_row(const float (&d)[R], int missing)
{
    if (FULL) missing = 0;
    float four[4], two[2]; /* the last four candidates, then two */
#pragma unroll
    for (int i = 0; i < 4; i++) four[i] = R > 4 && missing & 4 ? d[R - 5 - i] : d[R - 1 - i];
    two[0] = missing & 2 ? four[2] : four[0];
    two[1] = missing & 2 ? four[3] : four[1];
    return missing & 1 ? two[1] : two[0];
}

/* R x CUDA_STEP cells: d, the state before, becomes the state after. diag is left of up;
 * cost(r, w) is |x - y|. `missing` is a reference, since the measured machine code needs it. */
template <int R, bool FULL, class Cost>
__device__ __forceinline__ void tile(float (&d)[R], Cost cost, const float (&up)[CUDA_STEP],
                                     float diag, const int &missing, float (&bottom)[CUDA_STEP])
{
#pragma unroll
    for (int w = 0; w < CUDA_STEP; w++) {
        float above = up[w], corner = w ? up[w - 1] : diag;
#pragma unroll
        for (int r = 0; r < R; r++) {
            float left = d[r];
            d[r] = cost(r, w) + least3(above, left, corner);
            corner = left;
            above = d[r];
        }
        bottom[w] = last_row<R, FULL>(d, missing);
    }
}

/* Stops are the columns before which a segment stores its state. The next checkpoint after c. */
__device__ __forceinline__ int next_checkpoint(const cuda_sweep &it, int c)
{
    int spacing = 1 << it.checkpoint_shift;
    return c + spacing - ((it.checkpoint_phase + c) & (spacing - 1));
}

__device__ __forceinline__ int next_stop(const cuda_sweep &it, int c)
{
    int stop = next_checkpoint(it, c);
    return it.carry_column > c && it.carry_column < stop ? it.carry_column : stop;
}

/* The place of the checkpoint at column c > 0; NULL: none. */
__device__ __forceinline__ float *checkpoint_at(const cuda_sweep &it, int c)
{
    int spacing = 1 << it.checkpoint_shift;
    if ((it.checkpoint_phase + c) & (spacing - 1)) return nullptr;
    const int number =
        (int)it.checkpoint_first + ((it.checkpoint_phase + c) >> it.checkpoint_shift);
    return it.checkpoints + (size_t)(number & (it.checkpoint_slots - 1)) * it.checkpoint_rows;
}

/* Blocks in [from, to) belong to one segment, which owns [start, end), and all their columns
 * count. */
struct whole_blocks {
    int from, to;
};

__device__ __forceinline__ whole_blocks find_whole(const cuda_sweep &it, int start, int end)
{
    const int from = max(start, it.first), to = min(end, it.end);
    return whole_blocks{(from + CUDA_BLOCK - 1) / CUDA_BLOCK * CUDA_BLOCK,
                        to / CUDA_BLOCK * CUDA_BLOCK};
}

/* Minimum of W columns of the last row, in a block that segments share or that counts in part. The
 * block was +inf. Values from a false start are too high at worst, never too low. */
template <int W>
__device__ __forceinline__ void output_few(const cuda_sweep &it, int c, const float (&d)[W])
{
    float low = INFINITE;
#pragma unroll
    for (int w = 0; w < W; w++)
        if (c + w >= it.first && c + w < it.end) low = least(low, d[w]);
    atomicMin(reinterpret_cast<int *>(it.minima + c / CUDA_BLOCK), __float_as_int(low));
}

#endif
