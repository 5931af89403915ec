/* searches.c - chunk after chunk through the kernel and all searches; see searches.h. */
#include "filter/search/searches.h"

#include <math.h>
#include <stdlib.h>

#include "filter/search/cursor.h"
#include "filter/search/search.h"
#include "filter/state/state.h"
#include "filter/status.h"
#include "kernels/pinnable.h"
#include "kernels/pool.h"

static sigrep_status create_seam(template_search *one, const float *x, size_t length, size_t dim)
{
    one->seam = calloc(1, sizeof *one->seam);
    return one->seam ? score_seam_create(one->seam, x, length, dim) : SIGREP_NO_MEMORY;
}

static sigrep_status create_searches(searches *all, const searches_plan *plan)
{
    for (size_t j = 0; j < plan->n_templates; j++) {
        const template *x = &plan->templates[j];
        all->n_templates = j + 1;
        all->cells_a_frame += x->length;
        search **one = &all->searches[j].search;
        sigrep_status status =
            plan->normalises ? search_create_zmatch(one, j, x->frames, x->length, plan->band,
                                                    x->gate, plan->lowest_only)
                             : search_create(one, j, x->frames, x->length, plan->dim, x->gate,
                                             plan->lowest_only, all->ops->spacing(all->kernel, j));
        if (!status && plan->want_scores && !plan->normalises)
            status = create_seam(&all->searches[j], x->frames, x->length, plan->dim);
        if (status) return status;
    }
    return SIGREP_OK;
}

/* The kernel's plan; the caller frees its templates. */
static sigrep_status make_plan(kernel_plan *made, const searches_plan *plan)
{
    kernel_template *templates = calloc(plan->n_templates, sizeof *templates);
    if (!templates) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        const template *x = &plan->templates[j];
        bool exact_above = plan->lowest_only || plan->want_scores;
        templates[j] = (kernel_template){.frames = x->frames,
                                         .length = x->length,
                                         .eps = exact_above ? INFINITY : x->gate.eps,
                                         .history = (size_t)x->gate.length_max};
    }
    *made = (kernel_plan){.templates = templates,
                          .n_templates = plan->n_templates,
                          .dim = plan->dim,
                          .max_chunk = plan->chunk,
                          .workers = plan->workers,
                          .scores = plan->want_scores,
                          .pins = true,
                          .device = plan->device};
    return SIGREP_OK;
}

size_t searches_best_chunk(const searches_plan *plan)
{
    kernel_plan made;
    if (make_plan(&made, plan)) return 0;
    const size_t chunk = plan->ops->best_chunk(&made);
    free((void *)made.templates);
    return chunk;
}

/* Frames before a chunk that some search may read again. */
static size_t overlap_of(const searches *all)
{
    size_t overlap = 0;
    for (size_t j = 0; j < all->n_templates; j++) {
        size_t own = search_overlap(all->searches[j].search);
        if (own > overlap) overlap = own;
    }
    return overlap;
}

static sigrep_status create_kernel(searches *all, const searches_plan *plan)
{
    kernel_plan made;
    sigrep_status status = make_plan(&made, plan);
    if (status) return status;
    status = plan->ops->create(&all->kernel, &made);
    if (!status) status = create_searches(all, plan);
    if (!status && plan->fallback)
        status = fallback_create(&all->fallback, plan->fallback, plan->ops, all->kernel, &made,
                                 overlap_of(all));
    if (!status && plan->background) status = pool_create(&all->background, 2);
    free((void *)made.templates);
    return status;
}

/* Pin the memory that the device reads and writes by itself. */
static sigrep_status pin(const searches *all)
{
    const window *w = &all->frames;
    if (!all->ops->prefetch) return SIGREP_OK;
    const sigrep_status status =
        all->ops->prefetch->pin(all->kernel, w->frames, 2 * w->capacity * w->dim);
    if (status) return status;
    return all->ops->prefetch->pin(all->kernel, all->output.minima,
                                   all->n_templates * all->output.minima_stride);
}

