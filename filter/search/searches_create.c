/* searches_create.c - make and end the searches; see searches.h. */
#include <math.h>
#include <stdlib.h>

#include "filter/search/search.h"
#include "filter/search/searches_state.h"
#include "kernels/pinnable.h"
#include "kernels/pool.h"

static sigrep_status create_searches(searches *all, const searches_plan *plan)
{
    for (size_t j = 0; j < plan->n_templates; j++) {
        const search_template *x = &plan->templates[j];
        all->n_templates = j + 1;
        all->cells_a_frame += x->length;
        sigrep_status status =
            search_create(&all->searches[j].search, j, x->frames, x->length, plan->dim, x->gate,
                          plan->lowest_only, all->ops->spacing(all->kernel, j));
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
        const search_template *x = &plan->templates[j];
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
