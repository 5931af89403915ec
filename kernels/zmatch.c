#include "kernels/zmatch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* std / |mean| of flat values, as in filter/features/znorm.c: they are an offset and its rounding.
 */
#define FLAT 0x1p-24
/* Standard deviations for which float32 holds all that the bounds compute. */
#define LEAST_STD 0x1p-100
#define MOST_STD 0x1p100

enum {
    PIECE = 64, /* values of a window between two questions whether a bound is enough */
    LANES = 16, /* partial sums */
    EVERY = 16  /* anti-diagonals between two such questions */
};

struct zmatch {
    size_t m, band;
    float *x;             /* m: the template */
    float *upper, *lower; /* m: its envelope */
    double rounding;      /* what the bounds may be too high: a share of the bound ... */
    double margin;        /* ... and this */

    /* Of the windows that are looked at: z is about (y - anchor) * gain - shift. */
    const float *y;
    size_t n;
    float anchor;
    float *gain, *shift; /* m; a gain of NaN: no bound is to be trusted */
    float *kim;          /* m: LB_Kim; +inf: surely flat */
    double *sums;        /* 2 m */

    /* Of one window. */
    float *z;                         /* m */
    float *backwards;                 /* m: z from its end */
    float *z_upper, *z_lower;         /* m */
    float *terms, *more_terms, *rest; /* m + 1: LB_Keogh value by value; sums of those to come */
    float *sliding;                   /* 3 m */
    float *diagonals[3];              /* m + 2 each */
    float *memory;
};

/* ---- the window, exactly ---- */

bool zmatch_normalise(float *z, const float *y, size_t m)
{
    const double first = (double)y[0];
    double sum = 0, squares = 0;
    for (size_t i = 0; i < m; i++) sum += (double)y[i] - first;
    const double mean = sum / (double)m;
    for (size_t i = 0; i < m; i++) {
        const double apart = ((double)y[i] - first) - mean;
        squares += apart * apart;
    }
    const double std = sqrt(squares / (double)m);
    if (std <= FLAT * fabs(first + mean)) return false;
    for (size_t i = 0; i < m; i++) z[i] = (float)((((double)y[i] - first) - mean) / std);
    return true;
}

/* ---- envelopes ---- */

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* a[i] becomes the largest of a[i] ... a[i + width - 1], for i <= n - width. */
static void slide_largest(float *a, size_t n, size_t width)
{
    size_t has = 1;
    for (; 2 * has <= width; has *= 2)
        for (size_t i = 0; i + 2 * has <= n; i++) a[i] = larger(a[i], a[i + has]);
    for (size_t i = 0; i + width <= n; i++) a[i] = larger(a[i], a[i + width - has]);
}

/* upper[i]: the largest of sign * v[j], |i - j| <= band, times sign. */
static void find_side(const zmatch *zm, float *side, const float *v, float sign)
{
    const size_t m = zm->m, band = zm->band;
    float *a = zm->sliding;
    for (size_t i = 0; i < m + 2 * band; i++) a[i] = -INFINITY;
    for (size_t i = 0; i < m; i++) a[band + i] = sign * v[i];
    slide_largest(a, m + 2 * band, 2 * band + 1);
    for (size_t i = 0; i < m; i++) side[i] = sign * a[i];
}

/* ---- create ---- */

/* Where the margins come from. Let u = 2^-24. A float sum of at most 2 m costs, rounded too, is at
 * least its true value (1 - u)^(2m + 1), and the sums of the bounds are at most theirs (1 + u)^m
 * and a few. Both together are below 1 + 8 m u for m <= 2^20. A window's z, as the bounds compute
 * it, is off by few u of |z| + |shift|, and by the error of gain and shift. Any value of the window
 * is within 2 sqrt(m) deviations of another, so the sums of zmatch_look give the variance to
 * m^2 2^-51. The mean of |z| is at most 1, and |shift| at most sqrt(m). */
static void set_margins(zmatch *zm)
{
    const double m = (double)zm->m;
    zm->rounding = 1 + m * 0x1p-21;
    zm->margin = m * (1 + 2 * sqrt(m)) * (0x1p-21 + m * m * 0x1p-50);
}

static void share_memory(zmatch *zm)
{
    const size_t m = zm->m;
    float *at = zm->memory;
    float **of_m[] = {&zm->x, &zm->upper,     &zm->lower,   &zm->gain,    &zm->shift, &zm->kim,
                      &zm->z, &zm->backwards, &zm->z_upper, &zm->z_lower, NULL};
    for (size_t i = 0; of_m[i]; i++, at += m) *of_m[i] = at;
    float **of_more[] = {&zm->terms,        &zm->more_terms,   &zm->rest, &zm->diagonals[0],
                         &zm->diagonals[1], &zm->diagonals[2], NULL};
    for (size_t i = 0; of_more[i]; i++, at += m + 2) *of_more[i] = at;
    zm->sliding = at;
}

