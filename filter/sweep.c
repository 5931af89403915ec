#include "filter/sweep.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "filter/spare.h"

/* A template's search. They are independent, so each has a list of its own: threads may
 * take turns as they like, the order of what is found stays. */
typedef struct {
    search search;
    found_list found;
    sigrep_status status;
} hunt;

struct sweep {
    const kernel_ops *ops;
    void *kernel;
    window frames;
    size_t chunk;
    uint64_t from, to; /* the last run */
    uint64_t *breaks, *next_breaks; /* chunk of each: of the last run, and appended since */
    size_t n_breaks, n_next_breaks;
    float *gap; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    pool *hand; /* two threads: one of them steps behind the caller. NULL: not wanted */
    bool behind;
    window at_work; /* as it was when that step began */
    sigrep_status stepped; /* what the step gave */
    spare spare;
    bool guarded; /* there is a spare kernel, or was */
    pthread_mutex_t column_lock;
    sigrep_status failure; /* of the kernel that the spare one replaced */
    uint64_t cells;
    size_t cells_a_frame;
    size_t n_templates;
    hunt hunts[];
};

static sigrep_status create_searches(sweep *sw, const sweep_plan *plan)
{
    for (size_t j = 0; j < plan->n_templates; j++) {
        const sweep_template *x = &plan->templates[j];
        sw->n_templates = j + 1;
        sw->cells_a_frame += x->length;
        sigrep_status status =
            search_create(&sw->hunts[j].search, j, x->frames, x->length, plan->dim, x->gate,
                          plan->lowest_only, sw->ops->spacing(sw->kernel, j));
        if (status) return status;
    }
    return SIGREP_OK;
}

/* The kernel's plan; the caller frees its templates. */
static sigrep_status make_plan(kernel_plan *made, const sweep_plan *plan)
{
    kernel_template *templates = calloc(plan->n_templates, sizeof *templates);
    if (!templates) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        const sweep_template *x = &plan->templates[j];
        bool exact_above = plan->lowest_only || plan->want_scores;
        templates[j] = (kernel_template){.frames = x->frames,
                                         .length = x->length,
                                         .eps = exact_above ? INFINITY : x->gate.eps,
                                         .history = (size_t)x->gate.length_max};
    }
    *made = (kernel_plan){.templates = templates,
                          .n_templates = plan->n_templates,
                          .dim = plan->dim,
                          .max_step = plan->chunk,
                          .workers = plan->workers,
                          .scores = plan->want_scores,
                          .device = plan->device,
                          .each = plan->each,
                          .devices = plan->devices};
    return SIGREP_OK;
}

/* Frames before a step that some search may look back to. */
static size_t overlap_of(const sweep *sw)
{
    size_t overlap = 0;
    for (size_t j = 0; j < sw->n_templates; j++) {
        size_t own = search_overlap(&sw->hunts[j].search);
        if (own > overlap) overlap = own;
    }
    return overlap;
}

static sigrep_status create_machine(sweep *sw, const sweep_plan *plan)
{
    kernel_plan made;
    sigrep_status status = make_plan(&made, plan);
    if (status) return status;
    status = plan->ops->create(&sw->kernel, &made);
    if (!status) status = create_searches(sw, plan);
    if (!status && plan->spare)
        status = spare_create(&sw->spare, plan->spare, plan->ops, sw->kernel, &made,
                              overlap_of(sw));
    if (!status && plan->behind) status = pool_create(&sw->hand, 2);
    free((void *)made.templates);
    return status;
}

static sigrep_status create_buffers(sweep *sw, const sweep_plan *plan)
{
    /* Behind a step there may be another one. */
    size_t overlap = overlap_of(sw) + spare_reach(&sw->spare) + (sw->hand ? plan->chunk : 0);
    size_t stride = kernel_max_blocks(plan->chunk);
    sw->output.minima_stride = stride;
    sw->output.minima = calloc(plan->n_templates, stride * sizeof(float));
    if (plan->want_scores)
        sw->output.scores = calloc(plan->n_templates, plan->chunk * sizeof(float));
    sw->breaks = calloc(plan->chunk, sizeof *sw->breaks);
    sw->next_breaks = calloc(plan->chunk, sizeof *sw->next_breaks);
    sw->gap = calloc(plan->dim, sizeof *sw->gap);
    if (!sw->output.minima || (plan->want_scores && !sw->output.scores)) return SIGREP_NO_MEMORY;
    if (!sw->breaks || !sw->next_breaks || !sw->gap) return SIGREP_NO_MEMORY;
    for (size_t k = 0; k < plan->dim; k++) sw->gap[k] = INFINITY;
    return window_create(&sw->frames, plan->dim, overlap, plan->chunk);
}

