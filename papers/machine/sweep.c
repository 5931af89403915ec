#include "papers/machine/sweep.h"

#include <math.h>
#include <stdlib.h>

/* A diagonal's accesses: those of row i of segment g have the number g * m + i - 1. */
typedef struct {
    size_t n;
    size_t *at;
    double *x, *y, *left, *up, *diagonal, *value;
} front;

/* Which of a cell's six accesses. */
typedef enum { OF_X, OF_Y, OF_LEFT, OF_UP, OF_DIAGONAL, OF_CELL } access_of;

static size_t above(size_t n, size_t width)
{
    return (n / width + 1) * width;
}

static size_t row_words(sweep_layout layout, size_t width, const task *t, size_t segments)
{
    if (layout == LAYOUT_MATRIX) return above(t->n, width);
    if (layout == LAYOUT_SLID) return t->n + 1;
    return layout == LAYOUT_RING ? t->m * segments : above(t->m, width);
}

size_t sweep_words(sweep_layout layout, size_t width, const task *t, size_t segments)
{
    const size_t row = row_words(layout, width, t, segments);
    if (layout == LAYOUT_MATRIX) return (t->m + 1) * row;
    return layout == LAYOUT_SLID ? (t->m + t->n + 1) * row : 3 * row;
}

bool sweep_has_edges(sweep_layout layout)
{
    return layout == LAYOUT_MATRIX || layout == LAYOUT_SLID;
}

size_t sweep_at(const sweep *s, size_t segment, size_t i, size_t j)
{
    const size_t width = machine_shape_of(s->machine)->width, m = s->task.m;
    const size_t row = row_words(s->layout, width, &s->task, s->segments);
    switch (s->layout) {
    case LAYOUT_MATRIX: return s->d_at + i * row + j;
    case LAYOUT_SLID: return s->d_at + (i + j) * row + j;
    case LAYOUT_RING: return s->d_at + (i + j) % 3 * row + segment * m + j % m;
    case LAYOUT_THREE: break;
    }
    return s->d_at + j % 3 * row + i;
}

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool sweep_edges(const sweep *s)
{
    const size_t m = s->task.m, n = s->task.n, most = longer(m, n + 1);
    size_t *at = malloc(most * sizeof *at);
    double *values = calloc(most, sizeof *values);
    const bool good = at && values;
    if (good) {
        for (size_t j = 0; j <= n; j++) at[j] = sweep_at(s, 0, 0, j);
        machine_write(s->machine, s->block, s->where, n + 1, at, values);
        for (size_t i = 1; i <= m; i++) {
            at[i - 1] = sweep_at(s, 0, i, 0);
            values[i - 1] = task_edge(s->task.signals, i);
        }
        machine_write(s->machine, s->block, s->where, m, at, values);
        machine_wait(s->machine, s->block);
    }
    free(at);
    free(values);
    return good;
}

static bool front_create(front *f, size_t n)
{
    *f = (front){.n = n, .at = malloc(n * sizeof *f->at), .x = malloc(6 * n * sizeof *f->x)};
    if (!f->at || !f->x) return false;
    f->y = f->x + n;
    f->left = f->y + n;
    f->up = f->left + n;
    f->diagonal = f->up + n;
    f->value = f->diagonal + n;
    return true;
}

static void front_free(front *f)
{
    free(f->at);
    free(f->x);
}

/* The column of row i on diagonal k; 0: it has no cell there. */
static size_t column_of(const sweep *s, size_t segment, size_t i, size_t k)
{
    const size_t begin = segment * s->shift, rest = s->y_length - begin;
    const size_t columns = rest < s->task.n ? rest : s->task.n;
    return k + 1 > i && k + 1 - i <= columns ? k + 1 - i : 0;
}

/* MACHINE_IDLE for an edge that is not stored. */
static size_t address_of_d(const sweep *s, size_t segment, size_t i, size_t j)
{
    if ((i == 0 || j == 0) && !sweep_has_edges(s->layout)) return MACHINE_IDLE;
    return sweep_at(s, segment, i, j);
}

static size_t address_of(const sweep *s, size_t segment, size_t i, size_t j, access_of what)
{
    switch (what) {
    case OF_X: return s->x_at + i - 1;
    case OF_Y: return s->y_at + segment * s->shift + j - 1;
    case OF_LEFT: return address_of_d(s, segment, i, j - 1);
    case OF_UP: return address_of_d(s, segment, i - 1, j);
    case OF_DIAGONAL: return address_of_d(s, segment, i - 1, j - 1);
    case OF_CELL: break;
    }
    return sweep_at(s, segment, i, j);
}

/* One access of each cell of diagonal k. */
static void access_all(const sweep *s, const front *f, size_t k, access_of what, double *values)
{
    const size_t m = s->task.m;
    for (size_t c = 0; c < f->n; c++) {
        const size_t segment = c / m, i = c % m + 1, j = column_of(s, segment, i, k);
        f->at[c] = j ? address_of(s, segment, i, j, what) : MACHINE_IDLE;
    }
    if (what == OF_CELL)
        machine_write(s->machine, s->block, s->where, f->n, f->at, values);
    else
        machine_read(s->machine, s->block, s->where, f->n, f->at, values);
}

/* Edges, which an access replaces if they are stored. */
static void set_edges(const sweep *s, const front *f, size_t k)
{
    for (size_t c = 0; c < f->n; c++) {
        const size_t i = c % s->task.m + 1, j = k + 1 > i ? k + 1 - i : 0;
        f->left[c] = j == 1 ? task_edge(s->task.signals, i) : NAN;
        f->up[c] = i == 1 ? 0 : NAN;
        f->diagonal[c] = i == 1 ? 0 : j == 1 ? task_edge(s->task.signals, i - 1) : NAN;
    }
}

static void sweep_diagonal(const sweep *s, const front *f, size_t k)
{
    const size_t m = s->task.m;
    set_edges(s, f, k);
    access_all(s, f, k, OF_X, f->x);
    access_all(s, f, k, OF_Y, f->y);
    access_all(s, f, k, OF_LEFT, f->left);
    access_all(s, f, k, OF_UP, f->up);
    access_all(s, f, k, OF_DIAGONAL, f->diagonal);
    for (size_t c = 0; c < f->n; c++) {
        if (!column_of(s, c / m, c % m + 1, k)) continue;
        const task_cell cell = {f->left[c], f->up[c], f->diagonal[c], f->x[c], f->y[c]};
        f->value[c] = task_value(s->task.signals, &cell);
        if (c % m == m - 1 && s->best) s->best[c / m] = task_least(s->best[c / m], f->value[c]);
    }
    access_all(s, f, k, OF_CELL, f->value);
    machine_wait(s->machine, s->block);
}

bool sweep_run(const sweep *s)
{
    front f;
    const bool good = front_create(&f, s->task.m * s->segments);
    for (size_t g = 0; good && s->best && g < s->segments; g++)
        s->best[g] = task_edge(s->task.signals, s->task.m);
    for (size_t k = 1; good && k < s->task.n + s->task.m; k++) sweep_diagonal(s, &f, k);
    front_free(&f);
    return good;
}

double sweep_least(const sweep *s)
{
    double least = INFINITY;
    for (size_t j = 0; j <= s->task.n; j++) {
        const size_t at = sweep_at(s, 0, s->task.m, j);
        least = task_least(least, machine_read_one(s->machine, s->block, s->where, at));
    }
    return least;
}
