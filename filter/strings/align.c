/*
 * align.c - two sequences as wholes, behind sigrep_text.h.
 *
 *     row m  .  .  .  .  .  o  D(m,n)      the chosen path of the cell (m,n): ties go to the
 *            .  .  .  o  o  .              diagonal, then left, then up
 *            .  o  o  .  .  .
 *     row 0  o  .  .  .  .  .
 *           t=0             n
 *
 * Columns are computed from cell A to cell B. From the middle column on, each cell carries the row
 * at which its path left the middle. So B knows a third cell of the path, and both parts are solved
 * likewise: Hirschberg (CACM 18, 1975), but forwards only, so that ties are those of the
 * recurrence. filter/search/path.h does so for frames.
 */
#include <math.h>
#include <stdlib.h>

#include "filter/search/path.h"
#include "kernels/float_env.h"
#include "kernels/strings/pattern.h"
#include "sigrep_text.h"

/* A cell of the matrix: the first letters are number 1, and (0,0) is the beginning. */
typedef struct {
    size_t i, t;
} corner;

/* A cell of a column. */
typedef struct {
    size_t distance; /* from A */
    size_t row;      /* where its path left the middle column, from that on */
} path_cell;

typedef struct {
    const unsigned char *x, *y, *same;
    path_cell *column, *last; /* m + 1 each */
    sigrep_pair *pairs;
    size_t n_pairs;
} solver;

typedef enum { DIAGONAL, LEFT, UP } neighbour;

/* Compute cell (i,t) by way of its best neighbour; row `first` is the lowest. */
static neighbour enter(solver *s, size_t i, size_t t, size_t first)
{
    path_cell best = s->last[i];
    neighbour chosen = LEFT;
    best.distance++;
    if (i > first) {
        const path_cell diagonal = s->last[i - 1], up = s->column[i - 1];
        const size_t replaced = !string_same(s->same, s->x[i - 1], s->y[t - 1]);
        if (diagonal.distance + replaced <= best.distance) {
            best = (path_cell){diagonal.distance + replaced, diagonal.row};
            chosen = DIAGONAL;
        }
        if (up.distance + 1 < best.distance) {
            best = (path_cell){up.distance + 1, up.row};
            chosen = UP;
        }
    }
    s->column[i] = best;
    return chosen;
}

static size_t middle_of(corner a, corner b)
{
    return a.t + (b.t - a.t) / 2;
}

/* Compute the columns from a to b, up to b's row. */
static void sweep(solver *s, corner a, corner b)
{
    for (size_t i = a.i; i <= b.i; i++) s->column[i].distance = i - a.i;
    for (size_t t = a.t + 1; t <= b.t; t++) {
        path_cell *column = s->last;
        s->last = s->column;
        s->column = column;
        for (size_t i = a.i; i <= b.i; i++) {
            (void)enter(s, i, t, a.i);
            if (t == middle_of(a, b)) column[i].row = i;
        }
    }
}

/* Append the pair of b's column, the solver's, if there is one. */
static void add_pair(solver *s, corner a, corner b)
{
    neighbour chosen = UP;
    size_t i = b.i + 1;
    while (chosen == UP) chosen = enter(s, --i, b.t, a.i);
    if (chosen == LEFT) return;
    const bool same = string_same(s->same, s->x[i - 1], s->y[b.t - 1]);
    s->pairs[s->n_pairs++] = (sigrep_pair){.template_frame = i - 1,
                                           .match_frame = b.t - 1,
                                           .start = b.t - 1,
                                           .end = b.t,
                                           .cost = same ? 0 : 1};
}

/* Append the pairs from a to b. The depth is the logarithm of the columns. */
static void solve(solver *s, corner a, corner b)
{
    if (a.t == b.t) return;
    sweep(s, a, b);
    if (b.t - a.t == 1) {
        add_pair(s, a, b);
        return;
    }
    const corner middle = {.i = s->column[b.i].row, .t = middle_of(a, b)};
    solve(s, a, middle);
    solve(s, middle, b);
}

sigrep_status sigrep_text_align(const void *x, size_t m, const void *y, size_t n,
                                const unsigned char *same, double *distance, sigrep_pair *pairs,
                                size_t *n_pairs)
{
    const corner begin = {0, 0}, end = {m, n};
    path_cell *memory = malloc(2 * (m + 1) * sizeof *memory);
    solver s = {.x = x, .y = y, .same = same, .column = memory, .pairs = pairs};
    if (!memory) return SIGREP_NO_MEMORY;
    s.last = memory + m + 1;
    sweep(&s, begin, end);
    *distance = (double)s.column[m].distance;
    if (pairs) {
        solve(&s, begin, end);
        *n_pairs = s.n_pairs;
    }
    free(memory);
    return SIGREP_OK;
}

/* ---- signals ---- */

/* The cost of a pair of frames, summed as docs/SEMANTICS.md says. */
static float frame_cost(const path_problem *p, size_t i, size_t t)
{
    float sum = 0;
    for (size_t k = 0; k < p->dim; k++) sum += fabsf(p->x[i * p->dim + k] - p->y[t * p->dim + k]);
    return sum;
}

/* D(m,n), column by column. */
static float warped_distance(const path_problem *p, float *column)
{
    for (size_t i = 0; i < p->m; i++) column[i] = INFINITY;
    for (size_t t = 0; t < p->n; t++) {
        float diagonal = t > 0 ? INFINITY : 0, up = INFINITY;
        for (size_t i = 0; i < p->m; i++) {
            const float left = column[i];
            float best = diagonal < left ? diagonal : left;
            if (up < best) best = up;
            up = column[i] = best + frame_cost(p, i, t);
            diagonal = left;
        }
    }
    return column[p->m - 1];
}

sigrep_status sigrep_text_align_signals(const float *x, size_t m, const float *y, size_t n,
                                        size_t dim, double *distance, sigrep_pair *pairs,
                                        size_t *n_pairs)
{
    const stopping never = {0};
    path_problem p = {.x = x, .m = m, .y = y, .n = n, .dim = dim, .stop = &never};
    sigrep_status status = SIGREP_OK;
    float *column = malloc(m * sizeof *column);
    if (!column) return SIGREP_NO_MEMORY;
    const float_env before = float_env_enter();
    *distance = p.d = warped_distance(&p, column);
    if (pairs) *n_pairs = 0;
    if (pairs && isfinite(p.d)) status = path_find(&p, pairs, n_pairs);
    float_env_leave(before);
    for (size_t k = 0; pairs && k < *n_pairs; k++) {
        pairs[k].start = pairs[k].match_frame;
        pairs[k].end = pairs[k].start + 1;
    }
    free(column);
    return status;
}
