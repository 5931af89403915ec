#include "filter/search/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The neighbour that a cell of the path comes from. */
enum { DIAGONAL, LEFT, UP };

/* A cell of the path, and D there. */
typedef struct {
    size_t i, t;
    float d;
} cell;

typedef struct {
    const path_problem *p;
    /* The part of the path that is looked for. No cell of it is above to.d, so higher cells count
     * as +inf. In each column the rows from `low` to `high` are all that may be finite. */
    cell from, to;
    size_t low, high;
    float *d;             /* m: D of the last column */
    float *middle;        /* m: D of the middle column */
    uint32_t *rows;       /* m: where the path of a cell left the middle column; m fits */
    unsigned char *steps; /* 2 m: of one column, or of a small block */
    sigrep_pair *pairs;   /* from the last one to the first */
    size_t n_pairs;
    uint64_t unasked; /* work since the last question whether to stop */
} finder;

/* The sum over the values of a frame, in index order, as kernels add them; +inf out of the band. */
static float frame_cost(const path_problem *p, size_t i, size_t t)
{
    if (p->has_band && (i > t ? i - t : t - i) > p->band) return INFINITY;
    const float *x = p->x + i * p->dim, *y = p->y + t * p->dim;
    float sum = fabsf(x[0] - y[0]);
    for (size_t k = 1; k < p->dim; k++) sum += fabsf(x[k] - y[k]);
    return sum;
}

/* Compute column from.t. */
static void first_column(finder *f, cell from, cell to)
{
    f->from = from;
    f->to = to;
    f->low = f->high = from.i;
    f->d[from.i] = from.d;
    for (size_t i = from.i + 1; i <= to.i; i++) {
        f->d[i] = f->d[i - 1] + frame_cost(f->p, i, from.t);
        if (f->d[i] > to.d) break;
        f->high = i;
    }
    memset(f->steps, UP, f->high - from.i + 1);
}

/* Replace D(.,t-1) by D(.,t). Ties go to the diagonal, then left, then up. steps: of row from.i and
 * the rows above it. */
static void next_column(finder *f, size_t t, unsigned char *steps)
{
    float diagonal = INFINITY, up = INFINITY;
    size_t i = f->low;
    for (; i <= f->to.i && (i <= f->high + 1 || up <= f->to.d); i++) {
        const float left = i <= f->high ? f->d[i] : INFINITY;
        float best = diagonal;
        unsigned char step = DIAGONAL;
        step = left < best ? LEFT : step;
        best = left < best ? left : best;
        step = up < best ? UP : step;
        best = up < best ? up : best;
        diagonal = left;
        f->d[i] = up = best + frame_cost(f->p, i, t);
        steps[i - f->from.i] = step;
    }
    f->high = i - 1;
    /* Each column has a cell of the path. */
    while (f->high > f->low && f->d[f->high] > f->to.d) f->high--;
    while (f->low < f->high && f->d[f->low] > f->to.d) f->low++;
}

/* Each cell of the last column takes over the row that its neighbour carries. */
static void carry_rows(finder *f, size_t low)
{
    const unsigned char *steps = f->steps + (low - f->from.i);
    uint32_t diagonal = 0, up = 0;
    for (size_t i = low; i <= f->high; i++) {
        const uint32_t left = f->rows[i];
        const unsigned char step = *steps++;
        f->rows[i] = up = step == DIAGONAL ? diagonal : step == LEFT ? left : up;
        diagonal = left;
    }
}

static void begin_middle(finder *f)
{
    memcpy(f->middle + f->low, f->d + f->low, (f->high - f->low + 1) * sizeof *f->d);
    for (size_t i = f->low; i <= f->high; i++) f->rows[i] = (uint32_t)i;
}

static bool is_stopped(finder *f)
{
    return stopping_wanted(f->p->stop, &f->unasked, (f->high - f->low + 1) * f->p->dim);
}

/* The columns up to `to` are done. Does a path of its cost end there? */
static bool is_reached(const finder *f, cell to)
{
    return f->high == to.i && f->d[to.i] <= to.d;
}

static void add_pair(finder *f, size_t i, size_t t)
{
    f->pairs[f->n_pairs++] =
        (sigrep_pair){.template_frame = i, .match_frame = t, .cost = frame_cost(f->p, i, t)};
}

/* Add the pairs from `to` back to the one after `from`, of a block whose steps have room. */
static sigrep_status find_in_block(finder *f, cell from, cell to)
{
    const size_t rows = to.i - from.i + 1;
    first_column(f, from, to);
    for (size_t t = from.t + 1; t <= to.t; t++) {
        if (is_stopped(f)) return SIGREP_STOPPED;
        next_column(f, t, f->steps + (t - from.t) * rows);
    }
    if (!is_reached(f, to)) return SIGREP_BAD_STATE;
    for (size_t i = to.i, t = to.t; i != from.i || t != from.t;) {
        const unsigned char step = f->steps[(t - from.t) * rows + i - from.i];
        add_pair(f, i, t);
        if (step != LEFT) i--;
        if (step != UP) t--;
    }
    return SIGREP_OK;
}

/* Find the last cell of the path from `from` to `to` in column `middle`, which lies between them.
 */
static sigrep_status find_between(finder *f, cell from, cell to, size_t middle, cell *between)
{
    first_column(f, from, to);
    for (size_t t = from.t + 1; t <= to.t; t++) {
        const size_t low = f->low;
        if (is_stopped(f)) return SIGREP_STOPPED;
        next_column(f, t, f->steps);
        if (t == middle) begin_middle(f);
        if (t > middle) carry_rows(f, low);
    }
    if (!is_reached(f, to)) return SIGREP_BAD_STATE;
    const size_t row = f->rows[to.i];
    *between = (cell){.i = row, .t = middle, .d = f->middle[row]};
    return SIGREP_OK;
}

/* Add the pairs from `to` back to the one after `from`. The depth is log2 of the columns. */
static sigrep_status find(finder *f, cell from, cell to)
{
    const size_t rows = to.i - from.i + 1, columns = to.t - from.t + 1;
    if (columns <= 2 * f->p->m / rows) return find_in_block(f, from, to);
    cell between;
    sigrep_status status = find_between(f, from, to, from.t + columns / 2, &between);
    if (!status) status = find(f, between, to);
    return status ? status : find(f, from, between);
}

static void reverse(sigrep_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const sigrep_pair pair = pairs[i];
        pairs[i] = pairs[n - 1 - i];
        pairs[n - 1 - i] = pair;
    }
}

sigrep_status path_find(const path_problem *p, sigrep_pair *pairs, size_t *n_pairs)
{
    finder f = {.p = p,
                .d = malloc(p->m * sizeof *f.d),
                .middle = malloc(p->m * sizeof *f.middle),
                .rows = malloc(p->m * sizeof *f.rows),
                .steps = malloc(2 * p->m),
                .pairs = pairs};
    /* A path begins with one frame of the stream for the first row: row 0 is the diagonal. */
    const cell first = {.d = frame_cost(p, 0, 0)}, last = {.i = p->m - 1, .t = p->n - 1, .d = p->d};
    sigrep_status status = f.d && f.middle && f.rows && f.steps ? SIGREP_OK : SIGREP_NO_MEMORY;
    if (!status) status = find(&f, first, last);
    if (!status) add_pair(&f, first.i, first.t);
    if (!status) reverse(pairs, f.n_pairs);
    *n_pairs = status ? 0 : f.n_pairs;
    free(f.d);
    free(f.middle);
    free(f.rows);
    free(f.steps);
    return status;
}
