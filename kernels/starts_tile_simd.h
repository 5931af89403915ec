/*
 * starts_tile_simd.h - the tiles of segments_simd.h with starts: beside each D(.,t) its S(.,t),
 * the frame at which the chosen path began (docs/SEMANTICS.md, "Scores").
 *
 * Starts are unsigned here, 0 being "too old". Paths do not cross: left of a cell they began no
 * later than on its diagonal, and above it no earlier. So where vectors have no cheap choice by a
 * mask, minima and maxima of the starts do it.
 */
#ifndef KERNELS_STARTS_TILE_SIMD_H
#define KERNELS_STARTS_TILE_SIMD_H

#include "kernels/segments_simd.h"
#include "kernels/trace_vector.h"

#if LANES == 16
enum { STARTS_ROWS = 12, STARTS_ROWS_OF_FRAMES = 8 };
#else
enum { STARTS_ROWS = 4, STARTS_ROWS_OF_FRAMES = 4 };
#endif

/* *best is of the diagonal; left comes next in ties. */
SIMD_INLINE void starts_take_left(vf *best, vi *best_s, vf d, vi s)
{
#if LANES == 8 && defined(__AVX2__)
    __m256i not_less = (__m256i)_mm256_cmp_ps((__m256)d, (__m256)*best, _CMP_NLT_UQ);
    *best_s = (vi)_mm256_min_epu32((__m256i)*best_s, _mm256_or_si256((__m256i)s, not_less));
    *best = vf_min(d, *best);
#elif LANES == 16
    __mmask16 less = _mm512_cmplt_epi32_mask((__m512i)d, (__m512i)*best);
    *best = vf_min(d, *best);
    *best_s = (vi)_mm512_mask_mov_epi32((__m512i)*best_s, less, (__m512i)s);
#else
    vf_take_less(best, best_s, d, s);
#endif
}

/* *best is of the diagonal and of the left. */
SIMD_INLINE void starts_take_up(vf *best, vi *best_s, vf d, vi s)
{
#if LANES == 8 && defined(__AVX2__)
    __m256i less = _mm256_cmpgt_epi32((__m256i)*best, (__m256i)d);
    *best_s = (vi)_mm256_max_epu32((__m256i)*best_s, _mm256_and_si256((__m256i)s, less));
    *best = vf_min(d, *best);
#else
    starts_take_left(best, best_s, d, s);
#endif
}

/* A row of the template between two tiles, of a piece of columns, or row 0. */
typedef struct {
    vf *d;
    vi *s;
    vf corner; /* the column before the piece */
    vi corner_s;
} starts_row;

/* In which columns is a cell live: D < below, S < before? */
typedef struct {
    vf below;
    vi before;
    lanes *live; /* a set of lanes for each column, to add to */
} starts_watch;

SIMD_INLINE void starts_look(const starts_watch *watch, size_t t, vf d, vi s)
{
    const lanes low = lanes_less(d, watch->below, lanes_all());
    watch->live[t] |= lanes_above(watch->before, s, low);
}

/* One tile: `rows` rows by n columns; x is that of tile_row_at, y is n x dim vectors. state and
 * starts are of its rows; `above` becomes the bottom row, its corners stay. `watch` may be NULL. */
SIMD_INLINE void starts_tile(vf *state, vi *starts, const float *x, const vf *y,
                             const starts_row *above, size_t n, size_t dim, bool frames,
                             const int rows, const starts_watch *watch)
{
    vf d[STARTS_ROWS], before = above->corner;
    vi s[STARTS_ROWS], before_s = above->corner_s;
    UNROLL
    for (int r = 0; r < rows; r++) d[r] = state[r], s[r] = starts[r];
    for (size_t t = 0; t < n; t++) {
        vf up = above->d[t], diag = before, cost[STARTS_ROWS];
        vi up_s = above->s[t], diag_s = before_s;
        before = up;
        before_s = up_s;
        if (frames) {
            UNROLL
            for (int r = 0; r < rows; r++) cost[r] = vf_abs(y[t * dim] - vf_all(x[r]));
            for (size_t k = 1; k < dim; k++)
                costs_add(cost, x + k * TILE_ROWS_OF_FRAMES, y[t * dim + k], rows);
        }
        UNROLL
        for (int r = 0; r < rows; r++) {
            vf best = diag;
            vi best_s = diag_s;
            vf c = frames ? cost[r] : vf_abs(y[t] - vf_all(x[r]));
            starts_take_left(&best, &best_s, d[r], s[r]);
            diag = d[r];
            diag_s = s[r];
            starts_take_up(&best, &best_s, up, up_s);
            d[r] = up = best + c;
            s[r] = up_s = best_s;
            if (watch) starts_look(watch, t, up, up_s);
        }
        above->d[t] = up;
        above->s[t] = up_s;
    }
    UNROLL
    for (int r = 0; r < rows; r++) state[r] = d[r], starts[r] = s[r];
}

#endif
