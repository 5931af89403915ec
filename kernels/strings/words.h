/*
 * words.h - vectors of LANES words of 64 bits, by the vector extensions of gcc >= 12 and clang.
 *
 *     LANES    2: any machine    4: AVX2    8: AVX-512 with VBMI2
 *
 * LANES is set by the .c file; its compiler flags choose the instructions. Three words at once, and
 * shifts, are one instruction of AVX-512.
 */
#ifndef KERNELS_STRINGS_WORDS_H
#define KERNELS_STRINGS_WORDS_H

#include <stdint.h>
#include <string.h>

#if LANES == 8
#include <immintrin.h>
#endif

#include "kernels/cpu/isa/isa.h"

typedef uint64_t vw __attribute__((vector_size(LANES * sizeof(uint64_t))));

#define WORDS_INLINE static inline __attribute__((always_inline))

WORDS_INLINE vw vw_load(const uint64_t *p)
{
    vw v;
    memcpy(&v, p, sizeof v);
    return v;
}

WORDS_INLINE vw vw_all(uint64_t a)
{
    return a - (vw){0};
}

/* The lower of both, each below 2^63. */
WORDS_INLINE vw vw_min(vw a, vw b)
{
    const vw is_lower = (vw)(a < b);
    return (a & is_lower) | (b & ~is_lower);
}

/* A bit function of three words; AVX-512 has it as one instruction, by its table. */
#if LANES == 8
#define VW_BITS(table, a, b, c, plain)                                                             \
    ((vw)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), table))
#else
#define VW_BITS(table, a, b, c, plain) (plain)
#endif

WORDS_INLINE vw vw_or3(vw a, vw b, vw c)
{
    return VW_BITS(0xfe, a, b, c, a | b | c);
}

WORDS_INLINE vw vw_xor_or(vw a, vw b, vw c)
{
    return VW_BITS(0xbe, a, b, c, (a ^ b) | c);
}

WORDS_INLINE vw vw_or_nor(vw a, vw b, vw c)
{
    return VW_BITS(0xf1, a, b, c, a | ~(b | c));
}

/* a << 1, with the last bit of `before` as the first. */
WORDS_INLINE vw vw_shift(vw a, vw before)
{
#if LANES == 8
    return (vw)_mm512_shldi_epi64((__m512i)a, (__m512i)before, 1);
#else
    return (a + a) | (before >> 63);
#endif
}

/* Word j of vector i becomes word i of vector j. */
WORDS_INLINE void vw_transpose(vw v[LANES])
{
#if LANES == 8
    vw a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) { /* pairs of words from here on */
        for (int odd = 0; odd < 2; odd++) {
            const vw low = a[i + odd], high = a[i + odd + 2];
            b[i + odd] = __builtin_shufflevector(low, high, 0, 1, 4, 5, 8, 9, 12, 13);
            b[i + odd + 2] = __builtin_shufflevector(low, high, 2, 3, 6, 7, 10, 11, 14, 15);
        }
    }
    for (int i = 0; i < 4; i++) {
        v[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 4, 5, 8, 9, 12, 13);
        v[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 2, 3, 6, 7, 10, 11, 14, 15);
    }
#elif LANES == 4
    vw a[4];
    for (int i = 0; i < 4; i += 2) {
        a[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 4, 2, 6);
        a[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 1, 5, 3, 7);
    }
    for (int odd = 0; odd < 2; odd++) {
        v[odd] = __builtin_shufflevector(a[odd], a[odd + 2], 0, 1, 4, 5);
        v[odd + 2] = __builtin_shufflevector(a[odd], a[odd + 2], 2, 3, 6, 7);
    }
#else
    const vw first = __builtin_shufflevector(v[0], v[1], 0, 2);
    v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
    v[0] = first;
#endif
}

#endif
