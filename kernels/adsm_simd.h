/*
 * adsm_simd.h - the shared body of the vector kernels. The including file sets LANES and
 * defines its kernel_ops from the functions here; its compiler flags choose the
 * instructions.
 *
 * Samples (dim 1): the template is cut into strips of ROWS rows. One strip sweeps the
 * whole window as an anti-diagonal, lane i being i columns behind lane 0:
 *
 *             t ->                    up   = lane i-1, one step ago
 *     row 0   . . . . . s             left = lane i,   one step ago
 *     row 1   . . . . s               diag = lane i-1, two steps ago
 *     row 2   . . . s                 (s: the cells of step s)
 *
 * and hands its bottom row D(r,.) to the next strip. Lanes that have not begun or are
 * done keep their value, so that a sweep starts from a column and ends in one. The first
 * strip is padded at the top with rows that stay at 0, as row 0 of the recurrence does.
 *
 * Frames (dim > 1): a column at a time; its costs in vectors, then one pass down.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/columns.h"
#include "kernels/kernel.h"
#include "kernels/simd.h"

enum { VECTORS = 4, ROWS = VECTORS * LANES };

typedef struct {
    size_t length; /* m */
    size_t pad;    /* rows of 0 on top, so that pad + m is a multiple of ROWS */
    float *x;      /* dim 1: pad + m rows; else transposed: dim x (pad + m) */
    float *d;      /* D(.,position - 1), pad + m rows, the first pad of them 0 */
    columns kept;
} simd_template;

typedef struct {
    size_t dim, max_step, n_templates;
    uint64_t position;
    float *row;  /* max_step: D of the row between two strips, in the end D(m,.) */
    float *cost; /* dim > 1: costs of a column; as many as the longest template has rows */
    simd_template templates[];
} simd_kernel;

/* The strip in registers. */
typedef struct {
    vf x[VECTORS], y[VECTORS], now[VECTORS], diag[VECTORS];
    vi keep[VECTORS]; /* 0 in padding lanes */
} strip;

/* One step of the anti-diagonal: y_in and up_in enter at lane 0. */
static inline __attribute__((always_inline)) void strip_step(strip *s, float y_in, float up_in,
                                                             bool padded, vf new[VECTORS])
{
    vf y_below = vf_all(y_in), d_below = vf_all(up_in);
    for (int v = 0; v < VECTORS; v++) {
        vf y = vf_shift(y_below, s->y[v]);
        vf up = vf_shift(d_below, s->now[v]);
        y_below = s->y[v];
        d_below = s->now[v];
        vf best = vf_min(vf_min(s->diag[v], s->now[v]), up);
        new[v] = best + vf_abs(s->x[v] - y);
        if (padded) new[v] = (vf)((vi) new[v] & s->keep[v]);
        s->y[v] = y;
        s->diag[v] = up;
    }
}

/* Steps [from, to) in which every lane works. */
static inline __attribute__((always_inline)) void strip_run(strip *s, const float *y, float *row,
                                                            size_t from, size_t to, bool padded)
{
    strip r = *s;
    for (size_t step = from; step < to; step++) {
        vf new[VECTORS];
        strip_step(&r, y[step], row[step], padded, new);
        for (int v = 0; v < VECTORS; v++) r.now[v] = new[v];
        row[step - (ROWS - 1)] = new[VECTORS - 1][LANES - 1];
    }
    *s = r;
}

/* One step in which some lanes may not have begun or may be done. */
static void strip_edge(strip *s, const float *y, float *row, size_t step, size_t n)
{
    vf new[VECTORS];
    bool feeds = step < n;
    strip_step(s, feeds ? y[step] : 0, feeds ? row[step] : 0, true, new);
    for (int lane = 0; lane < ROWS; lane++) {
        bool works = step >= (size_t)lane && step - (size_t)lane < n;
        if (works) s->now[lane / LANES][lane % LANES] = new[lane / LANES][lane % LANES];
    }
    if (step >= ROWS - 1) row[step - (ROWS - 1)] = s->now[VECTORS - 1][LANES - 1];
}

/* Which columns of the window are kept: first, first + spacing, ... */
typedef struct {
    const columns *kept;
    uint64_t position; /* frames before the window */
    size_t first, n;
    size_t pad;
} capture;

