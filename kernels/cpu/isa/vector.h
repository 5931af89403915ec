/*
 * vector.h - vectors of LANES floats, by the vector extensions of gcc >= 12 and clang.
 *
 *     LANES    4: any machine    8: AVX2 and FMA    16: AVX-512
 *
 * Needs: LANES, set by the .c file; its compiler flags choose the instructions.
 * Gives: vf (floats), vi (integers), lane_mask; loads, minima, shuffles; cell_cost.
 *
 * Costs lie in [+0, +inf]. There floats have the same order as their bits read as integers.
 * AVX2 and AVX-512 therefore take minima of integers, which issue at least as often.
 */
#ifndef KERNELS_CPU_ISA_VECTOR_H
#define KERNELS_CPU_ISA_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "kernels/cpu/isa/isa.h"

typedef float vf __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t vi __attribute__((vector_size(LANES * sizeof(int32_t))));

enum { LINE_FLOATS = 64 / sizeof(float) }; /* floats of a cache line */

#define SIMD_INLINE static inline __attribute__((always_inline))

SIMD_INLINE vf vf_load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

SIMD_INLINE void vf_store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}

/* a in all lanes. a - 0 is a for every a, so the compiler drops the subtraction. */
SIMD_INLINE vf vf_all(float a)
{
    return a - (vf){0};
}

/* mask ? a : b, lane by lane; a lane of mask is all ones or all zeros. */
SIMD_INLINE vf vf_select(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

/* ---- some of the lanes ---- */

#if LANES == 16
typedef __mmask16 lane_mask;
#else
typedef vi lane_mask;
#endif

/* Lanes with 0 <= v < n; n >= 0. */
SIMD_INLINE lane_mask vi_within(vi v, int32_t n)
{
#if LANES == 16
    return _mm512_cmplt_epu32_mask((__m512i)v, _mm512_set1_epi32(n));
#else
    return (v >= 0) & (v < n);
#endif
}

/* a in the lanes of `mask`, else b. */
SIMD_INLINE vf vf_where(lane_mask mask, vf a, vf b)
{
#if LANES == 16
    return (vf)_mm512_mask_mov_ps((__m512)b, mask, (__m512)a);
#else
    return vf_select(mask, a, b);
#endif
}

/* ---- arithmetic ---- */

/* |x - y| in lanes where `sign_off` is INT32_MAX; 0 where it is 0. */
SIMD_INLINE vf masked_cell_cost(vf x, vf y, vi sign_off)
{
    return (vf)((vi)(x - y) & sign_off);
}

/* The cell's cost, |x - y|. */
SIMD_INLINE vf cell_cost(vf x, vf y)
{
    return masked_cell_cost(x, y, (vi){0} + INT32_MAX);
}

/* sum + |x - y|, for frames of several values. The sum is a * 1 + b, which has the same bits: Zen 4
 * adds in two units and multiplies in two others, and so uses all four. */
SIMD_INLINE vf add_cell_cost(vf sum, vf x, vf y)
{
    const vf cost = cell_cost(x, y);
#if LANES == 16
    return (vf)_mm512_fmadd_ps((__m512)cost, _mm512_set1_ps(1), (__m512)sum);
#elif LANES == 8
    return (vf)_mm256_fmadd_ps((__m256)cost, _mm256_set1_ps(1), (__m256)sum);
#else
    return sum + cost;
#endif
}

/* The lower of both, each in [+0, +inf]. */
SIMD_INLINE vf vf_min(vf a, vf b)
{
#if LANES == 16
    return (vf)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif LANES == 8
    return (vf)_mm256_min_epi32((__m256i)a, (__m256i)b);
#elif LANES == 4 && defined(__SSE__)
    return (vf)_mm_min_ps((__m128)a, (__m128)b);
#elif LANES == 4 && defined(__ARM_NEON)
    return (vf)vminq_f32((float32x4_t)a, (float32x4_t)b);
#else
    return vf_select((vi)a < (vi)b, a, b);
#endif
}

/* 0, 1, 2, ... */
SIMD_INLINE vi vi_iota(void)
{
    vi v = {0};
    for (int i = 0; i < LANES; i++) v[i] = i;
    return v;
}

/* Bit i: lane i of a is <= limit. */
SIMD_INLINE uint32_t vf_at_most(vf a, float limit)
{
#if LANES == 16
    return _mm512_cmp_ps_mask((__m512)a, (__m512)vf_all(limit), _CMP_LE_OQ);
#elif LANES == 8
    return (uint32_t)_mm256_movemask_ps(
        _mm256_cmp_ps((__m256)a, (__m256)vf_all(limit), _CMP_LE_OQ));
#elif LANES == 4 && defined(__SSE__)
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps((__m128)a, (__m128)vf_all(limit)));
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++) bits |= (uint32_t)(a[i] <= limit) << i;
    return bits;