sigrep_status sweep_create(sweep **out, const sweep_plan *plan)
{
    *out = NULL;
    sweep *sw = calloc(1, sizeof *sw + plan->n_templates * sizeof *sw->hunts);
    if (!sw) return SIGREP_NO_MEMORY;
    sw->ops = plan->ops;
    sw->chunk = plan->chunk;
    sw->workers = plan->workers;
    sw->guarded = plan->spare != NULL;
    pthread_mutex_init(&sw->column_lock, NULL);
    sigrep_status status = create_machine(sw, plan);
    if (!status) status = create_buffers(sw, plan);
    if (status) {
        sweep_destroy(sw);
        return status;
    }
    *out = sw;
    return SIGREP_OK;
}

/* Wait for the step that is behind, if one is. */
static void wait_behind(sweep *sw)
{
    if (sw->behind) pool_wait(sw->hand);
    sw->behind = false;
}

void sweep_destroy(sweep *sw)
{
    if (!sw) return;
    wait_behind(sw);
    pool_destroy(sw->hand);
    spare_free(&sw->spare);
    for (size_t j = 0; j < sw->n_templates; j++) {
        search_free(&sw->hunts[j].search);
        found_free(&sw->hunts[j].found);
    }
    if (sw->kernel) sw->ops->destroy(sw->kernel);
    window_free(&sw->frames);
    free(sw->output.minima);
    free(sw->output.scores);
    free(sw->breaks);
    free(sw->next_breaks);
    free(sw->gap);
    pthread_mutex_destroy(&sw->column_lock);
    free(sw);
}

void sweep_reset(sweep *sw)
{
    wait_behind(sw);
    window_reset(&sw->frames);
    sw->ops->reset(sw->kernel);
    spare_reset(&sw->spare);
    sw->from = sw->to = 0;
    sw->n_breaks = sw->n_next_breaks = 0;
    for (size_t j = 0; j < sw->n_templates; j++) search_reset(&sw->hunts[j].search);
}

size_t sweep_room(const sweep *sw)
{
    return sw->chunk - (size_t)(sw->frames.end - sw->to);
}

void sweep_append(sweep *sw, const float *frames, size_t n)
{
    window_append(&sw->frames, frames, n);
}

void sweep_break(sweep *sw)
{
    sw->next_breaks[sw->n_next_breaks++] = sw->frames.end;
    window_append(&sw->frames, sw->gap, 1);
}

static void step_kernel(sweep *sw, const float *frames)
{
    sw->stepped = sw->ops->step(sw->kernel, frames, (size_t)(sw->to - sw->from), &sw->output);
}

/* `frames` stay where they are until the next frames but a chunk are appended (window.h). */
static void step_behind(void *user, size_t task, size_t thread)
{
    sweep *sw = user;
    (void)task, (void)thread;
    step_kernel(sw, window_at(&sw->at_work, sw->from));
}

static bool is_device_failure(sigrep_status status)
{
    return status == SIGREP_DEVICE_FAILED || status == SIGREP_DEVICE_MEMORY;
}

/* The spare kernel instead, and the run again, into *out. */
static sigrep_status take_over(sweep *sw, sigrep_status failure, const kernel_output *out)
{
    void *kernel;
    sigrep_status status = spare_take_over(&sw->spare, &kernel, &sw->frames, sw->from, out);
    sw->failure = failure;
    if (status) {
        if (kernel) sw->spare.ops->destroy(kernel);
        return status;
    }
    sw->ops->destroy(sw->kernel);
    sw->kernel = kernel;
    sw->ops = sw->spare.ops;
    spare_free(&sw->spare);
    const float *frames = window_at(&sw->frames, sw->from);
    return sw->ops->step(kernel, frames, (size_t)(sw->to - sw->from), out);
}

/* What the searches ask for a column. One that cannot be had any more comes from the spare kernel;
 * the minima, which other searches may be reading, are right as they are. */
static sigrep_status read_column(void *user, size_t index, uint64_t position, float *d)
{
    sweep *sw = user;
    pthread_mutex_lock(&sw->column_lock);
    sigrep_status status = sw->ops->column(sw->kernel, index, position, d);
    if (is_device_failure(status) && sw->spare.ops) {
        const size_t stride = sw->output.minima_stride;
        float *unwanted = calloc(sw->n_templates, stride * sizeof *unwanted);
        const kernel_output out = {.minima = unwanted, .minima_stride = stride};
        status = unwanted ? take_over(sw, status, &out) : SIGREP_NO_MEMORY;
        free(unwanted);
        if (!status) status = sw->ops->column(sw->kernel, index, position, d);
    }
    pthread_mutex_unlock(&sw->column_lock);
    return status;
}