sigrep_status zmatch_create(zmatch **out, const float *x, size_t m, size_t band)
{
    enum { OF_M = 10 + 3, OF_MORE = 6 };
    zmatch *zm = *out = calloc(1, sizeof *zm);
    if (!zm) return SIGREP_NO_MEMORY;
    zm->m = m;
    zm->band = band < m ? band : m - 1;
    zm->memory = calloc(OF_M * m + OF_MORE * (m + 2), sizeof *zm->memory);
    zm->sums = calloc(2 * m, sizeof *zm->sums);
    if (!zm->memory || !zm->sums) {
        zmatch_destroy(zm);
        *out = NULL;
        return SIGREP_NO_MEMORY;
    }
    share_memory(zm);
    memcpy(zm->x, x, m * sizeof *x);
    find_side(zm, zm->upper, x, 1);
    find_side(zm, zm->lower, x, -1);
    set_margins(zm);
    return SIGREP_OK;
}

void zmatch_destroy(zmatch *zm)
{
    if (!zm) return;
    free(zm->memory);
    free(zm->sums);
    free(zm);
}

/* ---- all windows at once ---- */

/* All windows have the frame y[m-1] in common, which is the anchor. So the sums of a window are
 * those from its begin to the anchor, and from there to its end:
 *
 *     y        0 . . . s . . . [m-1] . . . s+m-1 . . .
 *     sums             |--- 1 ---|--- 2 ---|
 */
static void find_gains(zmatch *zm)
{
    const size_t m = zm->m;
    const double anchor = (double)zm->anchor;
    double sum = 0, squares = 0;
    for (size_t s = m; s-- > 0;) {
        const double apart = (double)zm->y[s] - anchor;
        zm->sums[2 * s] = sum += apart;
        zm->sums[2 * s + 1] = squares += apart * apart;
    }
    sum = squares = 0;
    for (size_t s = 0; s < zm->n; s++) {
        const double apart = s ? (double)zm->y[s + m - 1] - anchor : 0;
        sum += apart;
        squares += apart * apart;
        const double all = zm->sums[2 * s + 1] + squares;
        const double mean = (zm->sums[2 * s] + sum) / (double)m;
        const double std = sqrt(all / (double)m - mean * mean);
        const bool is_sure = std >= LEAST_STD && std <= MOST_STD;
        zm->gain[s] = is_sure ? (float)(1 / std) : NAN;
        zm->shift[s] = (float)(mean / std);
        zm->kim[s] = all > 0 ? 0 : INFINITY;
    }
}

/* The costs of both corners, and of the cheapest neighbour of each: with four values or more, these
 * are four cells of every path. */
static void add_kim(zmatch *zm)
{
    const size_t m = zm->m, near = m < 4 ? 0 : 1;
    const float *x = zm->x, *last_x = x + m - 1;
    const float anchor = zm->anchor;
    for (size_t s = 0; s < zm->n; s++) {
        const float *y = zm->y + s, *last = y + m - 1;
        const float gain = zm->gain[s], shift = zm->shift[s];
        const float z_0 = (y[0] - anchor) * gain - shift, z_1 = (y[near] - anchor) * gain - shift;
        const float z_m = (last[0] - anchor) * gain - shift;
        const float z_l = (*(last - near) - anchor) * gain - shift;
        const float corners = fabsf(x[0] - z_0) + fabsf(last_x[0] - z_m);
        const float first =
            smaller(smaller(fabsf(x[0] - z_1), fabsf(x[near] - z_0)), fabsf(x[near] - z_1));
        const float second = smaller(smaller(fabsf(last_x[0] - z_l), fabsf(*(last_x - near) - z_m)),
                                     fabsf(*(last_x - near) - z_l));
        zm->kim[s] += near ? corners + (first + second) : corners;
    }
}

void zmatch_look(zmatch *zm, const float *y, size_t n)
{
    zm->y = y;
    zm->n = n;
    zm->anchor = y[zm->m - 1];
    find_gains(zm);
    add_kim(zm);
}

/* A bound from below that is higher rules the window out. */
static float limit_of(const zmatch *zm, float bound)
{
    return (float)((double)bound * zm->rounding + zm->margin);
}

size_t zmatch_next(const zmatch *zm, size_t at, float bound)
{
    const float limit = limit_of(zm, bound);
    while (at < zm->n && zm->kim[at] > limit) at++;
    return at;
}

/* ---- one window ---- */