#endif
}

/* Lanes whose bit is set in `bits` come from a, the others from b. */
SIMD_INLINE vf vf_pick(uint32_t bits, vf a, vf b)
{
#if LANES == 16
    return (vf)_mm512_mask_mov_ps((__m512)b, (__mmask16)bits, (__m512)a);
#else
    vi bit = ((vi){0} + 1) << vi_iota();
    return vf_select(((int32_t)bits & bit) != 0, a, b);
#endif
}

/* ---- shuffles ---- */

/* Lanes move up by one; lane 0 comes from the last one. */
SIMD_INLINE vf vf_rotate(vf v)
{
#if LANES == 16
    return (vf)_mm512_alignr_epi32((__m512i)v, (__m512i)v, 15);
#elif LANES == 8
    return (vf)_mm256_permutevar8x32_ps((__m256)v, _mm256_set_epi32(6, 5, 4, 3, 2, 1, 0, 7));
#else
    return __builtin_shufflevector(v, v, 3, 0, 1, 2);
#endif
}

/* Lane 0 becomes `first`. */
SIMD_INLINE vf vf_with_first(vf v, float first)
{
#if LANES == 16
    return (vf)_mm512_mask_broadcastss_ps((__m512)v, 1, _mm_set_ss(first));
#elif LANES == 8
    return (vf)_mm256_blend_ps((__m256)v, (__m256)vf_all(first), 1);
#else
    v[0] = first;
    return v;
#endif
}

/* Lanes move up by one; lane 0 becomes `first`. */
SIMD_INLINE vf vf_shift(vf v, float first)
{
    return vf_with_first(vf_rotate(v), first);
}

/* Four floats each from p[0], p[1], ..., one group after the other. */
SIMD_INLINE vf vf_load_fours(const float *const p[LANES / 4])
{
#if LANES == 16
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p[0]));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p[1]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p[2]), 2);
    return (vf)_mm512_insertf32x4(v, _mm_loadu_ps(p[3]), 3);
#elif LANES == 8
    return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[0])), _mm_loadu_ps(p[1]),
                                    1);
#else
    float v[LANES];
    for (int i = 0; i < LANES / 4; i++) memcpy(v + 4 * i, p[i], 4 * sizeof(float));
    return vf_load(v);
#endif
}

/* In each group of four: a0 b0 a1 b1, and a2 b2 a3 b3. */
SIMD_INLINE void vf_interleave(vf a, vf b, vf *low, vf *high)
{
#if LANES == 4
    *low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    *high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#elif LANES == 8
    *low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    *high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
#else
    *low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    *high =
        __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
#endif
}

/* Transposes: lane i of r[k] is p[i][k]. Loads move floats in groups of four, so that shuffles
 * only transpose blocks of four by four. */
SIMD_INLINE void vf_load_transposed(const float *const p[LANES], vf r[LANES])
{
    UNROLL
    for (int k = 0; k < LANES; k += 4) {
        vf a[4], b[4];
        UNROLL
        for (int i = 0; i < 4; i++) {
            const float *from[LANES / 4];
            UNROLL
            for (int g = 0; g < LANES / 4; g++) from[g] = p[4 * g + i] + k;
            a[i] = vf_load_fours(from);
        }
        vf_interleave(a[0], a[2], &b[0], &b[1]);
        vf_interleave(a[1], a[3], &b[2], &b[3]);
        vf_interleave(b[0], b[2], &r[k], &r[k + 1]);
        vf_interleave(b[1], b[3], &r[k + 2], &r[k + 3]);
    }
}

#endif
