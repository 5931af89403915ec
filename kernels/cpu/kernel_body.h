/*
 * kernel_simd.h - make, reset and end a vector kernel. The including file sets LANES and
 * defines its kernel_ops by SIMD_OPS.
 */
#include "kernels/cpu/step.h"

static void simd_reset(void *kernel)
{
    simd_kernel *self = kernel;
    self->position = 0;
    for (size_t j = 0; j < self->n_templates; j++) {
        simd_template *own = &self->templates[j];
        for (size_t i = 0; i < own->length; i++) own->d[own->pad + i] = INFINITY;
        own->back_off = 0;
        sparse_begin(own);
    }
}

static const simd_template *template_at(const simd_kernel *self, size_t index)
{
    const simd_template *own = self->templates;
    while (own->index != index) own++;
    return own;
}

static sigrep_status simd_seek(void *kernel, uint64_t position, const float *given)
{
    simd_kernel *self = kernel;
    simd_reset(self);
    self->position = position;
    for (size_t j = 0; j < self->n_templates; j++) {
        const simd_template *own = template_at(self, j);
        const size_t bytes = own->length * sizeof *own->d;
        if (given) memcpy(own->d + own->pad, given, bytes);
        memcpy(columns_at(&own->kept, position), own->d + own->pad, bytes);
        if (own->kept_rows)
            own->kept_rows[columns_slot(&own->kept, position)] = (uint32_t)own->length;
        if (given) given += own->length;
    }
    return SIGREP_OK;
}

static size_t simd_spacing(const void *kernel, size_t index)
{
    return template_at(kernel, index)->kept.spacing;
}

static sigrep_status simd_column(void *kernel, size_t index, uint64_t position, float *d)
{
    const simd_template *own = template_at(kernel, index);
    memcpy(d, columns_at(&own->kept, position), own->length * sizeof *d);
    return SIGREP_OK;
}

/* A seam costs a template length or two, so segments should have many. */
static size_t simd_chunk(const kernel_plan *plan)
{
    const size_t segments = LANES * pool_threads(plan->workers);
    return columns_chunk(plan, 32 * segments, segments);
}

static void simd_destroy(void *kernel)
{
    simd_kernel *self = kernel;
    if (!self) return;
    for (size_t j = 0; j < self->n_templates; j++) {
        simd_template *own = &self->templates[j];
        free(own->x);
        free(own->by_rows);
        free(own->d);
        columns_free(&own->kept);
        free(own->states);
        free(own->kept_rows);
        free(own->unsettled);
    }
    for (size_t i = 0; self->benches && i < self->threads; i++) {
        simd_bench *bench = &self->benches[i];
        free(bench->y);
        free(bench->line);
        free(bench->column);
        free(bench->replaced);
        free(bench->least);
        free(bench->sparse[0]);
        free(bench->sparse[1]);
        free(bench->full);
    }
    free(self->benches);
    free(self);
}

static sigrep_status template_init(simd_template *own, const kernel_template *x, size_t index,
                                   const kernel_plan *plan, size_t threads)
{
    const size_t groups = most_groups(x->length, plan->dim, plan->max_step, threads);
    const size_t blocks = (x->length + TILE_ROWS_OF_FRAMES - 1) / TILE_ROWS_OF_FRAMES;
    const size_t pad = (LANES - x->length % LANES) % LANES, rows = pad + x->length;
    *own = (simd_template){.index = index, .length = x->length, .pad = pad, .eps = x->eps};
    sigrep_status status = columns_create(&own->kept, x, plan->max_step);
    if (status) return status;
    own->x = aligned_calloc(blocks, TILE_ROWS_OF_FRAMES * plan->dim * sizeof *own->x);
    own->by_rows = aligned_calloc(rows, plan->dim * sizeof *own->by_rows);
    own->d = aligned_calloc(rows, sizeof *own->d);
    own->states = aligned_calloc(groups * (x->length + LANES), sizeof *own->states);
    own->unsettled = calloc(threads * LANES, sizeof *own->unsettled);
    if (!own->x || !own->by_rows || !own->d || !own->states || !own->unsettled)
        return SIGREP_NO_MEMORY;
    if (sparse_possible(own, plan->dim)) {
        own->kept_rows = calloc(own->kept.slots, sizeof *own->kept_rows);
        if (!own->kept_rows) return SIGREP_NO_MEMORY;
        for (size_t i = 0; i < own->kept.slots; i++) own->kept_rows[i] = (uint32_t)own->length;
    }
    for (size_t i = 0; i < x->length; i++)
        for (size_t k = 0; k < plan->dim; k++) {
            const float value = x->frames[i * plan->dim + k];
            own->by_rows[k * rows + pad + i] = value;
            own->x[tile_row_at(i, plan->dim) + k * TILE_ROWS_OF_FRAMES] = value;
        }
    return SIGREP_OK;
}

