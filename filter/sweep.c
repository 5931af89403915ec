#include "filter/sweep.h"

#include <math.h>
#include <stdlib.h>

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
    size_t chunk, first_step; /* most frames of a step, and of the first */
    uint64_t from, to;        /* the last run */
    uint64_t *breaks;         /* chunk of them; those appended and not yet reset by a run */
    size_t n_breaks;
    float *gap; /* one frame of +inf */
    kernel_output output;
    pool *workers;
    uint64_t cells;
    size_t cells_a_frame;
    size_t n_templates;
    hunt hunts[];
};

enum { LEAST_FIRST_STEP = 1 << 12 }; /* shorter ones are not worth a step of their own */

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

static sigrep_status create_kernel(sweep *sw, const sweep_plan *plan)
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
    sigrep_status status = plan->ops->create(&sw->kernel, &(kernel_plan){
                                                              .templates = templates,
                                                              .n_templates = plan->n_templates,
                                                              .dim = plan->dim,
                                                              .max_step = plan->chunk,
                                                              .workers = plan->workers,
                                                              .scores = plan->want_scores,
                                                              .device = plan->device,
                                                          });
    free(templates);
    return status;
}

static sigrep_status create_buffers(sweep *sw, const sweep_plan *plan)
{
    size_t overlap = 0;
    for (size_t j = 0; j < plan->n_templates; j++) {
        size_t own = search_overlap(&sw->hunts[j].search);
        if (own > overlap) overlap = own;
    }
    size_t stride = kernel_max_blocks(plan->chunk);
    sw->output.minima_stride = stride;
    sw->output.minima = calloc(plan->n_templates, stride * sizeof(float));
    if (plan->want_scores)
        sw->output.scores = calloc(plan->n_templates, plan->chunk * sizeof(float));
    sw->breaks = calloc(plan->chunk, sizeof *sw->breaks);
    sw->gap = calloc(plan->dim, sizeof *sw->gap);
    if (!sw->output.minima || (plan->want_scores && !sw->output.scores)) return SIGREP_NO_MEMORY;
    if (!sw->breaks || !sw->gap) return SIGREP_NO_MEMORY;
    for (size_t k = 0; k < plan->dim; k++) sw->gap[k] = INFINITY;
    return window_create(&sw->frames, plan->dim, overlap, plan->chunk);
}

/* A long first step would be searched before it is known whether starts had better be carried. */
static size_t first_step(const sweep *sw)
{
    size_t widest = 1;
    for (size_t j = 0; j < sw->n_templates; j++) {
        size_t spacing = sw->ops->spacing(sw->kernel, j);
        if (spacing > widest) widest = spacing;
    }
    size_t frames = sw->chunk / 8 / widest * widest;
    return sw->ops->carry && frames >= LEAST_FIRST_STEP ? frames : sw->chunk;
}

sigrep_status sweep_create(sweep **out, const sweep_plan *plan)
{
    *out = NULL;
    sweep *sw = calloc(1, sizeof *sw + plan->n_templates * sizeof *sw->hunts);
    if (!sw) return SIGREP_NO_MEMORY;
    sw->ops = plan->ops;
    sw->chunk = plan->chunk;
    sw->workers = plan->workers;
    sigrep_status status = create_kernel(sw, plan);
    if (!status) status = create_searches(sw, plan);
    if (!status) status = create_buffers(sw, plan);
    if (status) {
        sweep_destroy(sw);
        return status;
    }
    sw->first_step = first_step(sw);
    *out = sw;
    return SIGREP_OK;
}

void sweep_destroy(sweep *sw)
{
    if (!sw) return;
    for (size_t j = 0; j < sw->n_templates; j++) {
        search_free(&sw->hunts[j].search);
        found_free(&sw->hunts[j].found);
    }
    if (sw->kernel) sw->ops->destroy(sw->kernel);
    window_free(&sw->frames);
    free(sw->output.minima);
    free(sw->output.scores);
    free(sw->breaks);
    free(sw->gap);
    free(sw);
}

void sweep_reset(sweep *sw)
{
    window_reset(&sw->frames);
    sw->ops->reset(sw->kernel);
    sw->from = sw->to = 0;
    sw->n_breaks = 0;
    for (size_t j = 0; j < sw->n_templates; j++) search_reset(&sw->hunts[j].search);
}

size_t sweep_room(const sweep *sw)
{
    size_t appended = (size_t)(sw->frames.end - sw->to);
    size_t most = sw->to ? sw->chunk : sw->first_step;
    return appended < most ? most - appended : 0;
}

/* The gaps of the last run are forgotten when the next frame comes. */
static void begin_step(sweep *sw)
{
    if (sw->frames.end == sw->to) sw->n_breaks = 0;
}

void sweep_append(sweep *sw, const float *frames, size_t n)
{
    begin_step(sw);
    window_append(&sw->frames, frames, n);
}

void sweep_break(sweep *sw)
{
    begin_step(sw);
    sw->breaks[sw->n_breaks++] = sw->frames.end;
    window_append(&sw->frames, sw->gap, 1);
}

/* What the searches need to know of the last run. */
static sweep_step step_of(const sweep *sw, size_t index)
{
    return (sweep_step){.frames = &sw->frames,
                        .ops = sw->ops,
                        .kernel = sw->kernel,
                        .from = sw->from,
                        .to = sw->to,
                        .breaks = sw->breaks,
                        .n_breaks = sw->n_breaks,
                        .minima = sw->output.minima + index * sw->output.minima_stride,
                        .ends = sw->ops->ends ? sw->ops->ends(sw->kernel, index)
                                              : (kernel_ends){.n = 0}};
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

/* Where a search looks at most of the stream, starts had better be carried along. */
static void ask_for_starts(sweep *sw)
{
    for (size_t j = 0; j < sw->n_templates && sw->ops->carry; j++) {
        bool carried = sw->ops->ends(sw->kernel, j).n > 0;
        bool wanted = search_wants_starts(&sw->hunts[j].search, sw->to - sw->from, carried);
        sw->ops->carry(sw->kernel, j, wanted);
    }
}

sigrep_status sweep_run(sweep *sw, found_list *out)
{
    size_t n = (size_t)(sw->frames.end - sw->to);
    if (!n) return SIGREP_OK;
    sw->from = sw->to;
    sw->to = sw->frames.end;
    sw->cells += (uint64_t)n * sw->cells_a_frame;
    sigrep_status status =
        sw->ops->step(sw->kernel, window_at(&sw->frames, sw->from), n, &sw->output);
    if (!status) status = run_searches(sw, step_one, out);
    if (!status) ask_for_starts(sw);
    return status;
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
