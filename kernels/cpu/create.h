/*
 * create.h - create, reset and destroy a vector kernel; go on from given columns; read checkpoints.
 *
 * Nothing allocates after simd_create. The caller destroys the kernel.
 *
 * Needs: state/simd_kernel.h, pool.h, dense/, sparse/. Gives: all of kernel_ops but the sweep.
 */
#ifndef KERNELS_CPU_CREATE_H
#define KERNELS_CPU_CREATE_H

#include <stdlib.h>

#include "kernels/cpu/state/simd_kernel.h"
#include "kernels/pool.h"

/* ---- position and columns ---- */

static void simd_reset(void *kernel)
{
    simd_kernel *self = kernel;
    self->position = 0;
    for (size_t j = 0; j < self->n_templates; j++) {
        simd_template *tmpl = &self->templates[j];
        for (size_t i = 0; i < tmpl->length; i++) tmpl->d[tmpl->pad + i] = INFINITY;
        tmpl->back_off = 0;
        credit_reset(tmpl);
    }
}

/* Templates are ordered by spacing; `index` is that of the plan. */
static const simd_template *template_at(const simd_kernel *self, size_t index)
{
    const simd_template *tmpl = self->templates;
    while (tmpl->index != index) tmpl++;
    return tmpl;
}

static sigrep_status simd_seek(void *kernel, uint64_t position, const float *given)
{
    simd_kernel *self = kernel;
    simd_reset(self);
    self->position = position;
    for (size_t j = 0; j < self->n_templates; j++) {
        const simd_template *tmpl = template_at(self, j);
        const size_t bytes = tmpl->length * sizeof *tmpl->d;
        memcpy(tmpl->d + tmpl->pad, given, bytes);
        memcpy(checkpoint_at(&tmpl->checkpoints, position), tmpl->d + tmpl->pad, bytes);
        if (tmpl->active_to)
            tmpl->active_to[checkpoint_slot(&tmpl->checkpoints, position)] = (uint32_t)tmpl->length;
        given += tmpl->length;
    }
    return SIGREP_OK;
}

static size_t simd_spacing(const void *kernel, size_t index)
{
    return template_at(kernel, index)->checkpoints.spacing;
}

static sigrep_status simd_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    const simd_template *tmpl = template_at(kernel, index);
    memcpy(d, checkpoint_at(&tmpl->checkpoints, position), tmpl->length * sizeof *d);
    return SIGREP_OK;
}

/* Frames of 32 template lengths in a segment: a seam costs one or two. */
static size_t simd_chunk_size(const kernel_plan *plan)
{
    const size_t segments = LANES * pool_threads(plan->workers);
    return chunk_size(plan, 32 * segments, segments);
}

/* ---- memory ---- */

/* Zeroed memory of whole vectors, aligned as they are. */
static void *aligned_calloc(size_t count, size_t size)
{
    if (count > (SIZE_MAX - LANES * sizeof(float)) / size) return NULL;
    const size_t bytes = (count * size + sizeof(vf) - 1) / sizeof(vf) * sizeof(vf);
    void *p = aligned_alloc(sizeof(vf), bytes ? bytes : sizeof(vf));
    if (p) memset(p, 0, bytes);
    return p;
}

static void simd_destroy(void *kernel)
{
    simd_kernel *self = kernel;
    if (!self) return;
    for (size_t j = 0; j < self->n_templates; j++) {
        simd_template *tmpl = &self->templates[j];
        free(tmpl->x);
        free(tmpl->planes);
        free(tmpl->d);
        checkpoints_free(&tmpl->checkpoints);
        free(tmpl->states);
        free(tmpl->active_to);
        free(tmpl->unverified);
    }
    for (size_t i = 0; self->scratch && i < self->threads; i++) {
        simd_scratch *scratch = &self->scratch[i];
        free(scratch->y);
        free(scratch->line);
        free(scratch->column);
        free(scratch->before);
        free(scratch->lowest);
        free(scratch->sparse[0]);
        free(scratch->sparse[1]);
        free(scratch->layer_scratch);
    }
    free(self->scratch);
    free(self);
}

/* ---- templates ---- */

/* Copy a template, laid out for tiles and in planes. */
static void copy_frames(simd_template *tmpl, const float *frames, size_t dim)
{
    const size_t rows = tmpl->pad + tmpl->length;
    for (size_t i = 0; i < tmpl->length; i++)
        for (size_t k = 0; k < dim; k++) {
            const float value = frames[i * dim + k];
            tmpl->planes[k * rows + tmpl->pad + i] = value;
            tmpl->x[tile_row_at(i, dim) + k * TILE_ROWS_OF_FRAMES] = value;
        }
}