static sigrep_status create_buffers(searches *all, const searches_plan *plan)
{
    all->overlap = overlap_of(all) + fallback_reach(&all->fallback);
    if (all->overlap < plan->keep) all->overlap = plan->keep;
    const size_t at_work = all->background ? plan->chunk : 0; /* of the chunk that is swept */
    size_t stride = kernel_max_blocks(plan->chunk);
    if (stride > SIZE_MAX / sizeof(float) / plan->n_templates) return SIGREP_NO_MEMORY;
    all->output.minima_stride = stride;
    all->output.minima = pinnable_allocate(plan->n_templates * stride);
    if (plan->want_scores)
        all->output.scores = calloc(plan->n_templates, plan->chunk * sizeof(float));
    all->gaps = calloc(plan->chunk, sizeof *all->gaps);
    all->next_gaps = calloc(plan->chunk, sizeof *all->next_gaps);
    all->gap_frame = calloc(plan->dim, sizeof *all->gap_frame);
    if (!all->output.minima || (plan->want_scores && !all->output.scores)) return SIGREP_NO_MEMORY;
    if (!all->gaps || !all->next_gaps || !all->gap_frame) return SIGREP_NO_MEMORY;
    for (size_t k = 0; k < plan->dim; k++) all->gap_frame[k] = INFINITY;
    sigrep_status status =
        window_create(&all->frames, plan->dim, all->overlap + at_work, plan->chunk);
    return status ? status : pin(all);
}

sigrep_status searches_create(searches **out, const searches_plan *plan)
{
    *out = NULL;
    searches *all = calloc(1, sizeof *all + plan->n_templates * sizeof *all->searches);
    if (!all) return SIGREP_NO_MEMORY;
    all->ops = plan->ops;
    all->chunk = plan->chunk;
    all->workers = plan->workers;
    all->stop = plan->stop;
    all->stop.work = STOPPING_WORK / plan->n_templates;
    all->guarded = plan->fallback != NULL;
    pthread_mutex_init(&all->checkpoint_lock, NULL);
    sigrep_status status = create_kernel(all, plan);
    if (!status) status = create_buffers(all, plan);
    if (status) {
        searches_destroy(all);
        return status;
    }
    *out = all;
    return SIGREP_OK;
}

void searches_destroy(searches *all)
{
    if (!all) return;
    if (all->is_running && all->background) pool_wait(all->background);
    pool_destroy(all->background);
    fallback_free(&all->fallback);
    for (size_t j = 0; j < all->n_templates; j++) {
        search_destroy(all->searches[j].search);
        if (all->searches[j].seam) score_seam_free(all->searches[j].seam);
        free(all->searches[j].seam);
        match_list_free(&all->searches[j].matches);
    }
    if (all->kernel) all->ops->destroy(all->kernel);
    window_free(&all->frames);
    free(all->output.minima);
    free(all->output.scores);
    free(all->gaps);
    free(all->next_gaps);
    free(all->gap_frame);
    pthread_mutex_destroy(&all->checkpoint_lock);
    free(all);
}

static void wait_for_kernel(searches *all)
{
    if (all->is_running && all->background) pool_wait(all->background);
    all->is_running = false;
}

/* Begin a new stream at frame `base`. */
static void begin_at(searches *all, uint64_t base)
{
    wait_for_kernel(all);
    all->base = base;
    window_reset(&all->frames, base);
    all->prefetched = 0;
    all->ops->reset(all->kernel);
    fallback_reset(&all->fallback, base);
    all->from = all->to = base;
    all->n_gaps = all->n_next_gaps = 0;
}

void searches_reset(searches *all)
{
    begin_at(all, 0);
    for (size_t j = 0; j < all->n_templates; j++) {
        search_reset(all->searches[j].search);
        all->searches[j].matches.n = 0;
        if (all->searches[j].seam) score_seam_reset(all->searches[j].seam);
    }
}

size_t searches_room(const searches *all)
{
    size_t appended = (size_t)(all->frames.end - all->to);
    return appended < all->chunk ? all->chunk - appended : 0;
}

/* The device copies the next chunk while it grows, some MiB at a time. */
static void prefetch(searches *all)
{
    enum { WORTH_PREFETCHING = 1 << 18 }; /* values */
    const size_t n = (size_t)(all->frames.end - all->to);
    const bool full = searches_room(all) == 0;
    if (!all->background || !all->ops->prefetch) return;
    if (!full && (n - all->prefetched) * all->frames.dim < WORTH_PREFETCHING) return;
    all->ops->prefetch->copy(all->kernel, all->to - all->base, window_at(&all->frames, all->to), n);
    all->prefetched = n;
}

