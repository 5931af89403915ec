/*
 * words.h - vectors of LANES words of 64 bits, by the vector extensions of gcc >= 12 and clang.
 *
 *     LANES    2: any machine    4: AVX2    8: AVX-512
 *
 * LANES is set by the .c file; its compiler flags choose the instructions. A function of three
 * words is one instruction of AVX-512.
 */
#ifndef KERNELS_STRINGS_WORDS_H
#define KERNELS_STRINGS_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
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
#if defined(__AVX512F__)
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

/* string_step (step.h) in each lane. */
typedef struct {
    vw rise, fall, level, ups, downs;
} vw_step_words;

WORDS_INLINE vw_step_words vw_step(vw same, vw rise, vw fall, vw up, vw down)
{
    const vw x = vw_or3(same, fall, down);
    const vw level = vw_xor_or((x & rise) + rise, rise, x);
    const vw ups = vw_or_nor(fall, rise, level), downs = rise & level;
    const vw ups_before = (ups + ups) | up, downs_before = (downs + downs) | down;
    return (vw_step_words){.rise = vw_or_nor(downs_before, level, ups_before),
                           .fall = ups_before & level,
                           .level = level,
                           .ups = ups,
                           .downs = downs};
}

WORDS_INLINE bool vw_any(vw a)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)a) != 0;
#else
    uint64_t any = 0;
    for (int q = 0; q < LANES; q++) any |= a[q];
    return any != 0;
#endif
}

/* Which of 64 letters are y: a bit each. */
WORDS_INLINE uint64_t letters_equal(const unsigned char *letters, unsigned char y)
{
#if defined(__AVX512F__)
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(letters), _mm512_set1_epi8((char)y));
#elif defined(__AVX2__)
    const __m256i all = _mm256_set1_epi8((char)y), *at = (const __m256i *)letters;
    const __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256(at), all);
    const __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256(at + 1), all);
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
                                                     << 32;
#elif defined(__SSE2__)
    uint64_t equal = 0;
    for (int i = 0; i < 64; i += 16) {
        const __m128i some = _mm_loadu_si128((const __m128i *)(letters + i));
        const __m128i is_y = _mm_cmpeq_epi8(some, _mm_set1_epi8((char)y));
        equal |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_y) << i;
    }
    return equal;
#else
    uint64_t equal = 0;
    const uint64_t low = 0x7f7f7f7f7f7f7f7f;
    for (int i = 0; i < 64; i += 8) {
        uint64_t bytes;
        memcpy(&bytes, letters + i, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        bytes = __builtin_bswap64(bytes);
#endif
        bytes ^= (y * 0x0101010101010101u);
        const uint64_t zeros = ~(((bytes & low) + low) | bytes | low) >> 7; /* 1 in zero bytes */
        equal |= (zeros * 0x0102040810204080) >> 56 << i;
    }
    return equal;
#endif
}

#endif