static capture capture_begin(const simd_template *own, uint64_t position, size_t n)
{
    size_t spacing = own->kept.spacing;
    return (capture){.kept = &own->kept,
                     .position = position,
                     .first = spacing - 1 - (size_t)(position % spacing),
                     .n = n,
                     .pad = own->pad};
}

/* Is some lane at a kept column in this step? If not, *until is the next step where one is. */
static bool capture_near(const capture *c, size_t step, size_t *until)
{
    *until = c->first;
    if (step < c->first) return false;
    size_t behind = (step - c->first) % c->kept->spacing;
    *until = step - behind + c->kept->spacing;
    return behind < ROWS && step - behind < c->n;
}

static void capture_lane(const capture *c, const strip *s, size_t step, size_t top)
{
    size_t lane = (step - c->first) % c->kept->spacing;
    size_t row = top + lane;
    if (row < c->pad) return;
    float *d = columns_at(c->kept, c->position + (step - lane) + 1);
    d[row - c->pad] = s->now[lane / LANES][lane % LANES];
}

/* All steps of one strip over a window of n samples. `row` is D of the row above on the
 * way in and of the bottom row on the way out. */
static void strip_sweep(strip *s, const float *y, float *row, size_t n, bool padded,
                        const capture *c, size_t top)
{
    size_t end = n + ROWS - 1;
    for (size_t step = 0; step < end;) {
        size_t until;
        bool near = capture_near(c, step, &until);
        if (until > n) until = n;
        if (!near && step >= ROWS - 1 && step < until) {
            if (padded)
                strip_run(s, y, row, step, until, true);
            else
                strip_run(s, y, row, step, until, false);
            step = until;
            continue;
        }
        strip_edge(s, y, row, step, n);
        if (near) capture_lane(c, s, step, top);
        step++;
    }
}

static void strip_load(strip *s, const simd_template *own, size_t top, float above)
{
    memset(s, 0, sizeof *s);
    for (size_t lane = 0; lane < ROWS; lane++) {
        s->keep[lane / LANES][lane % LANES] = top + lane < own->pad ? 0 : -1;
        s->x[lane / LANES][lane % LANES] = own->x[top + lane];
        s->now[lane / LANES][lane % LANES] = own->d[top + lane];
    }
    s->diag[0][0] = above;
}

static void sweep_samples(simd_kernel *self, simd_template *own, const float *y, size_t n)
{
    float *row = self->row;
    float above = 0;
    memset(row, 0, n * sizeof *row);
    capture c = capture_begin(own, self->position, n);
    for (size_t top = 0; top < own->pad + own->length; top += ROWS) {
        strip s;
        strip_load(&s, own, top, above);
        above = own->d[top + ROWS - 1];
        strip_sweep(&s, y, row, n, top < own->pad, &c, top);
        for (size_t v = 0; v < VECTORS; v++) vf_store(own->d + top + v * LANES, s.now[v]);
    }
}

/* Costs of one frame against all rows, summed over k in index order. */
static void frame_costs(const simd_template *own, const float *y, size_t dim, float *cost)
{
    size_t rows = own->pad + own->length;
    for (size_t i = 0; i < rows; i += LANES) {
        vf c = vf_abs(vf_load(own->x + i) - vf_all(y[0]));
        for (size_t k = 1; k < dim; k++)
            c = c + vf_abs(vf_load(own->x + k * rows + i) - vf_all(y[k]));
        vf_store(cost + i, c);
    }
}

/* One frame: D(.,t-1) becomes D(.,t). */
static float frame_column(simd_template *own, const float *cost)
{
    float diag = 0, up = 0;
    for (size_t i = own->pad; i < own->pad + own->length; i++) {
        float left = own->d[i];
        float best = diag < left ? diag : left;
        best = up < best ? up : best;
        diag = left;
        own->d[i] = up = best + cost[i];
    }
    return up;
}

