/*
 * body.h - the vector kernel for strings, of which each instruction set is compiled.
 *
 *     chunk     |--- segment 0 ---|--- segment 1 ---|--- segment 2 ---|-- rest --|
 *     lane 0    | from the carried column
 *     lane 1               ~~~~~~~|                         ~ warm-up: m + k letters, whose columns
 *     lane 2                                 ~~~~~~~|         are not used
 *     one lane                                                        | the rest, letter by letter
 *
 * Each lane sweeps a segment by the bit vectors of Myers (1999), in the form of Hyyrö (2003): a
 * word has the differences of 64 rows, and hands two bits to the next word. A distance of at most k
 * is exact after the warm-up, since its path has at most m + k letters (string_reach). Other
 * distances are above k from the warm-up as well, since a cold start never lowers any. So segments
 * change no minimum.
 *
 *     LANES    2: any machine    4: AVX2    8: AVX-512 with VBMI2
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if LANES == 8
#include <immintrin.h>
#endif

#include "kernels/cpu/isa/isa.h"
#include "kernels/strings/strings.h"

/* ---- vectors of LANES words of 64 bits, by the vector extensions of gcc >= 12 and clang ----
 *
 * LANES is set by the .c file; its compiler flags choose the instructions. Three words at once, and
 * shifts, are one instruction of AVX-512. */

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

/* ---- columns ---- */

enum {
    LETTERS = 2, /* swept at a time, while the rows of a word stay in registers */
    WORTH = 2    /* a segment has at least so many letters for one of warm-up */
};

/* Differences from row to row: +1 in `up`, -1 in `down`. */
typedef struct {
    uint64_t up, down;
} word_column;

typedef struct {
    vw up, down;
} lane_column;

struct string_sweep {
    const string_pattern *p;
    uint64_t distance;    /* D(m,t) */
    word_column *carried; /* p->words, behind `lanes`: the column D(.,t) */
    lane_column lanes[];  /* p->words: those of all segments */
};

/* The rows of word w in a cold column, D(i,.) = i: each is one more than the row before. */
static uint64_t cold_rows(const string_pattern *p, size_t w)
{
    return w == 0 ? ~(uint64_t)0 << string_padding(p) : ~(uint64_t)0;
}

static void sweep_reset(string_sweep *s)
{
    for (size_t w = 0; w < s->p->words; w++)
        s->carried[w] = (word_column){.up = cold_rows(s->p, w)};
    s->distance = s->p->m;
}

static void sweep_destroy(string_sweep *s)
{
    free(s);
}

static string_sweep *sweep_create(const string_pattern *p, size_t chunk)
{
    (void)chunk;
    const size_t size =
        sizeof(string_sweep) + p->words * (sizeof(lane_column) + sizeof(word_column));
    string_sweep *s = aligned_alloc(sizeof(vw), (size + sizeof(vw) - 1) & ~(sizeof(vw) - 1));
    if (!s) return NULL;
    s->p = p;
    s->carried = (word_column *)&s->lanes[p->words];
    sweep_reset(s);
    return s;
}

/* ---- one lane ---- */

/* Go on by a letter. Row i goes up, down or neither from the last column to this one; `up` and
 * `down` of the last row are the change of D(m,.). */
static void next_letter(string_sweep *s, unsigned char letter)
{
    const uint64_t *same = s->p->bits[letter];
    uint64_t up = 0, down = 0; /* of the row before the word's first; row 0 stays 0 */
    for (size_t w = 0; w < s->p->words; w++) {
        const word_column rows = s->carried[w];
        const uint64_t x = same[w] | rows.down | down;
        const uint64_t flat =
            (((x & rows.up) + rows.up) ^ rows.up) | x; /* diagonals without cost */
        const uint64_t ups = rows.down | ~(rows.up | flat), downs = rows.up & flat;
        const uint64_t ups_before = ups << 1 | up, downs_before = downs << 1 | down;
        s->carried[w] =
            (word_column){.up = downs_before | ~(flat | ups_before), .down = ups_before & flat};
        up = ups >> 63;
        down = downs >> 63;
    }
    s->distance += up - down;
}

static void sweep_letters(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    for (size_t t = 0; t < n; t++) {
        uint32_t *minimum = &minima[t / STRING_BLOCK];
        next_letter(s, letters[t]);
        if (t % STRING_BLOCK == 0) *minimum = (uint32_t)s->p->edits + 1;
        if (s->distance < *minimum) *minimum = (uint32_t)s->distance;
    }
}

/* ---- all lanes: next_letter in vectors, LETTERS letters at a time ---- */

typedef struct {
    vw up[LETTERS], down[LETTERS]; /* whose last bits are the row before the next word's first */
} row_before;

/* The bits of a letter of each lane. */
typedef struct {
    const uint64_t *of[LETTERS][LANES];
} lane_bits;

/* A word of all lanes goes on by LETTERS letters, whose bits are same[.]. */
WORDS_INLINE void next_word(vw *rows_up, vw *rows_down, const vw same[LETTERS], row_before *before)
{
    vw rise = *rows_up, fall = *rows_down;
    UNROLL
    for (int c = 0; c < LETTERS; c++) {
        const vw x = vw_or3(same[c], fall, before->down[c] >> 63);
        const vw flat = vw_xor_or((x & rise) + rise, rise, x);
        const vw ups = vw_or_nor(fall, rise, flat), downs = rise & flat;
        const vw ups_before = vw_shift(ups, before->up[c]);
        const vw downs_before = vw_shift(downs, before->down[c]);
        rise = vw_or_nor(downs_before, flat, ups_before);
        fall = ups_before & flat;
        before->up[c] = ups;
        before->down[c] = downs;
    }
    *rows_up = rise;
    *rows_down = fall;
}

