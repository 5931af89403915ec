/*
 * stripes.h - LANES stripes of tiles (tiles.h), of which each instruction set is compiled.
 *
 *                stripe 0   1   2   3
 *     block 0       | 1 | 2 | 3 | 4 |       the number is the step in which a tile is swept:
 *     block 1       | 2 | 3 | 4 | 5 |       lane q sweeps stripe q, a block behind lane q - 1
 *     block 2       | 3 | 4 | 5 | 6 |
 *
 * So in each step a lane's top edge is its own bottom edge of the step before, and its left edge is
 * that of the lane before it. Lanes that are above the first block or below the last sweep some
 * tile in vain.
 */
#ifndef KERNELS_STRINGS_STRIPES_H
#define KERNELS_STRINGS_STRIPES_H

#include "kernels/strings/tiles.h"
#include "kernels/strings/words.h"

typedef struct {
    vw up, down;
} lane_edge;

typedef struct {
    lane_edge left, top;
} lane_tiles;

/* The bits of each lane's letters. */
typedef struct {
    const uint64_t *of[STRING_TILE][LANES];
} stripe_letters;

/* A tile in each lane, of block w[q]: string_tile_sweep in vectors. The top edge leaves its word
 * bit by bit, and the bottom edge enters it. */
WORDS_INLINE void sweep_tiles(const stripe_letters *letters, const size_t w[LANES], lane_tiles *at)
{
    const vw one = vw_all(1), last = vw_all((uint64_t)1 << 63);
    vw rise = at->left.up, fall = at->left.down, up = at->top.up, down = at->top.down;
    for (size_t t = 0; t < STRING_TILE; t++) {
        uint64_t same[LANES];
        UNROLL
        for (size_t q = 0; q < LANES; q++) same[q] = letters->of[t][q][w[q]];
        const vw_step_words now = vw_step(vw_load(same), rise, fall, up & one, down & one);
        rise = now.rise;
        fall = now.fall;
        up = (up >> 1) | (now.ups & last);
        down = (down >> 1) | (now.downs & last);
    }
    *at = (lane_tiles){{rise, fall}, {up, down}};
}

/* The edges of lane q. */
WORDS_INLINE string_tile tile_of(const lane_tiles *at, size_t q)
{
    return (string_tile){.left = {at->left.up[q], at->left.down[q]},
                         .top = {at->top.up[q], at->top.down[q]}};
}

/* Each lane's right edge becomes the left edge of the next lane, and `first` that of lane 0. */
WORDS_INLINE void hand_over(lane_edge *edges, string_edge first)
{
    for (size_t q = LANES - 1; q > 0; q--) {
        edges->up[q] = edges->up[q - 1];
        edges->down[q] = edges->down[q - 1];
    }
    edges->up[0] = first.up;
    edges->down[0] = first.down;
}

/* string_ops.stripes */
static void sweep_stripes(const string_pattern *p, size_t first, size_t end,
                          const unsigned char *letters, string_edge *left, string_tile *tiles)
{
    stripe_letters bits;
    lane_tiles at = {0};
    for (size_t q = 0; q < LANES; q++)
        for (size_t t = 0; t < STRING_TILE; t++)
            bits.of[t][q] = p->bits[letters[q * STRING_TILE + t]];
    for (size_t step = first; step < end + LANES - 1; step++) {
        size_t w[LANES];
        hand_over(&at.left, left[step < end ? step : end - 1]);
        if (step - first < LANES) {
            at.top.up[step - first] = ~(uint64_t)0;
            at.top.down[step - first] = 0;
        }
        for (size_t q = 0; q < LANES; q++) {
            const bool is_swept = step >= first + q && step - q < end;
            w[q] = is_swept ? step - q : first;
            if (is_swept && tiles) tiles[(w[q] - first) * LANES + q] = tile_of(&at, q);
        }
        sweep_tiles(&bits, w, &at);
        if (step >= first + LANES - 1) left[step - (LANES - 1)] = tile_of(&at, LANES - 1).left;
    }
}

#endif
