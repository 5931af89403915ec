/*
 * simd.h - vectors of LANES floats by GCC's vector extensions (gcc >= 12, clang). The
 * including file sets LANES; its compiler flags choose the instructions.
 *
 * Costs lie in [+0, +inf], where floats are ordered as their bits are ordered as integers;
 * where the machine has an integer minimum it is used: it issues at least as often.
 */
#ifndef KERNELS_SIMD_H
#define KERNELS_SIMD_H

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

SIMD_INLINE vf vf_abs(vf a)
{
    return (vf)((vi)a & INT32_MAX);
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

/* Lanes move up by one; lane 0 comes from the last lane of `below`. */
SIMD_INLINE vf vf_shift(vf below, vf v)
{
#if LANES == 4
    return __builtin_shufflevector(below, v, 3, 4, 5, 6);
#elif LANES == 8
    return __builtin_shufflevector(below, v, 7, 8, 9, 10, 11, 12, 13, 14);
#elif LANES == 16
    return __builtin_shufflevector(below, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                   29, 30);
#else
#error "LANES is not one of the widths that simd.h knows"
#endif
}

/* a0 b0 a1 b1 ..., the lower half and the upper. */
SIMD_INLINE void vf_interleave(vf a, vf b, vf *low, vf *high)
{
#if LANES == 4
    *low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    *high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
#elif LANES == 8
    *low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    *high = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#else
    *low = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    *high = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                    31);
#endif
}

/* Rows become columns: log2(LANES) perfect shuffles of LANES vectors. */
SIMD_INLINE void vf_transpose(vf r[LANES])
{
    for (int stage = 1; stage < LANES; stage *= 2) {
        vf t[LANES];
#pragma GCC unroll 16
        for (int i = 0; i < LANES / 2; i++)
            vf_interleave(r[i], r[i + LANES / 2], &t[2 * i], &t[2 * i + 1]);
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) r[i] = t[i];
    }
}

/* 0, 1, 2, ... */
SIMD_INLINE vi vi_iota(void)
{
    vi v;
    for (int i = 0; i < LANES; i++) v[i] = i;
    return v;
}

#endif
