/*
 * trace_vector.h - what trace_simd.h asks of vectors beyond simd.h. Lanes count downwards
 * along the template here: the top row of a vector is its last lane.
 */
#ifndef KERNELS_CPU_ISA_TRACE_VECTOR_H
#define KERNELS_CPU_ISA_TRACE_VECTOR_H

#include "kernels/cpu/isa/vector.h"

SIMD_INLINE vi vi_load(const int32_t *p)
{
    vi v;
    memcpy(&v, p, sizeof v);
    return v;
}

SIMD_INLINE void vi_store(int32_t *p, vi v)
{
    memcpy(p, &v, sizeof v);
}

SIMD_INLINE vi vi_all(int32_t a)
{
    return (vi){0} + a;
}

SIMD_INLINE vi vi_select(vi mask, vi a, vi b)
{
    return (a & mask) | (b & ~mask);
}

/* Lanes move down by one; the last comes from lane 0 of `above`. */
SIMD_INLINE vf vf_push(vf above, vf v)
{
#if LANES == 4
    return __builtin_shufflevector(v, above, 1, 2, 3, 4);
#elif LANES == 8
    return __builtin_shufflevector(v, above, 1, 2, 3, 4, 5, 6, 7, 8);
#else
    return (vf)_mm512_alignr_epi32((__m512i)above, (__m512i)v, 1);
#endif
}

/* The lanes in opposite order. */
SIMD_INLINE vf vf_reverse(vf v)
{
#if LANES == 4
    return __builtin_shufflevector(v, v, 3, 2, 1, 0);
#elif LANES == 8
    return __builtin_shufflevector(v, v, 7, 6, 5, 4, 3, 2, 1, 0);
#else
    return __builtin_shufflevector(v, v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#endif
}

/* The greater, lane by lane, of any two floats that are no NaN. */
SIMD_INLINE vf vf_greater(vf a, vf b)
{
#if LANES == 16
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif LANES == 8 && defined(__AVX2__)
    return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return vf_select(a > b, a, b);
#endif
}

/* Where d is strictly less than *best, it is the best, and s its start. Both are in [+0, +inf]. */
SIMD_INLINE void vf_take_less(vf *best, vi *best_s, vf d, vi s)
{
#if LANES == 16
    __mmask16 less = _mm512_cmplt_epi32_mask((__m512i)d, (__m512i)*best);
    *best = vf_min(d, *best);
    *best_s = (vi)_mm512_mask_mov_epi32((__m512i)*best_s, less, (__m512i)s);
#elif LANES == 8 && defined(__AVX2__)
    __m256i less = _mm256_cmpgt_epi32((__m256i)*best, (__m256i)d);
    *best = vf_min(d, *best);
    *best_s = (vi)_mm256_blendv_ps((__m256)*best_s, (__m256)s, (__m256)less);
#else
    vi less = d < *best;
    *best = vf_min(d, *best);
    *best_s = vi_select(less, s, *best_s);
#endif
}

/* Some of the lanes. */
#if LANES == 16
typedef __mmask16 lanes;
#else
typedef vi lanes;
#endif

SIMD_INLINE lanes lanes_all(void)
{
#if LANES == 16
    return (__mmask16)0xffff;
#else
    return vi_all(-1);
#endif
}

/* Bit i: lane i is one of them. */
SIMD_INLINE uint32_t lanes_bits(lanes some)
{
#if LANES == 16
    return some;
#elif LANES == 8 && defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps((__m256)some);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++) bits |= (uint32_t)(some[i] & 1) << i;
    return bits;
#endif
}

/* Those of `among` where a < b. */
SIMD_INLINE lanes lanes_less(vf a, vf b, lanes among)
{
#if LANES == 16
    return _mm512_mask_cmp_ps_mask(among, (__m512)a, (__m512)b, _CMP_LT_OQ);
#else
    return (a < b) & among;
#endif
}

/* Those of `among` where a > b. */
SIMD_INLINE lanes lanes_above(vi a, vi b, lanes among)
{
#if LANES == 16
    return _mm512_mask_cmpgt_epi32_mask(among, (__m512i)a, (__m512i)b);
#else
    return (a > b) & among;
#endif
}

/* Where 0 <= v < n. */
SIMD_INLINE lanes vi_below(vi v, int32_t n)
{
#if LANES == 16
    return _mm512_cmplt_epu32_mask((__m512i)v, _mm512_set1_epi32(n));
#else
    return (v >= 0) & (v < n);
#endif
}

SIMD_INLINE vf vf_where(lanes where, vf a, vf b)
{
#if LANES == 16
    return (vf)_mm512_mask_mov_ps((__m512)b, where, (__m512)a);
#else
    return vf_select(where, a, b);
#endif
}

SIMD_INLINE vi vi_where(lanes where, vi a, vi b)
{
#if LANES == 16
    return (vi)_mm512_mask_mov_epi32((__m512i)b, where, (__m512i)a);
#else
    return vi_select(where, a, b);
#endif
}

#endif
