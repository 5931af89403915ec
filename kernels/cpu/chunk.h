/*
 * chunk.h - one chunk of all templates: kernel_ops.sweep. Each template is swept in one of two
 * ways.
 *
 *     tasks     probe           before segments   segments, two passes   last task
 *     dense     first frames    plain             first pass, verify     repair, then plain
 *     sparse    first frames                                             panels, the rest densely
 *
 * Only at the beginning of a stream does a task probe whether to sweep sparsely. Templates of one
 * spacing are cut alike, so they share the gathered samples. The pool runs a task for each
 * template, and for segments a task for each group.
 *
 * Needs: state/simd_kernel.h, dense/, sparse/, pool.h. Gives: simd_sweep.
 */
#ifndef KERNELS_CPU_CHUNK_H
#define KERNELS_CPU_CHUNK_H

#include "kernels/cpu/state/simd_kernel.h"
#include "kernels/pool.h"

/* ---- tasks: one template each ---- */

static simd_template *task_template(const segment_sweep *sw, size_t task)
{
    return &sw->chunk->self->templates[sw->first + task];
}

/* Sweep the first frames of a stream sparsely. If that costs too much, the template is dense, and
 * its other tasks sweep these frames again. */
static void probe_task(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_kernel *self = sw->chunk->self;
    simd_template *tmpl = task_template(sw, task);
    if (can_be_sparse(tmpl, self->dim))
        tmpl->sparse = panel_try(sw->chunk, tmpl, &self->scratch[worker], 0, SPARSE_MIN);
}

/* Sweep a dense template's frames before the segments. */
static void before_segments_task(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_template *tmpl = task_template(sw, task);
    if (tmpl->sparse) return;
    sweep_plain(sw->chunk, tmpl, &sw->chunk->self->scratch[worker], 0, sw->begin);
}

/* Repair a dense template's seams, then sweep its frames after the segments. */
static void sweep_after_segments(const segment_sweep *sw, simd_template *tmpl, size_t worker)
{
    const simd_kernel *self = sw->chunk->self;
    simd_scratch *scratch = &self->scratch[worker];
    const size_t end = sw->begin + sw->groups * LANES * sw->columns;
    if (sw->groups) {
        repair_seams(sw, tmpl, scratch);
        memcpy(tmpl->d + tmpl->pad, checkpoint_at(&tmpl->checkpoints, self->position + end),
               tmpl->length * sizeof *tmpl->d);
    }
    sweep_plain(sw->chunk, tmpl, scratch, end, sw->chunk->n);
}

/* Sweep the frames from `from` on densely, in this task alone. */
static void sweep_remainder(const simd_chunk *chunk, simd_template *tmpl, size_t from,
                            size_t worker)
{
    const simd_kernel *self = chunk->self;
    const size_t index = (size_t)(tmpl - self->templates);
    segment_sweep sw = {.chunk = chunk, .first = index, .last = index + 1};
    cut_segments(&sw, from, 1);
    sweep_plain(chunk, tmpl, &self->scratch[worker], from, sw.begin);
    if (sw.groups) {
        sweep_group(&sw, 0, worker);
        sw.verify = true;
        sweep_group(&sw, 0, worker);
    }
    sweep_after_segments(&sw, tmpl, worker);
}

/* The last task of each template. A sparse template is swept sparsely as far as that pays, then
 * densely; a dense one from its last segment on. */
static void last_task(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    const simd_kernel *self = sw->chunk->self;
    const size_t n = sw->chunk->n;
    simd_template *tmpl = task_template(sw, task);
    size_t from = 0;
    if (tmpl->sparse)
        from = sweep_sparse(sw->chunk, tmpl, &self->scratch[worker], sw->probed ? SPARSE_MIN : 0);
    set_active_to(tmpl, self->position + from, self->position + n, tmpl->length);
    if (tmpl->sparse) {
        tmpl->sparse = false; /* for sweep_group */
        sweep_remainder(sw->chunk, tmpl, from, worker);
    } else {
        sweep_after_segments(sw, tmpl, worker);
    }
    if (can_be_sparse(tmpl, self->dim)) decide_after_dense(tmpl, n - from);
}

/* ---- all templates ---- */

/* Sweep templates [first, last), which share a spacing. */
static void sweep_templates(const simd_chunk *chunk, size_t first, size_t last)
{
    simd_kernel *self = chunk->self;
    segment_sweep sw = {.chunk = chunk, .first = first, .last = last};
    sw.probed = !self->position && chunk->n >= SPARSE_MIN;
    if (sw.probed) pool_run(self->workers, last - first, probe_task, &sw);
    cut_segments(&sw, 0, self->threads);
    if (sw.begin) pool_run(self->workers, last - first, before_segments_task, &sw);
    if (sw.groups) {
        pool_run(self->workers, sw.groups * sw.shares, sweep_group, &sw);
        sw.verify = true;
        pool_run(self->workers, sw.groups * sw.shares, sweep_group, &sw);
    }
    pool_run(self->workers, last - first, last_task, &sw);
    for (size_t j = first; j < last; j++)
        if (!sw.groups && self->templates[j].back_off) self->templates[j].back_off--;
}

static sigrep_status simd_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out)
{
    simd_kernel *self = kernel;
    const simd_chunk chunk = {self, frames, n, out};
    for (size_t first = 0, last; first < self->n_templates; first = last) {
        const size_t spacing = self->templates[first].checkpoints.spacing;
        for (last = first; last < self->n_templates; last++)
            if (self->templates[last].checkpoints.spacing != spacing) break;
        sweep_templates(&chunk, first, last);
    }
    self->position += n;
    return SIGREP_OK;
}

#endif
