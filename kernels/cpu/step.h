/*
 * step_simd.h - a step, and its choice among the ways for each template: by segments
 * (seams_simd.h), sparsely (sparse_window_simd.h), plainly (adsm_simd.h).
 *
 *     dense     |- before --|- segments, some templates a task -|- after -|
 *     others    |- the whole window, in the task that does what is `after` -|
 */
#ifndef KERNELS_CPU_STEP_H
#define KERNELS_CPU_STEP_H

#include "kernels/cpu/dense/seams.h"

/* The very first frames of a stream: is it worth while to leave cells out? If not, they are swept
 * again with what follows. */
static void sweep_probe(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_kernel *self = sw->w->self;
    simd_template *own = &self->templates[sw->first + task];
    if (sparse_possible(own, self->dim))
        own->sparse = sparse_part_sweep(sw->w, own, &self->benches[worker], 0, SPARSE_LEAST,
                                        SPARSE_MOST_AT_FIRST);
}

/* Of dense templates. */
static void sweep_before_segments(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_kernel *self = sw->w->self;
    simd_template *own = &self->templates[sw->first + task];
    if (!is_apart(sw, own)) sweep_part(sw->w, own, &self->benches[worker], 0, sw->begin);
}

/* Columns that a segment has at least. */
static size_t least_columns(size_t length, size_t dim)
{
    return length * (dim > 1 ? LEAST_LENGTHS_OF_FRAMES : LEAST_LENGTHS);
}

/* The most groups that any window of a template is cut into: what it needs states for. */
static size_t most_groups(size_t length, size_t dim, size_t max_step, size_t threads)
{
    const size_t most = max_step / LANES, least = least_columns(length, dim);
    if (most / threads >= least) return threads;
    return most >= least ? 1 : 0;
}

/* Cut a window, from frame `from` on, for templates of one spacing: as many groups of segments as
 * there are threads, one, or none where the segments would be short. */
static void cut_segments(segment_sweep *sw, size_t from, size_t threads)
{
    const simd_kernel *self = sw->w->self;
    const size_t spacing = self->templates[sw->first].kept.spacing, n = sw->w->n;
    const size_t begin = from + (size_t)(-(self->position + from) % spacing);
    sw->begin = from;
    size_t longest = 0;
    unsigned back_off = 0;
    for (size_t j = sw->first; j < sw->last; j++) {
        if (self->templates[j].length > longest) longest = self->templates[j].length;
        if (self->templates[j].back_off > back_off) back_off = self->templates[j].back_off;
    }
    const size_t least = least_columns(longest, self->dim);
    const size_t groups[] = {threads, 1};
    for (size_t i = 0; i < 2 && begin < n && !back_off; i++) {
        const size_t length = (n - begin) / (groups[i] * LANES) / spacing * spacing;
        if (length < least || !length) continue;
        sw->begin = begin;
        sw->columns = length;
        sw->groups = groups[i];
        break;
    }
    const size_t count = sw->last - sw->first;
    const size_t shares = sw->groups ? threads / sw->groups : 1;
    sw->shares = shares < count ? shares : count;
}

/* What segments have left of the window, their seams first. */
static void sweep_after_segments(const segment_sweep *sw, simd_template *own, size_t worker)
{
    const simd_kernel *self = sw->w->self;
    simd_bench *bench = &self->benches[worker];
    const size_t end = sw->begin + sw->groups * LANES * sw->columns;
    if (sw->groups) {
        settle(sw, own, bench);
        memcpy(own->d + own->pad, columns_at(&own->kept, self->position + end),
               own->length * sizeof *own->d);
    }
    sweep_part(sw->w, own, bench, end, sw->w->n);
}

/* Frames from `from` on of the window of a sparse template, densely, by one thread. */
static void sweep_densely(const simd_window *w, simd_template *own, size_t from, size_t worker)
{
    const simd_kernel *self = w->self;
    const size_t index = (size_t)(own - self->templates);
    segment_sweep sw = {.w = w, .first = index, .last = index + 1, .remainder = true};
    cut_segments(&sw, from, 1);
    sweep_part(w, own, &self->benches[worker], from, sw.begin);
    if (sw.groups) {
        sweep_group(&sw, 0, worker);
        sw.again = true;
        sweep_group(&sw, 0, worker);
    }
    sweep_after_segments(&sw, own, worker);
}

/* A sparse template; of what had to be swept densely one sees whether the next window is worth a
 * try. */
static void sweep_pruned(const segment_sweep *sw, simd_template *own, size_t worker)
{
    const simd_window *w = sw->w;
    const uint64_t position = w->self->position;
    const size_t from = sw->probe ? SPARSE_LEAST : 0;
    simd_bench *bench = &w->self->benches[worker];
    const size_t at = sweep_sparse(w, own, bench, from);
    kept_say_rows(own, position + at, position + w->n, own->length);
    sweep_densely(w, own, at, worker);
    if (w->n - at >= SPARSE_LEAST) sparse_after_dense(own, position + at, position + w->n);
}

/* What comes last of each template: after segments, or all of the window. */
static void sweep_last(void *user, size_t task, size_t worker)
{
    const segment_sweep *sw = user;
    simd_kernel *self = sw->w->self;
    simd_template *own = &self->templates[sw->first + task];
    if (own->sparse) {
        sweep_pruned(sw, own, worker);
        return;
    }
    kept_say_rows(own, self->position, self->position + sw->w->n, own->length);
    sweep_after_segments(sw, own, worker);
    if (sparse_possible(own, self->dim))
        sparse_after_dense(own, self->position, self->position + sw->w->n);
}

static void sweep_window(const simd_window *w, size_t first, size_t last)
{
    simd_kernel *self = w->self;
    segment_sweep sw = {.w = w, .first = first, .last = last};
    sw.probe = !self->position && w->n >= SPARSE_LEAST;
    if (sw.probe) pool_run(self->workers, last - first, sweep_probe, &sw);
    cut_segments(&sw, 0, self->threads);
    if (sw.begin) pool_run(self->workers, last - first, sweep_before_segments, &sw);
    if (sw.groups) {
        pool_run(self->workers, sw.groups * sw.shares, sweep_group, &sw);
        sw.again = true;
        pool_run(self->workers, sw.groups * sw.shares, sweep_group, &sw);
    }
    pool_run(self->workers, last - first, sweep_last, &sw);
    for (size_t j = first; j < last; j++)
        if (!sw.groups && self->templates[j].back_off) self->templates[j].back_off--;
}

static sigrep_status simd_step(void *kernel, const float *frames, size_t n,
                               const kernel_output *out)
{
    simd_kernel *self = kernel;
    const simd_window w = {self, frames, n, out};
    for (size_t first = 0, last; first < self->n_templates; first = last) {
        const size_t spacing = self->templates[first].kept.spacing;
        for (last = first; last < self->n_templates; last++)
            if (self->templates[last].kept.spacing != spacing) break;
        sweep_window(&w, first, last);
    }
    self->position += n;
    return SIGREP_OK;
}

#endif
