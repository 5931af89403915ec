/*
 * body.h - the bounds from below, and D of the windows that they leave, LANES windows at once:
 *
 *     of all windows     LB_Kim: the first and the last two values
 *     of each            LB_Keogh of the window in the template's envelope, and the other way round
 *     of LANES together  D row by row, until all are too high with what LB_Keogh says of the rest
 *
 * Needs: LANES, set by the .c file, whose compiler flags choose the instructions.
 * Gives: ZMATCH_OPS, which defines its zmatch_ops.
 */
#include <math.h>

#include "kernels/cpu/isa/vector.h"
#include "kernels/zmatch/windows.h"

_Static_assert(LANES <= ZMATCH_LANES, "candidates have too little room");

/* Standard deviations for which float32 holds all that the bounds compute. */
#define LEAST_STD 0x1p-100
#define MOST_STD 0x1p100

enum {
    PIECE = 64,      /* values of a window between two questions whether a bound is enough */
    PARTS = 16,      /* partial sums */
    CELLS = 1 << 20, /* of each lane, after which find returns */
};

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* ---- all windows ---- */

/* All windows have the frame y[m-1] in common, which is the anchor. So the sums of a window are
 * those from its begin to the anchor, and from there to its end:
 *
 *     y        0 . . . s . . . [m-1] . . . s+m-1 . . .
 *     sums             |--- 1 ---|--- 2 ---|
 */
static void find_sums(zmatch *zm)
{
    const size_t m = zm->m;
    const double anchor = (double)zm->anchor;
    double sum = 0, squares = 0;
    for (size_t s = m; s-- > 0;) {
        const double apart = (double)zm->y[s] - anchor;
        zm->sums[s] = sum += apart;
        zm->squares[s] = squares += apart * apart;
    }
    sum = squares = 0;
    for (size_t s = 1; s < zm->n; s++) {
        const double apart = (double)zm->y[s + m - 1] - anchor;
        zm->sums[s] += sum += apart;
        zm->squares[s] += squares += apart * apart;
    }
}

static void find_gains(zmatch *zm)
{
    const double part = 1 / (double)zm->m;
    for (size_t s = 0; s < zm->n; s++) {
        const double mean = zm->sums[s] * part, squares = zm->squares[s];
        const double std = sqrt(squares * part - mean * mean), gain = 1 / std;
        const bool is_sure = std >= LEAST_STD && std <= MOST_STD, is_flat = !(squares > 0);
        zm->gain[s] = is_flat ? 0 : is_sure ? (float)gain : NAN;
        zm->shift[s] = is_flat ? 0 : (float)(mean * gain);
        zm->kim[s] = is_flat ? INFINITY : 0;
    }
}

/* The costs of both corners, and of the cheapest neighbour of each: with four values or more, these
 * are four cells of every path. */
static void add_kim(zmatch *zm)
{
    const size_t m = zm->m, near = m < 4 ? 0 : 1;
    const float x_0 = zm->x[0], x_1 = zm->x[near], x_l = zm->x[m - 1 - near], x_m = zm->x[m - 1];
    const float *y_0 = zm->y, *y_1 = y_0 + near, *y_m = y_0 + m - 1, *y_l = y_m - near;
    const float anchor = zm->anchor;
    for (size_t s = 0; s < zm->n; s++) {
        const float gain = zm->gain[s], shift = zm->shift[s];
        const float z_0 = (y_0[s] - anchor) * gain - shift, z_1 = (y_1[s] - anchor) * gain - shift;
        const float z_l = (y_l[s] - anchor) * gain - shift, z_m = (y_m[s] - anchor) * gain - shift;
        const float first = smaller(smaller(fabsf(x_0 - z_1), fabsf(x_1 - z_0)), fabsf(x_1 - z_1));
        const float last = smaller(smaller(fabsf(x_m - z_l), fabsf(x_l - z_m)), fabsf(x_l - z_l));
        zm->kim[s] += fabsf(x_0 - z_0) + fabsf(x_m - z_m) + (near ? first + last : 0);
    }
}

