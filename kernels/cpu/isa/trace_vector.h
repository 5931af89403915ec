/*
 * trace_vector.h - the vectors of trace/body.h: starts beside costs, and masks of lanes.
 *
 *     lane     0        1   ...   LANES-1
 *     row      bottom                top      lanes count upwards from the bottom row
 *
 * Needs: isa/vector.h. Gives: vi_load and vi_store, take_less, lanes_less and lanes_above.
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

/* Lanes move down by one; the last one is lane 0 of `above`. */
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

/* The lanes in reverse order. */
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

/* In lanes with d < *best, d is the new best, and s its start. Both costs are in [+0, +inf]. */
SIMD_INLINE void take_less(vf *best, vi *best_s, vf d, vi s)
{
#if LANES == 16
    __mmask16 less = _mm512_cmplt_epi32_mask((__m512i)d, (__m512i)*best);
    *best = vf_min(d, *best);
    *best_s = (vi)_mm512_mask_mov_epi32((__m512i)*best_s, less, (__m512i)s);
#elif LANES == 8
    __m256i less = _mm256_cmpgt_epi32((__m256i)*best, (__m256i)d);
    *best = vf_min(d, *best);
    *best_s = (vi)_mm256_blendv_ps((__m256)*best_s, (__m256)s, (__m256)less);
#else
    vi less = d < *best;
    *best = vf_min(d, *best);
    *best_s = vi_select(less, s, *best_s);
#endif
}

SIMD_INLINE lane_mask lanes_all(void)
{
#if LANES == 16
    return (__mmask16)0xffff;
#else
    return vi_all(-1);
#endif
}

/* The lanes of `among` with a < b. */
SIMD_INLINE lane_mask lanes_less(vf a, vf b, lane_mask among)
{
#if LANES == 16
    return _mm512_mask_cmp_ps_mask(among, (__m512)a, (__m512)b, _CMP_LT_OQ);
#else
    return (a < b) & among;
#endif
}

/* The lanes of `among` with a > b. */
SIMD_INLINE lane_mask lanes_above(vi a, vi b, lane_mask among)
{
#if LANES == 16
    return _mm512_mask_cmpgt_epi32_mask(among, (__m512i)a, (__m512i)b);
#else
    return (a > b) & among;
#endif
}

/* a in the lanes of `mask`, else b. */
SIMD_INLINE vi vi_where(lane_mask mask, vi a, vi b)
{
#if LANES == 16
    return (vi)_mm512_mask_mov_epi32((__m512i)b, mask, (__m512i)a);
#else
    return vi_select(mask, a, b);
#endif
}

#endif
