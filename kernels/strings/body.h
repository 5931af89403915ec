/*
 * body.h - the vector kernel for strings, of which each instruction set is compiled.
 *
 *     chunk     |--- segment 0 ---|--- segment 1 ---|--- segment 2 ---|-- rest --|
 *     lane 0    | from the carried edges
 *     lane 1               ~~~~~~~|                         ~ warm-up: m + k letters, whose rows
 *     lane 2                                 ~~~~~~~|         are not used
 *     all lanes                                                       | the rest, all alike
 *
 * Each lane sweeps a segment in blocks of 64 letters, row by row, by the bit vectors of Myers
 * (1999), in the form of Hyyrö (2003), but along the text:
 *
 *                    64 letters: bits of a word
 *     row 0        0  0  0  0  0  0          a word holds the differences of a row from letter to
 *     row 1     e  .  .  .  .  .  .          letter; with the edge, the differences from row to
 *     row 2     d  .  .  .  .  .  .          row before the block, it gives the next row, and the
 *       :       g  .  .  .  .  .  .          edge behind the block
 *     row m     e  .  .  .  .  .  .
 *
 * Rows come in groups of 64. If no letter of a block has D <= k in the last row of a group, and no
 * row behind it has before the block, then no row behind it has one in the block: it ends there
 * (Ukkonen 1985). Edges that were left out count as rising, which is never too low.
 *
 * A distance of at most k is exact after the warm-up, since its path has at most m + k letters
 * (string_reach). Other distances are above k from the warm-up as well, since a cold start never
 * lowers any. So segments change no minimum.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/isa/isa.h"
#include "kernels/strings/strings.h"
#include "kernels/strings/stripes.h"
#include "kernels/strings/words.h"

enum {
    GROUP = 64, /* rows */
    WORTH = 2   /* a segment has at least so many letters for one of warm-up */
};

/* Of the rows of a group, before a block. */
typedef struct {
    vw up, down; /* bits of rows that rise by 1, or fall by 1 */
    vw distance; /* D of the last row */
} group_edge;

/* A word of each lane, written one by one. */
typedef struct {
    uint64_t of[LANES];
} lane_words;

/* Those of a lane. */
typedef struct {
    uint64_t up, down, distance;
} lane_group;

struct string_sweep {
    const string_pattern *p;
    size_t groups;       /* of all rows */
    size_t active;       /* groups from here on have no D <= k before the block; their edges rise */
    lane_words *matches; /* of each kind of row: the letters of a block that it matches */
    lane_group *carried; /* room for the edges of a lane */
    group_edge edges[];  /* of each group; `matches` and `carried` behind them */
};

static void sweep_reset(string_sweep *s)
{
    s->active = 0;
}

static void sweep_destroy(string_sweep *s)
{
    free(s);
}

static string_sweep *sweep_create(const string_pattern *p, size_t chunk)
{
    (void)chunk;
    const size_t groups = (p->m + GROUP - 1) / GROUP, align = sizeof(vw);
    const size_t size = sizeof(string_sweep) + groups * (sizeof(group_edge) + sizeof(lane_group)) +
                        p->n_kinds * sizeof(lane_words);
    string_sweep *s = aligned_alloc(align, (size + align - 1) / align * align);
    if (!s) return NULL;
    *s = (string_sweep){.p = p, .groups = groups};
    s->matches = (lane_words *)&s->edges[groups];
    s->carried = (lane_group *)&s->matches[p->n_kinds];
    return s;
}

static lane_group edge_of(const group_edge *edge, size_t lane)
{
    return (lane_group){edge->up[lane], edge->down[lane], edge->distance[lane]};
}

static void set_lane(group_edge *edge, size_t lane, lane_group to)
{
    edge->up[lane] = to.up;
    edge->down[lane] = to.down;
    edge->distance[lane] = to.distance;
}

WORDS_INLINE size_t rows_of(const string_sweep *s, size_t g)
{
    return g + 1 < s->groups ? GROUP : s->p->m - g * GROUP;
}

/* Each row is one more than the row before; D is `above` in the row above the group. */
WORDS_INLINE group_edge rising_edge(const string_sweep *s, size_t g, vw above)
{
    return (group_edge){vw_all(~(uint64_t)0), vw_all(0), above + rows_of(s, g)};
}

/* ---- a block ---- */