/* Of words w to w + LANES - 1, and of each letter: LANES words of each lane's bits become vectors
 * of one word each. */
WORDS_INLINE void next_words(lane_column *column, const lane_bits *same, size_t w,
                             row_before *before)
{
    vw words[LANES][LETTERS];
    UNROLL
    for (int c = 0; c < LETTERS; c++) {
        vw v[LANES];
        UNROLL
        for (int i = 0; i < LANES; i++) v[i] = vw_load(same->of[c][i] + w);
        vw_transpose(v);
        UNROLL
        for (int i = 0; i < LANES; i++) words[i][c] = v[i];
    }
    UNROLL
    for (size_t i = 0; i < LANES; i++)
        next_word(&column[w + i].up, &column[w + i].down, words[i], before);
}

/* LETTERS letters of each lane. Their distances go on from `distance`, `minimum` becomes
 * the least of them. */
WORDS_INLINE void next_letters(const string_pattern *p, lane_column *column, const lane_bits *same,
                               vw *distance, vw *minimum)
{
    row_before before = {0};
    size_t w = 0;
    for (; w + LANES <= p->words; w += LANES) next_words(column, same, w, &before);
    for (; w < p->words; w++) {
        uint64_t words[LETTERS][LANES];
        for (int c = 0; c < LETTERS; c++)
            for (int i = 0; i < LANES; i++) words[c][i] = same->of[c][i][w];
        vw word[LETTERS];
        UNROLL
        for (int c = 0; c < LETTERS; c++) word[c] = vw_load(words[c]);
        next_word(&column[w].up, &column[w].down, word, &before);
    }
    for (int c = 0; c < LETTERS; c++) {
        *distance += (before.up[c] >> 63) - (before.down[c] >> 63);
        *minimum = vw_min(*minimum, *distance);
    }
}

/* n letters of each segment, lane q's from at[q]; n is a multiple of LETTERS. `minimum` becomes the
 * least distance. */
static void sweep_lanes(string_sweep *s, const unsigned char *const at[LANES], size_t n,
                        vw *distance, vw *minimum)
{
    for (size_t t = 0; t < n; t += LETTERS) {
        lane_bits same;
        for (size_t c = 0; c < LETTERS; c++)
            for (size_t q = 0; q < LANES; q++) same.of[c][q] = s->p->bits[at[q][t + c]];
        next_letters(s->p, s->lanes, &same, distance, minimum);
    }
}

/* Begin all lanes `warm` letters before their segments of `own` letters. Lane 0 goes on from the
 * carried column: no letters are before its segment, so it warms up with others in vain. */
static void warm_up(string_sweep *s, const unsigned char *letters, size_t own, size_t warm,
                    vw *distance)
{
    const unsigned char *at[LANES] = {letters};
    vw unused = *distance = vw_all(s->p->m);
    for (size_t q = 1; q < LANES; q++) at[q] = letters + q * own - warm;
    for (size_t w = 0; w < s->p->words; w++)
        s->lanes[w] = (lane_column){.up = vw_all(cold_rows(s->p, w)), .down = vw_all(0)};
    sweep_lanes(s, at, warm, distance, &unused);
    for (size_t w = 0; w < s->p->words; w++) {
        s->lanes[w].up[0] = s->carried[w].up;
        s->lanes[w].down[0] = s->carried[w].down;
    }
    (*distance)[0] = s->distance;
}

/* LANES segments of `own` letters each, whole blocks. Carries the last segment's column. */
static void sweep_segments(string_sweep *s, const unsigned char *letters, size_t own, size_t warm,
                           uint32_t *minima)
{
    const size_t blocks = own / STRING_BLOCK;
    vw distance;
    warm_up(s, letters, own, warm, &distance);
    for (size_t b = 0; b < blocks; b++) {
        const unsigned char *at[LANES];
        vw minimum = vw_all(s->p->edits + 1);
        for (size_t q = 0; q < LANES; q++) at[q] = letters + q * own + b * STRING_BLOCK;
        sweep_lanes(s, at, STRING_BLOCK, &distance, &minimum);
        for (size_t q = 0; q < LANES; q++) minima[q * blocks + b] = (uint32_t)minimum[q];
    }
    for (size_t w = 0; w < s->p->words; w++)
        s->carried[w] =
            (word_column){.up = s->lanes[w].up[LANES - 1], .down = s->lanes[w].down[LANES - 1]};
    s->distance = distance[LANES - 1];
}

static bool sweep_chunk(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    const size_t warm = string_blocks(string_reach(s->p)) * STRING_BLOCK;
    const size_t own = n / LANES / STRING_BLOCK * STRING_BLOCK;
    const size_t in_lanes = own >= WORTH * warm ? LANES * own : 0;
    if (in_lanes > 0) sweep_segments(s, letters, own, warm, minima);
    sweep_letters(s, letters + in_lanes, n - in_lanes, minima + in_lanes / STRING_BLOCK);
    return true;
}

#define STRING_OPS(its_name, is_usable)                                                            \
    {                                                                                              \
        .name = (its_name), .chunk = STRING_CPU_CHUNK, .usable = (is_usable),                      \
        .create = sweep_create, .destroy = sweep_destroy, .reset = sweep_reset,                    \
        .sweep = sweep_chunk                                                                       \
    }