static sigrep_status template_init(simd_template *tmpl, const kernel_template *x, size_t index,
                                   const kernel_plan *plan, size_t threads)
{
    const size_t groups = max_groups(x->length, plan->dim, plan->max_chunk, threads);
    const size_t blocks = (x->length + TILE_ROWS_OF_FRAMES - 1) / TILE_ROWS_OF_FRAMES;
    const size_t pad = (LANES - x->length % LANES) % LANES, rows = pad + x->length;
    *tmpl = (simd_template){.index = index, .length = x->length, .pad = pad, .eps = x->eps};
    sigrep_status status =
        checkpoints_create(&tmpl->checkpoints, x->length, x->history, plan->max_chunk);
    if (status) return status;
    tmpl->x = aligned_calloc(blocks, TILE_ROWS_OF_FRAMES * plan->dim * sizeof *tmpl->x);
    tmpl->planes = aligned_calloc(rows, plan->dim * sizeof *tmpl->planes);
    tmpl->d = aligned_calloc(rows, sizeof *tmpl->d);
    tmpl->states = aligned_calloc(groups * (x->length + LANES), sizeof *tmpl->states);
    tmpl->unverified = calloc(threads * LANES, sizeof *tmpl->unverified);
    if (!tmpl->x || !tmpl->planes || !tmpl->d || !tmpl->states || !tmpl->unverified)
        return SIGREP_NO_MEMORY;
    if (can_be_sparse(tmpl, plan->dim)) {
        const size_t slots = tmpl->checkpoints.slots;
        tmpl->active_to = calloc(slots, sizeof *tmpl->active_to);
        if (!tmpl->active_to) return SIGREP_NO_MEMORY;
        for (size_t i = 0; i < slots; i++) tmpl->active_to[i] = (uint32_t)tmpl->length;
    }
    copy_frames(tmpl, x->frames, plan->dim);
    return SIGREP_OK;
}

/* Order templates by spacing, so that those of one spacing share the gathered samples. */
static sigrep_status templates_init(simd_kernel *self, const kernel_plan *plan)
{
    size_t done = 0;
    for (size_t spacing = KERNEL_BLOCK; done < plan->n_templates; spacing *= 2)
        for (size_t j = 0; j < plan->n_templates; j++) {
            const kernel_template *x = &plan->templates[j];
            if (checkpoint_spacing(x->history) != spacing) continue;
            self->n_templates = done + 1;
            sigrep_status status =
                template_init(&self->templates[done++], x, j, plan, self->threads);
            if (status) return status;
        }
    return SIGREP_OK;
}

/* ---- scratch ---- */

typedef struct {
    size_t rows;    /* of the longest template, padded */
    size_t columns; /* of the widest tile */
    size_t line;    /* floats */
    bool sparse;    /* some template can be sparse */
} scratch_sizes;

static scratch_sizes sizes_of(const simd_kernel *self)
{
    scratch_sizes sizes = {.columns = max_tile_columns(self->dim),
                           .line = self->max_chunk < MAX_LINE ? self->max_chunk : MAX_LINE};
    for (size_t j = 0; j < self->n_templates; j++) {
        const simd_template *tmpl = &self->templates[j];
        const size_t rows = tmpl->pad + tmpl->length;
        if (rows > sizes.rows) sizes.rows = rows;
        sizes.sparse |= can_be_sparse(tmpl, self->dim);
    }
    return sizes;
}

static bool sparse_scratch_init(simd_scratch *scratch)
{
    for (size_t k = 0; k < 2; k++) {
        scratch->sparse[k] = aligned_calloc(1, sizeof *scratch->sparse[k]);
        if (!scratch->sparse[k]) return false;
        for (size_t i = 0; i < INFINITE_COLUMNS; i++)
            scratch->sparse[k]->value[INFINITE_AT + i] = INFINITY;
    }
    scratch->layer_scratch = aligned_calloc(1, sizeof *scratch->layer_scratch);
    return scratch->layer_scratch != NULL;
}

static sigrep_status scratch_init(simd_scratch *scratch, const simd_kernel *self,
                                  const scratch_sizes *sizes)
{
    /* Tiles store a row of a column just before they load the next sample. If both addresses had
     * the same offset in a page, the load would wait for the store, as if it read what is stored.
     * That costs a third of the speed, so `row` begins half a page later than `y`. */
    enum { PAGE = 4096 / sizeof(vf) };
    const size_t apart = (sizes->columns * self->dim + PAGE - 1) / PAGE * PAGE + PAGE / 2;
    scratch->y = aligned_calloc(apart + sizes->columns, sizeof(vf));
    scratch->row = scratch->y ? scratch->y + apart : NULL;
    scratch->line = aligned_calloc(sizes->line, sizeof(float));
    scratch->column = aligned_calloc(sizes->rows, sizeof(float));
    scratch->before = aligned_calloc(sizes->rows, sizeof(float));
    scratch->lowest = aligned_calloc(self->n_templates, sizeof(vf));
    if (!scratch->y || !scratch->line || !scratch->column || !scratch->before || !scratch->lowest)
        return SIGREP_NO_MEMORY;
    if (sizes->sparse && !sparse_scratch_init(scratch)) return SIGREP_NO_MEMORY;
    return SIGREP_OK;
}

static sigrep_status scratches_init(simd_kernel *self)
{
    const scratch_sizes sizes = sizes_of(self);
    self->scratch = calloc(self->threads, sizeof *self->scratch);
    if (!self->scratch) return SIGREP_NO_MEMORY;
    for (size_t i = 0; i < self->threads; i++) {
        sigrep_status status = scratch_init(&self->scratch[i], self, &sizes);
        if (status) return status;
    }
    return SIGREP_OK;
}

/* ---- the kernel ---- */

static sigrep_status simd_create(void **kernel, const kernel_plan *plan)
{
    if (plan->max_chunk > INT32_MAX - 2 * DIAGONAL_ROWS) return SIGREP_NO_MEMORY;
    simd_kernel *self = calloc(1, sizeof *self + plan->n_templates * sizeof *self->templates);
    if (!self) return SIGREP_NO_MEMORY;
    self->dim = plan->dim;
    self->max_chunk = plan->max_chunk;
    self->workers = plan->workers;
    self->threads = pool_threads(plan->workers);
    sigrep_status status = templates_init(self, plan);
    if (!status) status = scratches_init(self);
    if (status) {
        simd_destroy(self);
        return status;
    }
    simd_reset(self);
    *kernel = self;
    return SIGREP_OK;
}

#endif
