/*
 * evaluate.c - the columns of a chunk on the device:
 *
 *     sweep all segments --> verify seams --> all hold: minima come with the publication
 *           ^                     |
 *           +---- repair <--------+ some failed: sweep their segments again
 */
#include <sched.h>

#include "kernels/cuda/host/cuda_kernel.h"

/* The sweep of one band, not yet cut into segments. */
static cuda_sweep sweep_of(const cuda_kernel *self, const cuda_template *own, size_t b,
                           cuda_extent e, bool scores)
{
    const cuda_band_rows band = cuda_plan_band(own->length, self->dim, b);
    const bool last = b + 1 == own->bands;
    uint64_t spacing = (uint64_t)1 << own->spacing_shift;
    return (cuda_sweep){.x = own->x + band.x_at,
                        .rows = (int)band.rows,
                        .dim = (int)self->dim,
                        .top = b ? self->between[(b - 1) % 2] : NULL,
                        .bottom = last ? NULL : self->between[b % 2],
                        .minima = last ? own->minima : NULL,
                        .scores = last && scores ? own->scores : NULL,
                        .carry = own->carry[self->turn] + band.row,
                        .carry_out = own->carry[!self->turn] + band.row,
                        .before = self->before,
                        .after = self->after,
                        .state_rows = (int)((band.rows + CUDA_UNIT - 1) / CUDA_UNIT * CUDA_UNIT),
                        .tickets = self->tickets,
                        .marks = self->marks,
                        .checkpoints = own->checkpoints + band.row,
                        .checkpoint_rows = (int)own->state_rows,
                        .checkpoint_shift = own->spacing_shift,
                        .checkpoint_first = self->carried / spacing,
                        .checkpoint_phase = (int)(self->carried % spacing),
                        .checkpoint_slots = (int)own->slots,
                        .first = e.first,
                        .end = e.end,
                        .n = e.n,
                        .carry_column = e.carry_column};
}

static cuda_launch launch_of(cuda_kernel *self, const cuda_job *job)
{
    return (cuda_launch){.items = self->items + job->first,
                         .host = self->host_items + job->first,
                         .n_items = job->n,
                         .y = self->dim > 1 ? self->turned : self->frames,
                         .bad = self->bad[0] + job->segments_before,
                         .n_bad = self->n_bad + 2 * (job - self->jobs),
                         .number = ++self->launches,
                         .stream = self->stream};
}

static cudaError_t run_sweeps(const cuda_launch *launch, int held)
{
    return launch->host->dim > 1 ? cuda_frames(launch, held) : cuda_samples(launch, held);
}

/* Sweep the segments after failed seams again from their predecessors' ends, all at once, until
 * every seam holds. Each round makes at least the first of them exact, so it ends. *too_short: it
 * would take too many rounds, since segments are too short to forget their start. */
static cudaError_t repair(cuda_kernel *self, const cuda_job *job, int n_bad, bool *too_short)
{
    enum { FEW = 8 }; /* seams that may go on failing, round after round */
    int *counters = self->n_bad + 2 * (job - self->jobs), at_first = n_bad;
    cudaError_t error = cudaSuccess;
    for (int round = 0; n_bad && !error; round++) {
        int now = round % 2, next = !now;
        *too_short = round && n_bad > at_first / 2 && n_bad > FEW;
        if (*too_short) return cudaSuccess;
        cuda_launch launch = launch_of(self, job);
        launch.seams = self->bad[now] + job->segments_before;
        launch.n_seams = counters + now;
        launch.most_seams = n_bad;
        launch.bad = self->bad[next] + job->segments_before;
        launch.n_bad = counters + next;
        error = cudaMemsetAsync(launch.n_bad, 0, sizeof *launch.n_bad, self->stream);
        if (!error) error = run_sweeps(&launch, job->held);
        if (!error)
            error = cudaMemcpyAsync(self->host_n_bad, launch.n_bad, sizeof *launch.n_bad,
                                    cudaMemcpyDeviceToHost, self->stream);
        if (!error) error = cudaStreamSynchronize(self->stream);
        n_bad = self->host_n_bad[0];
    }
    return error;
}