void searches_append(searches *all, const float *frames, size_t n)
{
    window_append(&all->frames, frames, n);
    prefetch(all);
}

float *searches_space(searches *all)
{
    return window_space(&all->frames);
}

void searches_filled(searches *all, size_t n)
{
    window_filled(&all->frames, n);
    prefetch(all);
}

void searches_append_gap(searches *all)
{
    all->next_gaps[all->n_next_gaps++] = all->frames.end;
    window_append(&all->frames, all->gap_frame, 1);
}

static void sweep_chunk(searches *all, const float *frames)
{
    const size_t n = (size_t)(all->to - all->from);
    all->swept = all->ops->sweep(all->kernel, frames, n, &all->output);
}

static void sweep_in_background(void *user, size_t task, size_t thread)
{
    searches *all = user;
    (void)task, (void)thread;
    sweep_chunk(all, all->at_work);
}

/* Sweep the chunk again, into *out, by the fallback kernel. Nothing changes until that has worked.
 */
static sigrep_status take_over(searches *all, sigrep_status failure, const kernel_output *out)
{
    void *kernel;
    const kernel_ops *ops = all->fallback.ops;
    const float *frames = window_at(&all->frames, all->from);
    sigrep_status status =
        fallback_take_over(&all->fallback, &kernel, &all->frames, all->from - all->base, out);
    if (!status) status = ops->sweep(kernel, frames, (size_t)(all->to - all->from), out);
    if (status) {
        if (kernel) ops->destroy(kernel);
        return status;
    }
    all->ops->destroy(all->kernel);
    all->kernel = kernel;
    all->ops = ops;
    all->failure = failure;
    fallback_free(&all->fallback);
    return SIGREP_OK;
}

/* A checkpoint for a search. If the device has lost it, the fallback kernel gives it. The minima
 * are right as they are, and other searches may be reading them, so they stay. */
static sigrep_status read_checkpoint(void *user, size_t index, uint64_t position, float *d)
{
    searches *all = user;
    pthread_mutex_lock(&all->checkpoint_lock);
    sigrep_status status = all->ops->checkpoint(all->kernel, index, position, d);
    if (status_is_device_failure(status) && all->fallback.ops) {
        const size_t stride = all->output.minima_stride;
        float *unwanted = calloc(all->n_templates, stride * sizeof *unwanted);
        const kernel_output out = {.minima = unwanted, .minima_stride = stride};
        status = unwanted ? take_over(all, status, &out) : SIGREP_NO_MEMORY;
        free(unwanted);
        if (!status) status = all->ops->checkpoint(all->kernel, index, position, d);
    }
    pthread_mutex_unlock(&all->checkpoint_lock);
    return status;
}

/* The last chunk, for the search of one template. */
static swept_chunk chunk_for(searches *all, size_t index)
{
    return (swept_chunk){.frames = &all->frames,
                         .checkpoint = all->guarded ? read_checkpoint : all->ops->checkpoint,
                         .source = all->guarded ? all : all->kernel,
                         .base = all->base,
                         .from = all->from,
                         .to = all->to,
                         .gaps = all->gaps,
                         .n_gaps = all->n_gaps,
                         .minima = all->output.minima + index * all->output.minima_stride,
                         .scores =
                             all->output.scores ? all->output.scores + index * all->chunk : NULL,
                         .stop = &all->stop};
}

size_t searches_tasks(const searches *all)
{
    return all->is_running && !all->background && !all->swept ? all->n_templates : 0;
}

void searches_do_task(void *user, size_t j, size_t thread)
{
    searches *all = user;
    template_search *one = &all->searches[j];
    const swept_chunk in = chunk_for(all, j);
    (void)thread;
    if (!one->is_done) one->status = search_chunk(one->search, &in, &one->matches);
    if (!one->is_done && !one->status && one->seam)
        one->status = score_seam_mend(one->seam, &in, j, all->ops->spacing(all->kernel, j),
                                      all->output.scores + j * all->chunk);
    one->is_done = true;
}