static void sweep_frames(simd_kernel *self, simd_template *own, const float *y, size_t n)
{
    for (size_t t = 0; t < n; t++) {
        frame_costs(own, y + t * self->dim, self->dim, self->cost);
        self->row[t] = frame_column(own, self->cost);
        uint64_t position = self->position + t + 1;
        if (position % own->kept.spacing == 0)
            memcpy(columns_at(&own->kept, position), own->d + own->pad,
                   own->length * sizeof *own->d);
    }
}

static void block_minima(const float *scores, size_t n, uint64_t position, float *minima)
{
    size_t block = 0;
    minima[0] = INFINITY;
    for (size_t t = 0; t < n; t++) {
        minima[block] = scores[t] < minima[block] ? scores[t] : minima[block];
        if ((position + t + 1) % KERNEL_BLOCK == 0) minima[++block] = INFINITY;
    }
}

static sigrep_status simd_step(void *kernel, const float *frames, size_t n,
                               const kernel_output *out)
{
    simd_kernel *self = kernel;
    for (size_t j = 0; j < self->n_templates; j++) {
        if (self->dim == 1)
            sweep_samples(self, &self->templates[j], frames, n);
        else
            sweep_frames(self, &self->templates[j], frames, n);
        block_minima(self->row, n, self->position, out->minima + j * out->minima_stride);
        if (out->scores) memcpy(out->scores + j * self->max_step, self->row, n * sizeof(float));
    }
    self->position += n;
    return SIGREP_OK;
}

static void simd_reset(void *kernel)
{
    simd_kernel *self = kernel;
    self->position = 0;
    for (size_t j = 0; j < self->n_templates; j++) {
        simd_template *own = &self->templates[j];
        for (size_t i = 0; i < own->length; i++) own->d[own->pad + i] = INFINITY;
    }
}

static size_t simd_spacing(const void *kernel, size_t index)
{
    return ((const simd_kernel *)kernel)->templates[index].kept.spacing;
}

static sigrep_status simd_column(void *kernel, size_t index, uint64_t position, float *d)
{
    const simd_template *own = &((simd_kernel *)kernel)->templates[index];
    memcpy(d, columns_at(&own->kept, position), own->length * sizeof *d);
    return SIGREP_OK;
}

static void simd_destroy(void *kernel)
{
    simd_kernel *self = kernel;
    if (!self) return;
    for (size_t j = 0; j < self->n_templates; j++) {
        free(self->templates[j].x);
        free(self->templates[j].d);
        columns_free(&self->templates[j].kept);
    }
    free(self->row);
    free(self->cost);
    free(self);
}

static sigrep_status simd_template_init(simd_template *own, const kernel_template *x,
                                        const kernel_plan *plan)
{
    own->length = x->length;
    own->pad = (ROWS - x->length % ROWS) % ROWS;
    size_t rows = own->pad + own->length;
    if (rows > SIZE_MAX / sizeof(float) / plan->dim) return SIGREP_NO_MEMORY;
    own->x = calloc(rows * plan->dim, sizeof *own->x);
    own->d = calloc(rows, sizeof *own->d);
    if (!own->x || !own->d) return SIGREP_NO_MEMORY;
    for (size_t i = 0; i < x->length; i++)
        for (size_t k = 0; k < plan->dim; k++)
            own->x[k * rows + own->pad + i] = x->frames[i * plan->dim + k];
    return columns_create(&own->kept, x, plan->max_step);
}

static sigrep_status simd_init(simd_kernel *self, const kernel_plan *plan)
{
    size_t most_rows = 0;
    for (size_t j = 0; j < plan->n_templates; j++) {
        sigrep_status status = simd_template_init(&self->templates[j], &plan->templates[j], plan);
        if (status) return status;
        size_t rows = self->templates[j].pad + self->templates[j].length;
        if (rows > most_rows) most_rows = rows;
    }
    self->row = calloc(plan->max_step, sizeof *self->row);
    self->cost = calloc(most_rows, sizeof *self->cost);
    return self->row && self->cost ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status simd_create(void **kernel, const kernel_plan *plan)
{
    simd_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    self->dim = plan->dim;
    self->max_step = plan->max_step;
    self->n_templates = plan->n_templates;
    sigrep_status status = simd_init(self, plan);
    if (status) {
        simd_destroy(self);
        return status;
    }
    simd_reset(self);
    *kernel = self;
    return SIGREP_OK;
}