static void look(zmatch *zm)
{
    find_sums(zm);
    find_gains(zm);
    add_kim(zm);
}

/* ---- one window ---- */

/* A bound from below that is higher rules the window out. */
static float limit_of(const zmatch *zm, float bound)
{
    return (float)((double)bound * zm->rounding + zm->margin);
}

static float add_up(const float *terms, size_t n)
{
    float sums[PARTS] = {0}, sum = 0;
    size_t i = 0;
    for (; i + PARTS <= n; i += PARTS)
        for (size_t k = 0; k < PARTS; k++) sums[k] += terms[i + k];
    for (; i < n; i++) sum += terms[i];
    for (size_t k = 0; k < PARTS; k++) sum += sums[k];
    return sum;
}

/* How a window is changed. */
typedef struct {
    float anchor, gain, shift;
} change;

static change change_of(const zmatch *zm, size_t s)
{
    return (change){zm->anchor, zm->gain[s], zm->shift[s]};
}

/* Of n values: how far those of the window are outside of the template's envelope. */
static void leave_template(float *restrict terms, const float *y, change c, const float *upper,
                           const float *lower, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float z = (y[i] - c.anchor) * c.gain - c.shift;
        terms[i] = larger(larger(z - upper[i], lower[i] - z), 0);
    }
}

/* The same of the template's values and the window's envelope. */
static void leave_window(float *restrict terms, const float *x, change c, const float *upper,
                         const float *lower, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float high = (upper[i] - c.anchor) * c.gain - c.shift;
        const float low = (lower[i] - c.anchor) * c.gain - c.shift;
        terms[i] = larger(larger(x[i] - high, low - x[i]), 0);
    }
}

/* LB_Keogh of window s in the template's envelope, up to the piece that exceeds the limit. */
static float keogh_of_window(const zmatch *zm, size_t s, float limit)
{
    float sum = 0;
    for (size_t i = 0; i < zm->m && !(sum > limit); i += PIECE) {
        const size_t n = zm->m - i < PIECE ? zm->m - i : PIECE;
        leave_template(zm->of_window + i, zm->y + s + i, change_of(zm, s), zm->upper + i,
                       zm->lower + i, n);
        sum += add_up(zm->of_window + i, n);
    }
    return sum;
}

/* The same of the template. The envelope of y is wider than the window's own near its ends, so its
 * bound is lower at most. */
static float keogh_of_template(zmatch *zm, size_t s, float limit)
{
    if (!zm->has_envelope) {
        zmatch_envelope(zm, zm->y_upper, zm->y, zm->n + zm->m - 1, 1);
        zmatch_envelope(zm, zm->y_lower, zm->y, zm->n + zm->m - 1, -1);
        zm->has_envelope = true;
    }
    float sum = 0;
    for (size_t i = 0; i < zm->m && !(sum > limit); i += PIECE) {
        const size_t n = zm->m - i < PIECE ? zm->m - i : PIECE;
        leave_window(zm->of_template + i, zm->x + i, change_of(zm, s), zm->y_upper + s + i,
                     zm->y_lower + s + i, n);
        sum += add_up(zm->of_template + i, n);
    }
    return sum;
}

/* What the path has yet to pay after a row: its terms below, or those of the columns that the row
 * cannot reach. */
static void add_rest(zmatch *zm, size_t lane, const float *terms, size_t reach)
{
    float rest = 0;
    size_t next = zm->m;
    for (size_t k = zm->m / ZMATCH_EVERY; k-- > 0;) {
        while (next > (k + 1) * ZMATCH_EVERY + reach) rest += terms[--next];
        zm->rest[k * LANES + lane] = rest;
    }
}

/* Give window s a lane, unless it is ruled out. */
static bool take_lane(zmatch *zm, size_t s, size_t lane, float limit)
{
    const float of_window = keogh_of_window(zm, s, limit);
    if (of_window > limit) return false;
    const float of_template = keogh_of_template(zm, s, limit);
    if (of_template > limit || !zmatch_normalise(zm->z, zm->y + s, zm->m)) return false;
    if (of_template > of_window)
        add_rest(zm, lane, zm->of_template, 0);
    else
        add_rest(zm, lane, zm->of_window, zm->band);
    for (size_t i = 0; i < zm->m; i++) zm->lane_z[i * LANES + lane] = zm->z[i];
    return true;
}

