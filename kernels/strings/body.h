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
 */
#include <stdint.h>
#include <stdlib.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/strings/strings.h"
#include "kernels/strings/stripes.h"
#include "kernels/strings/words.h"

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
        .sweep = sweep_chunk, .lanes = LANES, .stripes = sweep_stripes                             \
    }