/* Find which of n letters of each lane each kind of row matches. */
WORDS_INLINE void match_letters(string_sweep *s, const unsigned char *const at[LANES], size_t n)
{
    const uint64_t in_block = ~(uint64_t)0 >> (STRING_BLOCK - n);
    const unsigned char *y = s->p->matched;
    for (size_t kind = 0; kind < s->p->n_kinds; kind++) {
        const unsigned char *end = s->p->matched + s->p->matched_end[kind];
        lane_words words = {{0}};
        for (; y < end; y++) {
            const unsigned char letter = *y;
            UNROLL
            for (size_t q = 0; q < LANES; q++) words.of[q] |= letters_equal(at[q], letter);
        }
        UNROLL
        for (size_t q = 0; q < LANES; q++) s->matches[kind].of[q] = words.of[q] & in_block;
    }
}

/* Differences of a row from letter to letter. */
typedef struct {
    vw up, down;
} row_letters;

/* The rows of group g go on from the row before it, over n letters. */
WORDS_INLINE void next_rows(const string_sweep *s, size_t g, size_t n, row_letters *row,
                            group_edge *edge)
{
    const size_t rows = rows_of(s, g);
    const unsigned char *kinds = s->p->kinds + g * GROUP;
    const vw one = vw_all(1), last = vw_all((uint64_t)1 << 63);
    vw rise = row->up, fall = row->down, up = edge->up, down = edge->down;
    for (size_t i = 0; i < rows; i++) {
        const vw_step_words now =
            vw_step(vw_load(s->matches[kinds[i]].of), rise, fall, up & one, down & one);
        rise = now.rise;
        fall = now.fall;
        up = (up >> 1) | ((now.ups << (STRING_BLOCK - n)) & last);
        down = (down >> 1) | ((now.downs << (STRING_BLOCK - n)) & last);
    }
    const uint64_t in_block = ~(uint64_t)0 >> (STRING_BLOCK - n);
    *row = (row_letters){rise & in_block, fall & in_block};
    edge->up = up >> (GROUP - rows);
    edge->down = down >> (GROUP - rows);
}