static float add_up(const float *terms, size_t n)
{
    float sums[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) sums[k] += terms[i + k];
    for (; i < n; i++) sum += terms[i];
    for (size_t k = 0; k < LANES; k++) sum += sums[k];
    return sum;
}

/* terms[i]: how far v[i] is outside of the envelope. Returns their sum. */
static float leave_envelope(float *terms, const float *v, const float *upper, const float *lower,
                            size_t n)
{
    for (size_t i = 0; i < n; i++) terms[i] = larger(larger(v[i] - upper[i], lower[i] - v[i]), 0);
    return add_up(terms, n);
}

/* LB_Keogh of the window in the envelope of the template, up to the piece that exceeds the limit.
 */
static float keogh_of_window(zmatch *zm, size_t at, float limit)
{
    const float *y = zm->y + at;
    const float anchor = zm->anchor, gain = zm->gain[at], shift = zm->shift[at];
    float sum = 0;
    for (size_t from = 0; from < zm->m && !(sum > limit); from += PIECE) {
        const size_t n = zm->m - from < PIECE ? zm->m - from : PIECE;
        float v[PIECE];
        for (size_t i = 0; i < n; i++) v[i] = (y[from + i] - anchor) * gain - shift;
        sum += leave_envelope(zm->terms + from, v, zm->upper + from, zm->lower + from, n);
    }
    return sum;
}

/* LB_Keogh of the template in the envelope of the window. */
static float keogh_of_template(zmatch *zm)
{
    find_side(zm, zm->z_upper, zm->z, 1);
    find_side(zm, zm->z_lower, zm->z, -1);
    return leave_envelope(zm->more_terms, zm->x, zm->z_upper, zm->z_lower, zm->m);
}

/* rest[i]: the sum of terms[i] ... terms[m - 1]. */
static void sum_rest(zmatch *zm, const float *terms)
{
    zm->rest[zm->m] = 0;
    for (size_t i = zm->m; i-- > 0;) zm->rest[i] = zm->rest[i + 1] + terms[i];
}

static float lowest(const float *v, size_t from, size_t to)
{
    float low = INFINITY;
    for (size_t i = from; i < to; i++) low = smaller(low, v[i]);
    return low;
}

/* Rows [from, to) of an anti-diagonal: of cell (i, j), `now` is at i, the others are those of the
 * two anti-diagonals before. */
static void evaluate(float *restrict now, const float *before, const float *two_before,
                     const float *x, const float *z, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float beside = smaller(before[i], before[i + 1]);
        now[i] = smaller(beside, two_before[i]) + fabsf(x[i] - z[i]);
    }
}

/* D by anti-diagonals i + j = k. A row is at its number + 1, so that the neighbours of the first
 * one have a place. Every path has a cell in one of two anti-diagonals, at most in row `to`. */
static float warp(zmatch *zm, float limit)
{
    const size_t m = zm->m, band = zm->band;
    float *now = zm->diagonals[0], *before = zm->diagonals[1], *two_before = zm->diagonals[2];
    for (size_t i = 0; i < m + 2; i++) now[i] = before[i] = two_before[i] = INFINITY;
    two_before[0] = 0;
    for (size_t k = 0; k < 2 * m - 1; k++) {
        const size_t in_band = k > band ? (k - band + 1) / 2 : 0, in_window = k < m ? 0 : k - m + 1;
        const size_t from = in_band > in_window ? in_band : in_window;
        const size_t highest = (k + band) / 2, last = k < m ? k : m - 1;
        const size_t to = (highest < last ? highest : last) + 1;
        if (from < to)
            evaluate(now + 1 + from, before + from, two_before + from, zm->x + from,
                     zm->backwards + (m - 1 + from - k), to - from);
        now[from] = now[to + 1] = INFINITY;
        if (k % EVERY == EVERY - 1 &&
            smaller(lowest(now, from + 1, to + 1), lowest(before, from, to + 1)) + zm->rest[to] >
                limit)
            return INFINITY;
        float *oldest = two_before;
        two_before = before;
        before = now;
        now = oldest;
    }
    return before[m];
}

float zmatch_distance(zmatch *zm, size_t at, float bound)
{
    const size_t m = zm->m;
    const float limit = limit_of(zm, bound);
    const float of_window = keogh_of_window(zm, at, limit);
    if (of_window > limit || !zmatch_normalise(zm->z, zm->y + at, m)) return INFINITY;
    const float of_template = keogh_of_template(zm);
    if (of_template > limit) return INFINITY;
    sum_rest(zm, of_template > of_window ? zm->more_terms : zm->terms);
    for (size_t i = 0; i < m; i++) zm->backwards[m - 1 - i] = zm->z[i];
    const float d = warp(zm, limit);
    return d <= bound ? d : INFINITY;
}