static const kernel_ops guarded = {.name = "guarded", .column = read_column};

/* What the searches need to know of the last run. */
static sweep_step step_of(sweep *sw, size_t index)
{
    return (sweep_step){.frames = &sw->frames,
                        .ops = sw->guarded ? &guarded : sw->ops,
                        .kernel = sw->guarded ? sw : sw->kernel,
                        .from = sw->from,
                        .to = sw->to,
                        .breaks = sw->breaks,
                        .n_breaks = sw->n_breaks,
                        .minima = sw->output.minima + index * sw->output.minima_stride};
}

static void step_one(void *user, size_t j, size_t thread)
{
    (void)thread;
    sweep *sw = user;
    const sweep_step in = step_of(sw, j);
    sw->hunts[j].status = search_step(&sw->hunts[j].search, &in, &sw->hunts[j].found);
}

static void finish_one(void *user, size_t j, size_t thread)
{
    (void)thread;
    sweep *sw = user;
    const sweep_step in = step_of(sw, j);
    sw->hunts[j].status = search_finish(&sw->hunts[j].search, &in, &sw->hunts[j].found);
}

enum { WORTH_THREADS = 1 << 18 }; /* cells of a step that outweigh waking them */

/* All searches, on the threads there are; what they find goes to *out in their order. */
static sigrep_status run_searches(sweep *sw, pool_task *task, found_list *out)
{
    sigrep_status status = SIGREP_OK;
    bool worth_it = (sw->to - sw->from) * sw->cells_a_frame >= WORTH_THREADS;
    pool_run(worth_it ? sw->workers : NULL, sw->n_templates, task, sw);
    for (size_t j = 0; j < sw->n_templates; j++) {
        hunt *one = &sw->hunts[j];
        if (!status) status = one->status;
        for (size_t i = 0; i < one->found.n && !status; i++)
            status = found_add(out, &one->found.items[i]);
        one->found.n = 0;
    }
    return status;
}

/* What was appended becomes the run. */
static void take_run(sweep *sw)
{
    uint64_t *breaks = sw->breaks;
    sw->from = sw->to;
    sw->to = sw->frames.end;
    sw->cells += (sw->to - sw->from) * sw->cells_a_frame;
    sw->breaks = sw->next_breaks;
    sw->next_breaks = breaks;
    sw->n_breaks = sw->n_next_breaks;
    sw->n_next_breaks = 0;
}

/* Where the status is a device's failure, the spare kernel, if there is one, takes over. */
static sigrep_status rescue(sweep *sw, sigrep_status status)
{
    const bool failed = status == SIGREP_DEVICE_FAILED || status == SIGREP_DEVICE_MEMORY;
    return failed && sw->spare.ops ? take_over(sw, status, &sw->output) : status;
}

/* The step is done: search. */
static sigrep_status conclude(sweep *sw, found_list *out)
{
    sigrep_status status = rescue(sw, sw->stepped);
    return status ? status : run_searches(sw, step_one, out);
}

/* Before the next run: all that the last one was for is done, so the spare kernel may move on. */
static sigrep_status prepare(sweep *sw)
{
    sigrep_status status = SIGREP_OK;
    if (sw->spare.ops && sw->to > sw->from)
        status = rescue(sw, spare_look(&sw->spare, sw->ops, sw->kernel, sw->from, sw->to));
    if (!status) take_run(sw);
    return status;
}

sigrep_status sweep_run(sweep *sw, found_list *out)
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
    sw->at_work = sw->frames;
    sw->behind = true;
    pool_start(sw->hand, 1, step_behind, sw);
    return SIGREP_OK;
}

sigrep_status sweep_end(sweep *sw, found_list *out)
{
    wait_behind(sw);
    return conclude(sw, out);
}

bool sweep_is_behind(const sweep *sw)
{
    return sw->behind;
}

sigrep_status sweep_finish(sweep *sw, found_list *out)
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

const uint64_t *sweep_breaks(const sweep *sw, size_t *n)
{
    *n = sw->n_breaks;
    return sw->breaks;
}

const float *sweep_scores(const sweep *sw, size_t index)
{
    return sw->output.scores + index * sw->chunk;
}

uint64_t sweep_pending_since(const sweep *sw, size_t index)
{
    return search_pending_since(&sw->hunts[index].search);
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
    for (size_t j = 0; j < sw->n_templates; j++) cells += search_cells_traced(&sw->hunts[j].search);
    return cells;
}
