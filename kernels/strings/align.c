#include "kernels/strings/align.h"

#include <math.h>
#include <stdlib.h>

/* A cell of the matrix: the first letters are number 1, and (0,0) is the beginning. */
typedef struct {
    size_t i, t;
    double distance;
} corner;

/* A cell of a column. From the middle column on, where the cell's path left that. */
typedef struct {
    double distance; /* +inf: no path leads here */
    size_t row;
    double row_distance;
} path_cell;

typedef struct {
    const align_problem *p;
    path_cell *column, *last; /* m + 1 each */
    align_pair *pairs;
    size_t n_pairs;
} solver;

typedef enum { DIAGONAL, LEFT, UP } neighbour;

static const path_cell NOWHERE = {.distance = INFINITY};

/* The cost of a pair of frames, summed as docs/SEMANTICS.md says. */
static float frame_cost(const align_problem *p, size_t i, size_t t)
{
    const float *x = p->x_frames + (i - 1) * p->dim, *y = p->y_frames + (t - 1) * p->dim;
    float sum = 0;
    for (size_t k = 0; k < p->dim; k++) sum += fabsf(x[k] - y[k]);
    return sum;
}

/* Cell (i,t) by way of its best neighbour. */
static path_cell reach(const align_problem *p, size_t i, size_t t, const path_cell from[3],
                       neighbour *chosen)
{
    double d[3] = {from[DIAGONAL].distance, from[LEFT].distance, from[UP].distance};
    if (p->same) {
        d[DIAGONAL] += i > 0 && t > 0 && !p->same(p->x[i - 1], p->y[t - 1]);
        d[LEFT]++;
        d[UP]++;
    }
    *chosen = DIAGONAL;
    if (d[LEFT] < d[*chosen]) *chosen = LEFT;
    if (d[UP] < d[*chosen]) *chosen = UP;
    path_cell here = from[*chosen];
    here.distance = d[*chosen];
    if (p->same) return here;
    if (i == 0 || t == 0) return NOWHERE;
    here.distance = (double)((float)here.distance + frame_cost(p, i, t));
    return here;
}

/* The neighbours of row i in the column after `last`, of rows from `first` on. */
static path_cell enter(const solver *s, size_t i, size_t t, size_t first, neighbour *chosen)
{
    const bool has_lower = i > first;
    const path_cell from[3] = {[DIAGONAL] = has_lower ? s->last[i - 1] : NOWHERE,
                               [LEFT] = s->last[i],
                               [UP] = has_lower ? s->column[i - 1] : NOWHERE};
    return reach(s->p, i, t, from, chosen);
}

/* The column of a, from there up to row `end`. */
static void begin_column(solver *s, const corner *a, size_t end)
{
    neighbour chosen;
    s->column[a->i] = (path_cell){.distance = a->distance};
    for (size_t i = a->i + 1; i <= end; i++) {
        const path_cell from[3] = {NOWHERE, NOWHERE, s->column[i - 1]};
        s->column[i] = reach(s->p, i, a->t, from, &chosen);
    }
}

static void next_column(solver *s, size_t t, size_t first, size_t end)
{
    neighbour chosen;
    path_cell *column = s->last;
    s->last = s->column;
    s->column = column;
    for (size_t i = first; i <= end; i++) s->column[i] = enter(s, i, t, first, &chosen);
}

static void add_pair(solver *s, size_t i, size_t t)
{
    s->pairs[s->n_pairs++] = (align_pair){.i = i - 1, .t = t - 1};
}

/* Append rows i + 1 to `end` of column t. Of strings these letters are in no pair. */
static void climb(solver *s, size_t i, size_t end, size_t t)
{
    while (!s->p->same && i < end) add_pair(s, ++i, t);
}

/* Append the path from a, without it, to a cell of the next column, which is the solver's. */
static void step(solver *s, const corner *a, size_t end)
{
    neighbour chosen = UP;
    size_t i = end + 1;
    while (chosen == UP) (void)enter(s, --i, a->t + 1, a->i, &chosen);
    climb(s, a->i, chosen == DIAGONAL ? i - 1 : i, a->t);
    if (chosen == DIAGONAL || !s->p->same) add_pair(s, i, a->t + 1);
    climb(s, i, end, a->t + 1);
}

/* Compute the columns from a to column `to`, up to row `end`. */
static void sweep(solver *s, const corner *a, size_t end, size_t to)
{
    const size_t middle = a->t + (to - a->t) / 2;
    begin_column(s, a, end);
    for (size_t t = a->t + 1; t <= to; t++) {
        next_column(s, t, a->i, end);
        for (size_t i = a->i; t == middle && i <= end; i++) {
            s->column[i].row = i;
            s->column[i].row_distance = s->column[i].distance;
        }
    }
}

/* Append the path from a, without it, to b. The depth is the logarithm of the columns. */
static void solve(solver *s, const corner *a, const corner *b)
{
    if (a->t == b->t) {
        climb(s, a->i, b->i, a->t);
        return;
    }
    sweep(s, a, b->i, b->t);
    if (b->t - a->t == 1) {
        step(s, a, b->i);
        return;
    }
    const path_cell *end = &s->column[b->i];
    const corner middle = {
        .i = end->row, .t = a->t + (b->t - a->t) / 2, .distance = end->row_distance};
    solve(s, a, &middle);
    solve(s, &middle, b);
}

bool align(const align_problem *p, double *distance, align_pair *pairs, size_t *n_pairs)
{
    const corner begin = {.distance = 0}, end = {.i = p->m, .t = p->n};
    solver s = {.p = p, .pairs = pairs};
    path_cell *memory = malloc(2 * (p->m + 1) * sizeof *memory);
    if (!memory) return false;
    s.column = memory;
    s.last = memory + p->m + 1;
    sweep(&s, &begin, end.i, end.t);
    *distance = s.column[p->m].distance;
    if (pairs) {
        solve(&s, &begin, &end);
        *n_pairs = s.n_pairs;
    }
    free(memory);
    return true;
}
