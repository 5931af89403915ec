/* sweep_create.c - make and end a sweep; see sweep.h. */
#include <math.h>
#include <stdlib.h>

#include "filter/search/search.h"
#include "filter/search/sweep_state.h"
#include "kernels/pinnable.h"
#include "kernels/pool.h"

static sigrep_status create_searches(sweep *sw, const sweep_plan *plan)
{
    for (size_t j = 0; j < plan->n_templates; j++) {
        const sweep_template *x = &plan->templates[j];
        sw->n_templates = j + 1;
        sw->cells_a_frame += x->length;
        sigrep_status status =
            search_create(&sw->searches[j].search, j, x->frames, x->length, plan->dim, x->gate,
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
                          .max_chunk = plan->chunk,
                          .workers = plan->workers,
                          .scores = plan->want_scores,
                          .pins = true,
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
        size_t own = search_overlap(sw->searches[j].search);
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
    if (!status && plan->fallback)
        status = fallback_create(&sw->fallback, plan->fallback, plan->ops, sw->kernel, &made,
                                 overlap_of(sw));
    if (!status && plan->behind) status = pool_create(&sw->hand, 2);
    free((void *)made.templates);
    return status;
}

/* To the kernel, what it may fetch from, and write to, by itself. */
static sigrep_status pin(const sweep *sw)
{
    const window *w = &sw->frames;
    if (!sw->ops->prefetch) return SIGREP_OK;
    const sigrep_status status =
        sw->ops->prefetch->pin(sw->kernel, w->frames, 2 * w->capacity * w->dim);
    if (status) return status;
    return sw->ops->prefetch->pin(sw->kernel, sw->output.minima,
                                  sw->n_templates * sw->output.minima_stride);
}

static sigrep_status create_buffers(sweep *sw, const sweep_plan *plan)
{
    sw->overlap = overlap_of(sw) + fallback_reach(&sw->fallback);
    const size_t behind = sw->hand ? plan->chunk : 0; /* a step's frames, while more come */
    size_t stride = kernel_max_blocks(plan->chunk);
    if (stride > SIZE_MAX / sizeof(float) / plan->n_templates) return SIGREP_NO_MEMORY;
    sw->output.minima_stride = stride;
    sw->output.minima = pinnable_allocate(plan->n_templates * stride);
    if (plan->want_scores)
        sw->output.scores = calloc(plan->n_templates, plan->chunk * sizeof(float));
    sw->gaps = calloc(plan->chunk, sizeof *sw->gaps);
    sw->next_gaps = calloc(plan->chunk, sizeof *sw->next_gaps);
    sw->gap_frame = calloc(plan->dim, sizeof *sw->gap_frame);
    if (!sw->output.minima || (plan->want_scores && !sw->output.scores)) return SIGREP_NO_MEMORY;
    if (!sw->gaps || !sw->next_gaps || !sw->gap_frame) return SIGREP_NO_MEMORY;
    for (size_t k = 0; k < plan->dim; k++) sw->gap_frame[k] = INFINITY;
    sigrep_status status = window_create(&sw->frames, plan->dim, sw->overlap + behind, plan->chunk);
    return status ? status : pin(sw);
}

sigrep_status sweep_create(sweep **out, const sweep_plan *plan)
{
    *out = NULL;
    sweep *sw = calloc(1, sizeof *sw + plan->n_templates * sizeof *sw->searches);
    if (!sw) return SIGREP_NO_MEMORY;
    sw->ops = plan->ops;
    sw->chunk = plan->chunk;
    sw->workers = plan->workers;
    sw->guarded = plan->fallback != NULL;
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

void sweep_destroy(sweep *sw)
{
    if (!sw) return;
    if (sw->behind) pool_wait(sw->hand);
    pool_destroy(sw->hand);
    fallback_free(&sw->fallback);
    for (size_t j = 0; j < sw->n_templates; j++) {
        search_destroy(sw->searches[j].search);
        match_list_free(&sw->searches[j].matches);
    }
    if (sw->kernel) sw->ops->destroy(sw->kernel);
    window_free(&sw->frames);
    free(sw->output.minima);
    free(sw->output.scores);
    free(sw->gaps);
    free(sw->next_gaps);
    free(sw->gap_frame);
    pthread_mutex_destroy(&sw->column_lock);
    free(sw);
}
