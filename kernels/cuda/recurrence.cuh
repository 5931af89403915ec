/*
 * recurrence.cuh - what the kernels share: minima, states in a thread's registers, and what a
 * segment stores on its way.
 *
 * Costs are >= 0, so float minima equal integer minima of the bit patterns, and the integer
 * unit has one of three operands: with it a cell is three instructions, the other two being
 * a subtraction and an addition that takes the absolute value on its way.
 */
#ifndef KERNELS_CUDA_RECURRENCE_CUH
#define KERNELS_CUDA_RECURRENCE_CUH

#include "kernels/cuda/launch.h"

#define INFINITE __int_as_float(0x7f800000)

__device__ __forceinline__ float least(float a, float b)
{
    return __int_as_float(min(__float_as_int(a), __float_as_int(b)));
}

__device__ __forceinline__ float least3(float a, float b, float c)
{
    return __int_as_float(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)));
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

/* The same of what no thread writes in this launch. Threads that go through memory in step, each on
 * a way of its own, want it in pieces that memory is good at. */
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

template <int W> __device__ __forceinline__ void store(float *to, const float (&from)[W])
{
#pragma unroll
    for (int i = 0; i < W / 4; i++)
        reinterpret_cast<float4 *>(to)[i] =
            make_float4(from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]);
}

/* A thread's rows of a state, `held` of R. FULL: all R of them, 16-byte aligned. */
template <int R, bool FULL>
__device__ __forceinline__ void state_store(float *to, const float (&d)[R], int held)
{
    if constexpr (FULL) {
        store<R>(to, d);
    } else {
#pragma unroll
        for (int r = 0; r < R; r++)
            if (r < held) to[r] = d[r];
    }
}

template <int R>
__device__ __forceinline__ void state_load(float (&d)[R], const float *from, int held)
{
#pragma unroll
    for (int r = 0; r < R; r++) d[r] = from && r < held ? from[r] : INFINITE;
}

/* Stops are the columns before which a segment has to store its state. The next column after c
 * that is kept ...*/
__device__ __forceinline__ int next_kept(const cuda_sweep &it, int c)
{
    int spacing = 1 << it.kept_shift;
    return c + spacing - ((it.kept_phase + c) & (spacing - 1));
}

__device__ __forceinline__ int next_stop(const cuda_sweep &it, int c)
{
    int stop = next_kept(it, c);
    return it.carry_column > c && it.carry_column < stop ? it.carry_column : stop;
}

/* Where the state before column c is kept, or NULL if it is not; c > 0. */
__device__ __forceinline__ float *kept_at(const cuda_sweep &it, int c)
{
    int spacing = 1 << it.kept_shift;
    if ((it.kept_phase + c) & (spacing - 1)) return nullptr;
    const int number = (int)it.kept_first + ((it.kept_phase + c) >> it.kept_shift);
    return it.kept + (size_t)(number & (it.kept_slots - 1)) * it.kept_rows;
}

/* Where the last row of a segment goes that owns columns [start, end): see cuda_sweep. */
struct outlet {
    float *bottom, *scores, *minima;
    int first, last; /* minima count the columns [first, last) */
    int start, end;
};

__device__ __forceinline__ outlet outlet_of(const cuda_sweep &it, int start, int end)
{
    return outlet{it.bottom, it.scores, it.minima, it.first, it.end, start, end};
}

/* W columns of the last row, from column c on: what is asked of them. `low` is the minimum of
 * their block so far. A block that the segment shares with others is +inf before; all that is
 * ever told of it, rightly or from a false start, is at least the truth. */
template <int W>
__device__ __forceinline__ void give(const outlet &out, int c, float (&d)[W], float &low)
{
    if (out.bottom) store<W>(out.bottom + c, d);
    if (out.scores) store<W>(out.scores + c, d);
    if (!out.minima) return;
    if (c < out.first || c + W > out.last) {
#pragma unroll
        for (int w = 0; w < W; w++)
            if (c + w < out.first || c + w >= out.last) d[w] = INFINITE;
    }
    const int in_block = c % CUDA_BLOCK;
    if (in_block == 0) low = INFINITE;
#pragma unroll
    for (int w = 0; w < W; w += 2) low = least3(low, d[w], d[w + 1]);
    if (in_block < CUDA_BLOCK - W && c + W < out.end) return;
    float *minimum = out.minima + c / CUDA_BLOCK;
    if (c - in_block >= out.start && in_block == CUDA_BLOCK - W)
        *minimum = low;
    else
        atomicMin(reinterpret_cast<int *>(minimum), __float_as_int(low));
}

/* May all states be stored by 16 bytes? */
static inline bool aligned(const cuda_sweep &it)
{
    const size_t all =
        (size_t)it.carry_out | (size_t)it.kept | (size_t)it.before | (size_t)it.after;
    return all % 16 == 0 && it.kept_rows % 4 == 0 && it.rows % 4 == 0;
}

#endif
