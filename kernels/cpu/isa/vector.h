/*
 * simd.h - vectors of LANES floats by GCC's vector extensions (gcc >= 12, clang). The
 * including file sets LANES; its compiler flags choose the instructions.
 *
 * Costs lie in [+0, +inf], where floats are ordered as their bits are ordered as integers;
 * where the machine has an integer minimum it is used: it issues at least as often.
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

typedef float vf __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t vi __attribute__((vector_size(LANES * sizeof(int32_t))));

enum { LINE_FLOATS = 64 / sizeof(float) }; /* of a cache line */

#define SIMD_INLINE static inline __attribute__((always_inline))

/* Before a loop of a few turns, as many as the compiler knows: one behind the other, so that what
 * they index can be in registers. With all that sanitizers add it would take clang minutes. */
#ifndef __clang__
#define UNROLL _Pragma("GCC unroll 16")
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLL
#else
#define UNROLL _Pragma("clang loop unroll(full)")
#endif

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

/* a in all lanes; a - 0 is a for every a, so this costs no arithmetic. */
SIMD_INLINE vf vf_all(float a)
{
    return a - (vf){0};
}

/* mask ? a : b, lane by lane; a lane of mask is all ones or all zeros. */
SIMD_INLINE vf vf_select(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

/* a where 0 <= t < n, else b; n >= 0. */
SIMD_INLINE vf vf_select_within(vi t, int32_t n, vf a, vf b)
{
#if LANES == 16 && defined(__AVX512F__)
    const __mmask16 within = _mm512_cmplt_epu32_mask((__m512i)t, _mm512_set1_epi32(n));
    return (vf)_mm512_mask_mov_ps((__m512)b, within, (__m512)a);
#else
    return vf_select((t >= 0) & (t < n), a, b);
#endif
}

SIMD_INLINE vf vf_and(vf a, vi bits)
{
    return (vf)((vi)a & bits);
}

SIMD_INLINE vf vf_abs(vf a)
{
    return vf_and(a, (vi){0} + INT32_MAX);
}

/* a + b as a * 1 + b, which is the same bit for bit. Zen 4 has two units for sums and two others
 * for products, which take such a sum as well: where nearly all is sums, it should use all four. */
SIMD_INLINE vf vf_add_fused(vf a, vf b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_fmadd_ps((__m512)a, _mm512_set1_ps(1), (__m512)b);
#elif LANES == 8 && defined(__FMA__)
    return (vf)_mm256_fmadd_ps((__m256)a, _mm256_set1_ps(1), (__m256)b);
#else
    return a + b;
#endif
}

SIMD_INLINE vf vf_min(vf a, vf b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif LANES == 8 && defined(__AVX2__)
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
#if LANES == 16 && defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)a, (__m512)vf_all(limit), _CMP_LE_OQ);
#elif LANES == 8 && defined(__AVX2__)
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

/* Lanes whose bit is set in `lanes` come from a, the others from b. */
SIMD_INLINE vf vf_pick(uint32_t lanes, vf a, vf b)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_mask_mov_ps((__m512)b, (__mmask16)lanes, (__m512)a);
#else
    vi bit = ((vi){0} + 1) << vi_iota();
    return vf_select(((int32_t)lanes & bit) != 0, a, b);
#endif
}

/* Lanes move up by one; lane 0 comes from the last one. */
SIMD_INLINE vf vf_rotate(vf v)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_alignr_epi32((__m512i)v, (__m512i)v, 15);
#elif LANES == 8 && defined(__AVX2__)
    return (vf)_mm256_permutevar8x32_ps((__m256)v, _mm256_set_epi32(6, 5, 4, 3, 2, 1, 0, 7));
#elif LANES == 4
    return __builtin_shufflevector(v, v, 3, 0, 1, 2);
#else
    vf up = {v[LANES - 1]};
    for (int i = 1; i < LANES; i++) up[i] = v[i - 1];
    return up;
#endif
}

/* Lane 0 becomes `first`. */
SIMD_INLINE vf vf_with_first(vf v, float first)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_mask_broadcastss_ps((__m512)v, 1, _mm_set_ss(first));
#elif LANES == 8 && defined(__AVX2__)
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

/* p[0], p[apart], p[2 * apart], ... */
SIMD_INLINE vf vf_load_apart(const float *p, int apart)
{
#if LANES == 16 && defined(__AVX512F__)
    return (vf)_mm512_i32gather_ps((__m512i)(vi_iota() * apart), p, sizeof *p);
#elif LANES == 8 && defined(__AVX2__)
    return (vf)_mm256_i32gather_ps(p, (__m256i)(vi_iota() * apart), sizeof *p);
#else
    vf v = {0};
    for (int i = 0; i < LANES; i++) v[i] = p[i * apart];
    return v;
#endif
}

/* Groups of four floats, one after the other from p[0], p[1], ... */
SIMD_INLINE vf vf_load_fours(const float *const p[LANES / 4])
{
#if LANES == 16 && defined(__AVX512F__)
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(p[0]));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p[1]), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(p[2]), 2);
    return (vf)_mm512_insertf32x4(v, _mm_loadu_ps(p[3]), 3);
#elif LANES == 8 && defined(__AVX2__)
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

/* LANES rows of LANES floats at p[0], p[1], ... become columns: r[k] is what stands at p[.][k].
 * Floats travel in groups of four as they are loaded, so that only four by four of them are
 * left to be shuffled. */
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