_Static_assert(sizeof(atomic_ullong) == sizeof(unsigned long long), "the device writes it plainly");

static bool is_published(const cuda_kernel *self)
{
    return atomic_load_explicit(self->published, memory_order_acquire) == self->publications;
}

/* Wait for the last publication, and so for all work before it on the stream. Its kernel may still
 * run, but writes no more. cudaStreamSynchronize returns some microseconds later, which is much for
 * a short chunk. A kernel that fails publishes nothing, so we query the stream now and then. */
static cudaError_t wait_for_publication(cuda_kernel *self)
{
    enum { POLLS = 1 << 13 }; /* some ten microseconds */
    cudaError_t error;
    do {
        for (int i = 0; i < POLLS; i++)
            if (is_published(self)) return cudaSuccess;
        error = cudaStreamQuery(self->stream);
        if (error == cudaErrorNotReady)
            cudaGetLastError(); /* clears it, or the next launch would return it */
        sched_yield();
    } while (error == cudaErrorNotReady);
    if (error) return error;
    return is_published(self) ? cudaSuccess : cudaErrorUnknown;
}

/* Read the counters of failed seams; the device is done then. `last`: if all seams hold, the chunk
 * is finished, so the minima come along and are set to +inf for the next one. */
static cudaError_t read_counters(cuda_kernel *self, bool last)
{
    cuda_answer *a = &self->answer;
    const cuda_publication p = {.counters = self->n_bad,
                                .host_counters = self->host_n_bad,
                                .n_counters = CUDA_COUNTERS,
                                .minima = last ? self->device_minima : NULL,
                                .stride = self->minima_stride,
                                .n_templates = self->n_templates,
                                .n = a->n,
                                .to = a->there,
                                .to_stride = a->stride,
                                .arrived = self->arrived,
                                .host_number = (void *)self->published,
                                .number = ++self->publications,
                                .stream = self->stream};
    cudaError_t error = cuda_publish(&p);
    if (!error) error = wait_for_publication(self);
    if (error || !last) return error;
    bool hold = true;
    for (int i = 0; i < CUDA_COUNTERS; i++) hold = hold && !self->host_n_bad[i];
    self->dirty = !hold;
    a->copied = hold;
    return cudaSuccess;
}

/* Sweep the jobs over host_items[0, n), verify and repair them; the counters are 0 before and
 * after. `last`: as for read_counters. Adds the seams that failed at first to *bad. */
static cudaError_t run_jobs(cuda_kernel *self, size_t n, bool last, size_t *bad, bool *too_short)
{
    int n_bad[CUDA_MAX_JOBS], all = 0;
    cudaError_t error = cudaSuccess;
    if (n > 1) /* a launch carries a single item itself */
        error = cudaMemcpyAsync(self->items, self->host_items, n * sizeof *self->items,
                                cudaMemcpyHostToDevice, self->stream);
    for (size_t i = 0; i < self->n_jobs && !error; i++) {
        cuda_launch launch = launch_of(self, &self->jobs[i]);
        error = run_sweeps(&launch, self->jobs[i].held);
    }
    if (!error) error = read_counters(self, last);
    if (error) return error;
    for (size_t i = 0; i < self->n_jobs; i++) all += n_bad[i] = self->host_n_bad[2 * i];
    for (size_t i = 0; i < self->n_jobs && !error && !*too_short; i++)
        error = repair(self, &self->jobs[i], n_bad[i], too_short);
    self->bad_seams += (size_t)all;
    *bad += (size_t)all;
    if (!error && all)
        error = cudaMemsetAsync(self->n_bad, 0, CUDA_COUNTERS * sizeof(int), self->stream);
    return error;
}

/* Sweep a template band after band. Each is verified before the next one, which needs the exact row
 * above. */
