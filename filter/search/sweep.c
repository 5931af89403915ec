/* sweep.c - frames through a sweep; see sweep.h. */
#include <stdlib.h>

#include "filter/search/search.h"
#include "filter/search/sweep_state.h"
#include "filter/search/swept_chunk.h"
#include "filter/status.h"
#include "kernels/pool.h"

/* Wait for the step that is behind, if one is. */
static void wait_behind(sweep *sw)
{
    if (sw->behind) pool_wait(sw->hand);
    sw->behind = false;
}

void sweep_reset(sweep *sw)
{
    wait_behind(sw);
    window_reset(&sw->frames);
    sw->prefetched = 0;
    sw->ops->reset(sw->kernel);
    fallback_reset(&sw->fallback);
    sw->from = sw->to = 0;
    sw->n_gaps = sw->n_next_gaps = 0;
    for (size_t j = 0; j < sw->n_templates; j++) search_reset(sw->searches[j].search);
}

size_t sweep_room(const sweep *sw)
{
    size_t appended = (size_t)(sw->frames.end - sw->to);
    return appended < sw->chunk ? sw->chunk - appended : 0;
}

/* What will be the next run is fetched by the device while it grows, some MiB at a time. */
static void prefetch(sweep *sw)
{
    enum { WORTH_OFFERING = 1 << 18 }; /* values */
    const size_t n = (size_t)(sw->frames.end - sw->to);
    const bool full = sweep_room(sw) == 0;
    if (!sw->hand || !sw->ops->prefetch) return;
    if (!full && (n - sw->prefetched) * sw->frames.dim < WORTH_OFFERING) return;
    sw->ops->prefetch->copy(sw->kernel, sw->to, window_at(&sw->frames, sw->to), n);
    sw->prefetched = n;
}

void sweep_append(sweep *sw, const float *frames, size_t n)
{
    window_append(&sw->frames, frames, n);
    prefetch(sw);
}

float *sweep_space(sweep *sw)
{
    return window_space(&sw->frames);
}

void sweep_filled(sweep *sw, size_t n)
{
    window_filled(&sw->frames, n);
    prefetch(sw);
}

void sweep_append_gap(sweep *sw)
{
    sw->next_gaps[sw->n_next_gaps++] = sw->frames.end;
    window_append(&sw->frames, sw->gap_frame, 1);
}

static void step_kernel(sweep *sw, const float *frames)
{
    sw->stepped = sw->ops->sweep(sw->kernel, frames, (size_t)(sw->to - sw->from), &sw->output);
}

static void step_behind(void *user, size_t task, size_t thread)
{
    sweep *sw = user;
    (void)task, (void)thread;
    step_kernel(sw, sw->at_work);
}

/* The fallback kernel instead, and the run again, into *out. Until it has worked nothing changes.
 */
static sigrep_status take_over(sweep *sw, sigrep_status failure, const kernel_output *out)
{
    void *kernel;
    const kernel_ops *ops = sw->fallback.ops;
    sigrep_status status = fallback_take_over(&sw->fallback, &kernel, &sw->frames, sw->from, out);
    if (!status)
        status =
            ops->sweep(kernel, window_at(&sw->frames, sw->from), (size_t)(sw->to - sw->from), out);
    if (status) {
        if (kernel) ops->destroy(kernel);
        return status;
    }
    sw->ops->destroy(sw->kernel);
    sw->kernel = kernel;
    sw->ops = ops;
    sw->failure = failure;
    fallback_free(&sw->fallback);
    return SIGREP_OK;
}

/* What the searches ask for a column. One that cannot be had any more comes from the fallback
 * kernel; the minima, which other searches may be reading, are right as they are. */
static sigrep_status read_column(void *user, size_t index, uint64_t position, float *d)
{
    sweep *sw = user;
    pthread_mutex_lock(&sw->column_lock);
    sigrep_status status = sw->ops->checkpoint(sw->kernel, index, position, d);
    if (status_is_device_failure(status) && sw->fallback.ops) {
        const size_t stride = sw->output.minima_stride;
        float *unwanted = calloc(sw->n_templates, stride * sizeof *unwanted);
        const kernel_output out = {.minima = unwanted, .minima_stride = stride};
        status = unwanted ? take_over(sw, status, &out) : SIGREP_NO_MEMORY;
        free(unwanted);
        if (!status) status = sw->ops->checkpoint(sw->kernel, index, position, d);
    }
    pthread_mutex_unlock(&sw->column_lock);
    return status;
}

/* What the searches need to know of the last run. */
static swept_chunk step_of(sweep *sw, size_t index)
{
    return (swept_chunk){.frames = &sw->frames,
                         .checkpoint = sw->guarded ? read_column : sw->ops->checkpoint,
                         .source = sw->guarded ? sw : sw->kernel,
                         .from = sw->from,
                         .to = sw->to,
                         .gaps = sw->gaps,
                         .n_gaps = sw->n_gaps,
                         .minima = sw->output.minima + index * sw->output.minima_stride};
}

