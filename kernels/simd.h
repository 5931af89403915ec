/*
 * simd.h - vectors of LANES floats by GCC's vector extensions (gcc >= 12, clang). The
 * including file sets LANES; where an instruction set has a minimum of its own, it is
 * used, else the bits are compared as integers (costs lie in [+0, +inf], where both
 * orders agree).
 */
#ifndef KERNELS_SIMD_H
#define KERNELS_SIMD_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef float vf __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t vi __attribute__((vector_size(LANES * sizeof(int32_t))));

static inline vf vf_load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void vf_store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}

static inline vf vf_all(float a)
{
    vf v = {0};
    return v + a;
}

/* mask ? a : b, lane by lane; a lane of mask is all ones or all zeros. */
static inline vf vf_select(vi mask, vf a, vf b)
{
    return (vf)(((vi)a & mask) | ((vi)b & ~mask));
}

static inline vf vf_abs(vf a)
{
    vi sign_off = (vi){0} + INT32_MAX;
    return (vf)((vi)a & sign_off);
}

static inline vf vf_min(vf a, vf b)
{
#if LANES == 4 && defined(__SSE__)
    return (vf)_mm_min_ps((__m128)a, (__m128)b);
#elif LANES == 4 && defined(__ARM_NEON)
    return (vf)vminq_f32((float32x4_t)a, (float32x4_t)b);
#else
    return vf_select((vi)a < (vi)b, a, b);
#endif
}

/* Lanes move up by one; lane 0 comes from the last lane of `below`. */
static inline vf vf_shift(vf below, vf v)
{
#if LANES == 4
    return __builtin_shufflevector(below, v, 3, 4, 5, 6);
#elif LANES == 8
    return __builtin_shufflevector(below, v, 7, 8, 9, 10, 11, 12, 13, 14);
#else
#error "LANES is not one of the widths that vf_shift knows"
#endif
}

#endif