static void finish_one(void *user, size_t j, size_t thread)
{
    searches *all = user;
    template_search *one = &all->searches[j];
    const swept_chunk in = chunk_for(all, j);
    (void)thread;
    one->status = search_finish(one->search, &in, &one->matches);
}

enum { WORTH_THREADS = 1 << 18 }; /* cells of a chunk: with fewer, waking threads takes longer */

/* Do a task for each search, on all threads. Their matches go to *out in order of templates. */
static sigrep_status run_searches(searches *all, pool_task *task, match_list *out)
{
    sigrep_status status = SIGREP_OK;
    bool worth_it = (all->to - all->from) * all->cells_a_frame >= WORTH_THREADS;
    pool_run(worth_it ? all->workers : NULL, all->n_templates, task, all);
    for (size_t j = 0; j < all->n_templates; j++) {
        template_search *one = &all->searches[j];
        if (!status) status = one->status;
        for (size_t i = 0; i < one->matches.n && !status; i++)
            status = match_list_add(out, &one->matches.items[i]);
        one->matches.n = 0;
    }
    return status;
}

/* The first frame that searches may need once a chunk begins at `position`. */
static uint64_t oldest_of(const searches *all, uint64_t position)
{
    return position - all->base > all->overlap ? position - all->overlap : all->base;
}

/* The frames that were appended become the chunk. The window makes room for the next one without
 * moving this one, since the kernel may read it in the background. */
static void take_chunk(searches *all)
{
    window_reserve(&all->frames, oldest_of(all, all->to), oldest_of(all, all->frames.end),
                   all->chunk);
    uint64_t *gaps = all->gaps;
    all->from = all->to;
    all->to = all->frames.end;
    all->cells += (all->to - all->from) * all->cells_a_frame;
    all->gaps = all->next_gaps;
    all->next_gaps = gaps;
    all->n_gaps = all->n_next_gaps;
    all->n_next_gaps = 0;
    all->prefetched = 0;
    for (size_t j = 0; j < all->n_templates; j++) all->searches[j].is_done = false;
}

/* If a device failed, the fallback kernel takes over, if there is one. */
static sigrep_status rescue(searches *all, sigrep_status status)
{
    return status_is_device_failure(status) && all->fallback.ops
               ? take_over(all, status, &all->output)
               : status;
}

/* The kernel is done with the chunk: search it. */
static sigrep_status search_swept(searches *all, match_list *out)
{
    sigrep_status status = rescue(all, all->swept);
    if (!status) status = run_searches(all, searches_do_task, out);
    return status;
}

/* Begin the next chunk. The last one is done, so the fallback kernel may store checkpoints of it.
 */
static sigrep_status next_chunk(searches *all)
{
    sigrep_status status = SIGREP_OK;
    if (all->fallback.ops && all->to > all->from)
        status = rescue(all, fallback_store(&all->fallback, all->ops, all->kernel,
                                            all->from - all->base, all->to - all->base));
    if (!status) take_chunk(all);
    return status;
}

sigrep_status searches_run(searches *all, match_list *out)
{
    if (all->frames.end == all->to) return SIGREP_OK;
    sigrep_status status = next_chunk(all);
    if (status) return status;
    sweep_chunk(all, window_at(&all->frames, all->from));
    return search_swept(all, out);
}

sigrep_status searches_begin(searches *all)
{
    sigrep_status status = next_chunk(all);
    if (status) return status;
    all->at_work = window_at(&all->frames, all->from);
    all->is_running = true;
    if (all->background)
        pool_start(all->background, 1, sweep_in_background, all);
    else
        sweep_chunk(all, all->at_work);
    return SIGREP_OK;
}

sigrep_status searches_end(searches *all, match_list *out)
{
    wait_for_kernel(all);
    return search_swept(all, out);
}

sigrep_status searches_finish(searches *all, match_list *out)
{
    return run_searches(all, finish_one, out);
}

const float *searches_frames(const searches *all, uint64_t at)
{
    return window_at(&all->frames, at);
}

const float *searches_scores(const searches *all, size_t index)
{
    return all->output.scores + index * all->chunk;
}