/* By spacing, so that templates that share it share the transposed samples. */
static sigrep_status templates_init(simd_kernel *self, const kernel_plan *plan)
{
    size_t done = 0;
    for (size_t spacing = KERNEL_BLOCK; done < plan->n_templates; spacing *= 2)
        for (size_t j = 0; j < plan->n_templates; j++) {
            const kernel_template *x = &plan->templates[j];
            if (columns_spacing(x->history) != spacing) continue;
            self->n_templates = done + 1;
            sigrep_status status =
                template_init(&self->templates[done++], x, j, plan, self->threads);
            if (status) return status;
        }
    return SIGREP_OK;
}

/* How much of each a bench needs. */
typedef struct {
    size_t rows;  /* of the longest template, padded */
    size_t piece; /* columns */
    size_t line;  /* values */
    bool sparse;  /* some template may be swept so */
} bench_sizes;

static bench_sizes sizes_of(const simd_kernel *self)
{
    const size_t part = self->max_step < MOST_PART ? self->max_step : MOST_PART;
    bench_sizes sizes = {.piece = most_piece_columns(self->dim), .line = part};
    for (size_t j = 0; j < self->n_templates; j++) {
        const simd_template *own = &self->templates[j];
        const size_t rows = own->pad + own->length;
        if (rows > sizes.rows) sizes.rows = rows;
        sizes.sparse |= sparse_possible(own, self->dim);
    }
    return sizes;
}

static sigrep_status bench_init(simd_bench *bench, const simd_kernel *self,
                                const bench_sizes *sizes)
{
    /* Tiles store a column's row just before they load its next sample. Where both lie at the same
     * place of a page a processor may take one for the other: a third less. */
    enum { PAGE = 4096 / sizeof(vf) };
    const size_t apart = (sizes->piece * self->dim + PAGE - 1) / PAGE * PAGE + PAGE / 2;
    bench->y = aligned_calloc(apart + sizes->piece, sizeof(vf));
    bench->row = bench->y ? bench->y + apart : NULL;
    bench->line = aligned_calloc(sizes->line, sizeof(float));
    bench->column = aligned_calloc(sizes->rows, sizeof(float));
    bench->replaced = aligned_calloc(sizes->rows, sizeof(float));
    bench->least = aligned_calloc(self->n_templates, sizeof(vf));
    bool got = bench->y && bench->line && bench->column && bench->replaced && bench->least;
    for (size_t k = 0; k < 2 && sizes->sparse; k++) {
        bench->sparse[k] = aligned_calloc(1, sizeof *bench->sparse[k]);
        got = got && bench->sparse[k];
        for (size_t i = 0; got && i < SPARSE_INFINITE; i++)
            bench->sparse[k]->value[SPARSE_NOTHING + i] = INFINITY;
    }
    if (sizes->sparse && self->dim == 1) {
        bench->full = aligned_calloc(1, sizeof *bench->full);
        got = got && bench->full;
    }
    return got ? SIGREP_OK : SIGREP_NO_MEMORY;
}

static sigrep_status benches_init(simd_kernel *self)
{
    const bench_sizes sizes = sizes_of(self);
    self->benches = calloc(self->threads, sizeof *self->benches);
    if (!self->benches) return SIGREP_NO_MEMORY;
    for (size_t i = 0; i < self->threads; i++) {
        sigrep_status status = bench_init(&self->benches[i], self, &sizes);
        if (status) return status;
    }
    return SIGREP_OK;
}

static sigrep_status simd_create(void **kernel, const kernel_plan *plan)
{
    if (plan->max_step > INT32_MAX - 2 * STRIP_ROWS) return SIGREP_NO_MEMORY;
    simd_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    self->dim = plan->dim;
    self->max_step = plan->max_step;
    self->workers = plan->workers;
    self->threads = pool_threads(plan->workers);
    sigrep_status status = templates_init(self, plan);
    if (!status) status = benches_init(self);
    if (status) {
        simd_destroy(self);
        return status;
    }
    simd_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): an initialiser takes none. */
#define SIMD_OPS(NAME, USABLE)                                                                     \
    {                                                                                              \
        .name = NAME, .device = "cpu", .usable = USABLE, .chunk = simd_chunk,                      \
        .create = simd_create, .destroy = simd_destroy, .step = simd_step, .reset = simd_reset,    \
        .seek = simd_seek, .spacing = simd_spacing, .column = simd_column,                         \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