/* ---- LANES windows ---- */

/* Row i of D, in place: columns [from, to). A column holds row i - 1, or +inf. Returns the lowest.
 */
static vf evaluate_row(zmatch *zm, size_t i, size_t from, size_t to)
{
    const vf infinite = vf_all(INFINITY), x = vf_all(zm->x[i]);
    vf diagonal = infinite, left = infinite, lowest = infinite;
    if (i == 0)
        diagonal = vf_all(0);
    else if (from > 0)
        diagonal = vf_load(zm->lane_d + (from - 1) * LANES);
    for (size_t j = from; j < to; j++) {
        float *cell = zm->lane_d + j * LANES;
        const vf up = vf_load(cell), cost = cell_cost(x, vf_load(zm->lane_z + j * LANES));
        left = vf_min(vf_min(diagonal, up), left) + cost;
        lowest = vf_min(lowest, left);
        vf_store(cell, left);
        diagonal = up;
    }
    return lowest;
}

/* Give lanes to windows of [at, to), until none is left of either. */
static void fill_lanes(zmatch *zm, size_t at, size_t to, float limit)
{
    size_t n = 0;
    for (; at < to && n < LANES; at++) {
        if (zm->kim[at] > limit) continue;
        zm->windows[n] = at;
        n += take_lane(zm, at, n, limit);
    }
    zm->n_lanes = n;
    zm->filled_to = at;
    if (n == 0) return;
    for (size_t k = 0; n < LANES && k < zm->m / ZMATCH_EVERY; k++)
        for (size_t lane = n; lane < LANES; lane++) zm->rest[k * LANES + lane] = INFINITY;
    for (size_t j = 0; j < zm->m; j++) vf_store(zm->lane_d + j * LANES, vf_all(INFINITY));
}

/* D of all lanes; +inf if all are above the limit. False: the next call goes on at zm->row. */
static bool warp(zmatch *zm, float limit, vf *d)
{
    const size_t m = zm->m, band = zm->band;
    size_t cells = 0;
    for (size_t i = zm->row; i < m; i++) {
        const size_t from = i > band ? i - band : 0, to = i + band < m ? i + band + 1 : m;
        const vf lowest = evaluate_row(zm, i, from, to);
        cells += to - from;
        if (i % ZMATCH_EVERY != ZMATCH_EVERY - 1) continue;
        const vf rest = vf_load(zm->rest + i / ZMATCH_EVERY * LANES);
        if (!vf_at_most(lowest + rest, limit)) {
            zm->row = 0;
            *d = vf_all(INFINITY);
            return true;
        }
        if (cells >= CELLS && i + 1 < m) {
            zm->row = i + 1;
            return false;
        }
    }
    zm->row = 0;
    *d = vf_load(zm->lane_d + (m - 1) * LANES);
    return true;
}

static size_t find(zmatch *zm, size_t at, size_t to, float bound, zmatch_candidates *candidates)
{
    const float limit = limit_of(zm, bound);
    vf d;
    candidates->n = 0;
    if (zm->row == 0) fill_lanes(zm, at, to, limit);
    if (zm->n_lanes == 0) return zm->filled_to;
    if (!warp(zm, limit, &d)) return at;
    for (size_t lane = 0; lane < zm->n_lanes; lane++) {
        if (!(d[lane] <= bound) || !isfinite(d[lane])) continue;
        candidates->at[candidates->n] = zm->windows[lane];
        candidates->d[candidates->n++] = d[lane];
    }
    return zm->filled_to;
}

#define ZMATCH_OPS(NAME, USABLE)                                                                   \
    {                                                                                              \
        .name = (NAME), .usable = (USABLE), .lanes = LANES, .look = look, .find = find             \
    }