uint64_t searches_pending_since(const searches *all, size_t index)
{
    return search_pending_since(all->searches[index].search);
}

uint64_t searches_cells_traced(const searches *all)
{
    uint64_t cells = 0;
    for (size_t j = 0; j < all->n_templates; j++)
        cells += search_cells_traced(all->searches[j].search);
    return cells;
}

/* ---- state ---- */

static void settle_one(void *user, size_t j, size_t thread)
{
    searches *all = user;
    template_search *one = &all->searches[j];
    const swept_chunk in = chunk_for(all, j);
    (void)thread;
    one->status = search_settle(one->search, &in);
    if (!one->status && one->seam)
        one->status = score_seam_settle(one->seam, &in, j, all->ops->spacing(all->kernel, j));
}

sigrep_status searches_settle(searches *all)
{
    sigrep_status status = SIGREP_OK;
    pool_run(all->workers, all->n_templates, settle_one, all);
    for (size_t j = 0; j < all->n_templates && !status; j++) status = all->searches[j].status;
    return status;
}

bool searches_agree(const searches *all, const searches *other)
{
    for (size_t j = 0; j < all->n_templates; j++)
        if (!search_agrees(all->searches[j].search, other->searches[j].search)) return false;
    return true;
}

uint64_t searches_needed(const searches *all, uint64_t at, bool with_paths)
{
    for (size_t j = 0; j < all->n_templates; j++)
        at = search_needed(all->searches[j].search, at, with_paths);
    return at;
}

/* Sweep the frames that were appended, and search nothing. */
static sigrep_status sweep_alone(searches *all)
{
    sigrep_status status = next_chunk(all);
    if (status) return status;
    sweep_chunk(all, window_at(&all->frames, all->from));
    return rescue(all, all->swept);
}

/* Append the next n frames of the state; `gap`: gaps in place of them. */
static sigrep_status read_frames(searches *all, state_bytes *st, uint64_t n, bool gap)
{
    const size_t dim = all->frames.dim;
    sigrep_status status = SIGREP_OK;
    for (; n && !status; n--) {
        if (gap) {
            window_append(&all->frames, all->gap_frame, 1);
        } else {
            float *to = searches_space(all);
            state_floats(st, to, dim);
            for (size_t k = 0; k < dim; k++) state_must(st, isfinite(to[k]));
            window_filled(&all->frames, 1);
        }
        if (n == 1 || !searches_room(all)) status = sweep_alone(all);
    }
    return status;
}

/* The kernel begins at a multiple of all spacings. Gaps stand for the frames before the first one
 * that is needed: D is +inf after them, as at a start. */
static sigrep_status begin_in_state(searches *all, state_bytes *st, uint64_t needed, uint64_t to)
{
    uint64_t widest = KERNEL_BLOCK;
    for (size_t j = 0; j < all->n_templates; j++) {
        const size_t spacing = all->ops->spacing(all->kernel, j);
        if (spacing > widest) widest = spacing;
    }
    begin_at(all, needed / widest * widest);
    const sigrep_status status = read_frames(all, st, needed - all->base, true);
    return status ? status : read_frames(all, st, to - needed, false);
}

sigrep_status searches_pass_state(searches *all, state_bytes *st, uint64_t *needed)
{
    const size_t dim = all->frames.dim, frame = dim * sizeof(float);
    uint64_t to = all->to;
    state_u64(st, &to);
    size_t n = st->is_reading ? 0 : (size_t)(to - *needed);
    state_count(st, &n, frame);
    state_must(st, n <= to && n <= all->overlap);
    if (st->is_wrong) return SIGREP_OK;
    if (!st->is_reading) state_floats(st, (float *)window_at(&all->frames, *needed), n * dim);
    if (st->is_reading) *needed = to - n;
    const sigrep_status status = st->is_reading ? begin_in_state(all, st, *needed, to) : SIGREP_OK;
    for (size_t j = 0; j < all->n_templates && !status; j++) {
        search_pass_state(all->searches[j].search, st, to);
        if (all->searches[j].seam) score_seam_pass_state(all->searches[j].seam, st, to);
    }
    return status;
}