static void step_one(void *user, size_t j, size_t thread)
{
    (void)thread;
    sweep *sw = user;
    const swept_chunk in = step_of(sw, j);
    sw->searches[j].status = search_chunk(sw->searches[j].search, &in, &sw->searches[j].matches);
}

static void finish_one(void *user, size_t j, size_t thread)
{
    (void)thread;
    sweep *sw = user;
    const swept_chunk in = step_of(sw, j);
    sw->searches[j].status = search_finish(sw->searches[j].search, &in, &sw->searches[j].matches);
}

enum { WORTH_THREADS = 1 << 18 }; /* cells of a step that outweigh waking them */

/* All searches, on the threads there are; what they find goes to *out in their order. */
static sigrep_status run_searches(sweep *sw, pool_task *task, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    bool worth_it = (sw->to - sw->from) * sw->cells_a_frame >= WORTH_THREADS;
    pool_run(worth_it ? sw->workers : NULL, sw->n_templates, task, sw);
    for (size_t j = 0; j < sw->n_templates; j++) {
        template_search *one = &sw->searches[j];
        if (!status) status = one->status;
        for (size_t i = 0; i < one->matches.n && !status; i++)
            status = match_list_add(out, &one->matches.items[i]);
        one->matches.n = 0;
    }
    return status;
}

/* The frames that searches may look back to from a run that begins at `position`. */
static uint64_t oldest_of(const sweep *sw, uint64_t position)
{
    return position > sw->overlap ? position - sw->overlap : 0;
}

/* What was appended becomes the run. The next chunk is appended without a move of it, so that its
 * frames stay where they are while the kernel is at work. */
static void take_run(sweep *sw)
{
    window_reserve(&sw->frames, oldest_of(sw, sw->to), oldest_of(sw, sw->frames.end), sw->chunk);
    uint64_t *gaps = sw->gaps;
    sw->from = sw->to;
    sw->to = sw->frames.end;
    sw->cells += (sw->to - sw->from) * sw->cells_a_frame;
    sw->gaps = sw->next_gaps;
    sw->next_gaps = gaps;
    sw->n_gaps = sw->n_next_gaps;
    sw->n_next_gaps = 0;
    sw->prefetched = 0;
}

/* Where the status is a device's failure, the fallback kernel, if there is one, takes over. */
static sigrep_status rescue(sweep *sw, sigrep_status status)
{
    return status_is_device_failure(status) && sw->fallback.ops ? take_over(sw, status, &sw->output)
                                                                : status;
}

/* The step is done: search. */
static sigrep_status conclude(sweep *sw, match_list *out)
{
    sigrep_status status = rescue(sw, sw->stepped);
    if (!status) status = run_searches(sw, step_one, out);
    return status;
}

/* Before the next run: all that the last one was for is done, so the fallback kernel may move on.
 */
static sigrep_status prepare(sweep *sw)
{
    sigrep_status status = SIGREP_OK;
    if (sw->fallback.ops && sw->to > sw->from)
        status = rescue(sw, fallback_store(&sw->fallback, sw->ops, sw->kernel, sw->from, sw->to));
    if (!status) take_run(sw);
    return status;
}

sigrep_status sweep_run(sweep *sw, match_list *out)
{
    if (sw->frames.end == sw->to) return SIGREP_OK;
    sigrep_status status = prepare(sw);
    if (status) return status;
    step_kernel(sw, window_at(&sw->frames, sw->from));
    return conclude(sw, out);
}

sigrep_status sweep_begin(sweep *sw)
{
    sigrep_status status = prepare(sw);
    if (status) return status;
    sw->at_work = window_at(&sw->frames, sw->from);
    sw->behind = true;
    pool_start(sw->hand, 1, step_behind, sw);
    return SIGREP_OK;
}

sigrep_status sweep_end(sweep *sw, match_list *out)
{
    wait_behind(sw);
    return conclude(sw, out);
}

bool sweep_is_running(const sweep *sw)
{
    return sw->behind;
}

sigrep_status sweep_finish(sweep *sw, match_list *out)
{
    return run_searches(sw, finish_one, out);
}

uint64_t sweep_from(const sweep *sw)
{
    return sw->from;
}

uint64_t sweep_to(const sweep *sw)
{
    return sw->to;
}

const uint64_t *sweep_gaps(const sweep *sw, size_t *n)
{
    *n = sw->n_gaps;
    return sw->gaps;
}

const float *sweep_scores(const sweep *sw, size_t index)
{
    return sw->output.scores + index * sw->chunk;
}

uint64_t sweep_pending_since(const sweep *sw, size_t index)
{
    return search_pending_since(sw->searches[index].search);
}

sigrep_status sweep_failure(const sweep *sw)
{
    return sw->failure;
}

const kernel_ops *sweep_kernel(const sweep *sw)
{
    return sw->ops;
}

uint64_t sweep_cells(const sweep *sw)
{
    return sw->cells;
}

uint64_t sweep_cells_traced(const sweep *sw)
{
    uint64_t cells = 0;
    for (size_t j = 0; j < sw->n_templates; j++)
        cells += search_cells_traced(sw->searches[j].search);
    return cells;
}