/* Set bits of each byte, as bytes. */
WORDS_INLINE vw byte_counts(vw a)
{
    a -= (a >> 1) & 0x5555555555555555;
    a = (a & 0x3333333333333333) + ((a >> 2) & 0x3333333333333333);
    return (a + (a >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

/* Sums of 64 differences. */
typedef struct {
    vw all;    /* of all of them */
    vw lowest; /* bytes: 72 more than a bound of the sums of the first 8 j + 1 ... 8 j + 8 */
} difference_sums;

enum { LOWEST_OFFSET = 72 }; /* 64 and 8: no byte is below 8, or above 128 */

WORDS_INLINE difference_sums sum_up(vw up, vw down)
{
    const vw downs = byte_counts(down);
    vw sums = byte_counts(up) + 0x0808080808080808 - downs;
    sums += sums << 8;
    sums += sums << 16;
    sums += sums << 32; /* byte j: the sum of the first 8 (j + 1), and as many */
    return (difference_sums){.all = (sums >> 56) - 64,
                             .lowest = (sums << 8) + 0x1018202830384048 - downs};
}

/* May D be at most k in one of 64 cells, whose differences begin from `distance`? Non-zero in lanes
 * where it may. */
WORDS_INLINE vw may_reach(size_t k, vw distance, difference_sums sums)
{
    const vw most = vw_all(k + LOWEST_OFFSET);
    vw limit = vw_min(most - vw_min(distance, most), vw_all(127)); /* 128 is never needed */
    limit |= limit << 8;
    limit |= limit << 16;
    limit |= limit << 32;
    return ((limit | 0x8080808080808080) - sums.lowest) & 0x8080808080808080;
}

/* The least of min(D, k + 1) in n letters of a lane. */
static uint32_t lowest_of(uint64_t distance, uint64_t up, uint64_t down, size_t n, size_t k)
{
    uint64_t lowest = k + 1;
    for (size_t t = 0; t < n; t++) {
        distance += (up >> t & 1) - (down >> t & 1);
        if (distance < lowest) lowest = distance;
    }
    return (uint32_t)lowest;
}

/* Of each lane, of the last row. */
static void find_minima(vw reached, vw distance, const row_letters *row, size_t n, size_t k,
                        uint32_t minima[LANES])
{
    for (size_t q = 0; q < LANES; q++)
        minima[q] =
            reached[q] ? lowest_of(distance[q], row->up[q], row->down[q], n, k) : (uint32_t)k + 1;
}

/* n <= 64 letters of each lane, lane q's from at[q]; 64 can be read. */
WORDS_INLINE void sweep_block(string_sweep *s, const unsigned char *const at[LANES], size_t n,
                              uint32_t minima[LANES])
{
    const size_t k = s->p->edits;
    row_letters row = {vw_all(0), vw_all(0)};
    vw before = vw_all(0), behind = vw_all(0); /* the block: D in the row above a group */
    vw reached = vw_all(1);                    /* does that row have D <= k in the block? */
    size_t g = 0, active = 0;
    match_letters(s, at, n);
    for (; g < s->groups && (g < s->active || vw_any(reached)); g++) {
        group_edge edge = g < s->active ? s->edges[g] : rising_edge(s, g, before);
        before = edge.distance;
        next_rows(s, g, n, &row, &edge);
        const difference_sums sums = sum_up(row.up, row.down);
        reached = may_reach(k, before, sums);
        edge.distance += sums.all;
        if (s->groups == 1 || vw_any(may_reach(k, behind, sum_up(edge.up, edge.down))))
            active = g + 1;
        behind = edge.distance;
        s->edges[g] = edge;
    }
    find_minima(g < s->groups ? vw_all(0) : reached, before, &row, n, k, minima);
    s->active = active;
}

/* ---- a chunk ---- */

/* LANES segments of `own` letters each, whole blocks. Lane 0 goes on from the carried edges: no
 * letters are before its segment, so it warms up with others in vain. */
static void warm_up(string_sweep *s, const unsigned char *letters, size_t own, size_t warm)
{
    const unsigned char *at[LANES] = {letters};
    const size_t carried = s->active;
    uint32_t unused[LANES];
    for (size_t g = 0; g < carried; g++) s->carried[g] = edge_of(&s->edges[g], 0);
    for (size_t q = 1; q < LANES; q++) at[q] = letters + q * own - warm;
    s->active = 0;
    for (size_t t = 0; t < warm; t += STRING_BLOCK) {
        sweep_block(s, at, STRING_BLOCK, unused);
        for (size_t q = 0; q < LANES; q++) at[q] += STRING_BLOCK;
    }
    const size_t warmed = s->active;
    if (carried > warmed) s->active = carried;
    for (size_t g = 0; g < s->active; g++) {
        const vw above = g > 0 ? s->edges[g - 1].distance : vw_all(0);
        const group_edge rising = rising_edge(s, g, above);
        if (g >= warmed) s->edges[g] = rising;
        set_lane(&s->edges[g], 0, g < carried ? s->carried[g] : edge_of(&rising, 0));
    }
}

/* Carries the last segment's edges. */
static void sweep_segments(string_sweep *s, const unsigned char *letters, size_t own, size_t warm,
                           uint32_t *minima)
{
    const size_t blocks = own / STRING_BLOCK;
    warm_up(s, letters, own, warm);
    for (size_t b = 0; b < blocks; b++) {
        const unsigned char *at[LANES];
        uint32_t of_block[LANES];
        for (size_t q = 0; q < LANES; q++) at[q] = letters + q * own + b * STRING_BLOCK;
        sweep_block(s, at, STRING_BLOCK, of_block);
        for (size_t q = 0; q < LANES; q++) minima[q * blocks + b] = of_block[q];
    }
    for (size_t g = 0; g < s->active; g++) {
        const lane_group last = edge_of(&s->edges[g], LANES - 1);
        for (size_t q = 0; q < LANES; q++) set_lane(&s->edges[g], q, last);
    }
}

/* All lanes sweep the same letters, n <= 64. Returns their minimum. */
static uint32_t sweep_alike(string_sweep *s, const unsigned char *letters, size_t n)
{
    const unsigned char *at[LANES];
    unsigned char padded[STRING_BLOCK] = {0};
    uint32_t minima[LANES];
    memcpy(padded, letters, n);
    for (size_t q = 0; q < LANES; q++) at[q] = padded;
    sweep_block(s, at, n, minima);
    return minima[0];
}

static bool sweep_chunk(string_sweep *s, const unsigned char *letters, size_t n, uint32_t *minima)
{
    const size_t warm = string_blocks(string_reach(s->p)) * STRING_BLOCK;
    const size_t own = n / LANES / STRING_BLOCK * STRING_BLOCK;
    const size_t in_lanes = own > 0 && own >= WORTH * warm ? LANES * own : 0;
    if (in_lanes > 0) sweep_segments(s, letters, own, warm, minima);
    for (size_t t = in_lanes; t < n; t += STRING_BLOCK)
        minima[t / STRING_BLOCK] =
            sweep_alike(s, letters + t, n - t < STRING_BLOCK ? n - t : STRING_BLOCK);
    return true;
}

#define STRING_OPS(its_name, is_usable)                                                            \
    {                                                                                              \
        .name = (its_name), .chunk = STRING_CPU_CHUNK, .usable = (is_usable),                      \
        .create = sweep_create, .destroy = sweep_destroy, .reset = sweep_reset,                    \
        .sweep = sweep_chunk, .lanes = LANES, .stripes = sweep_stripes                             \
    }