static cudaError_t run_bands(cuda_kernel *self, cuda_template *own, cuda_extent e, bool scores,
                             bool *too_short)
{
    cuda_sweep *item = self->host_items;
    size_t bad = 0;
    cudaError_t error = cudaSuccess;
    for (size_t b = 0; b < own->bands && !error && !*too_short; b++) {
        *item = sweep_of(self, own, b, e, scores);
        self->n_jobs = 1;
        self->jobs[0] = (cuda_job){.n = 1, .held = cuda_plan_cut(self, own, 1, item)};
        error = run_jobs(self, 1, false, &bad, too_short);
    }
    cuda_plan_learn(own, bad, *too_short ? item->length : 0);
    return error;
}

/* Make a job of the single-band templates that use this kernel; their items follow the first n.
 * Returns the number of items then. */
static size_t add_job(cuda_kernel *self, size_t n, int held, bool full)
{
    cuda_job job = {.first = (int)n, .held = held};
    for (size_t i = 0; i < self->n_jobs; i++) job.segments_before += self->jobs[i].segments;
    for (size_t j = 0; j < self->n_templates; j++) {
        const cuda_template *own = &self->templates[j];
        const cuda_sweep *cut = &own->cut;
        if (own->bands > 1 || own->held != held) continue;
        if (full != (cut->rows == cut->lanes * held)) continue;
        self->host_items[n] = *cut;
        self->host_items[n++].marks += job.segments_before + job.segments;
        job.segments += (size_t)cut->segments;
    }
    job.n = (int)n - job.first;
    if (job.n) self->jobs[self->n_jobs++] = job;
    return n;
}

/* Make the jobs of all single-band templates, one for each kernel. Returns the number of items. */
static size_t cut_together(cuda_kernel *self, cuda_extent e, bool scores)
{
    size_t together = 0, n = 0, at = 0;
    for (size_t j = 0; j < self->n_templates; j++) together += self->templates[j].bands == 1;
    for (size_t j = 0; j < self->n_templates; j++) {
        cuda_template *own = &self->templates[j];
        if (own->bands > 1) continue;
        own->cut = sweep_of(self, own, 0, e, scores);
        own->cut.before += at;
        own->cut.after += at;
        own->cut.tickets += at;
        at += cuda_plan_share(self, together);
        own->held = cuda_plan_cut(self, own, together, &own->cut);
    }
    self->n_jobs = 0;
    for (int i = 0, held; (held = cuda_held((int)self->dim, i)); i++) {
        n = add_job(self, n, held, true);
        n = add_job(self, n, held, false);
    }
    return n;
}

/* Sweep all single-band templates at once. */
static cudaError_t run_together(cuda_kernel *self, cuda_extent e, bool scores, bool *too_short)
{
    size_t n = cut_together(self, e, scores), bad = 0;
    if (!n) return cudaSuccess;
    const cudaError_t error = run_jobs(self, n, n == self->n_templates, &bad, too_short);
    for (size_t j = 0; j < self->n_templates; j++) {
        cuda_template *own = &self->templates[j];
        if (own->bands == 1) cuda_plan_learn(own, bad, *too_short ? own->cut.length : 0);
    }
    return error;
}

/* Sweep all templates. Exact on return, unless *too_short: then try again with longer segments. */
static cudaError_t evaluate_once(cuda_kernel *self, cuda_extent e, bool scores, bool *too_short)
{
    cudaError_t error = cudaSuccess;
    if (self->dirty)
        error = cuda_prepare(self->device_minima, self->n_templates * self->minima_stride,
                             self->n_bad, CUDA_COUNTERS, self->stream);
    self->dirty = true; /* until a publication has prepared them again */
    if (!error) error = run_together(self, e, scores, too_short);
    for (size_t j = 0; j < self->n_templates && !error && !*too_short; j++)
        if (self->templates[j].bands > 1)
            error = run_bands(self, &self->templates[j], e, scores, too_short);
    return error;
}

cudaError_t cuda_evaluate(cuda_kernel *self, cuda_extent e, bool scores)
{
    cudaError_t error;
    bool too_short;
    do {
        too_short = false;
        error = evaluate_once(self, e, scores, &too_short);
    } while (!error && too_short);
    return error;
}
