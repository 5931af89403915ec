#include "filter/search/fallback.h"

#include <stdlib.h>

#include "filter/search/window.h"

sigrep_status fallback_create(fallback *sp, const kernel_ops *ops, const kernel_ops *of,
                              const void *kernel, const kernel_plan *plan, size_t overlap)
{
    *sp = (fallback){.ops = ops, .plan = *plan, .overlap = overlap, .widest = KERNEL_BLOCK};
    sp->templates = calloc(plan->n_templates, sizeof *sp->templates);
    sp->spacings = calloc(plan->n_templates, sizeof *sp->spacings);
    if (!sp->templates || !sp->spacings) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        sp->spacings[j] = of->spacing(kernel, j);
        sp->templates[j] = plan->templates[j];
        sp->templates[j].history += sp->spacings[j];
        sp->all_rows += plan->templates[j].length;
        if (sp->spacings[j] > sp->widest) sp->widest = sp->spacings[j];
    }
    sp->plan.templates = sp->templates;
    sp->usable.d = calloc(sp->all_rows, sizeof *sp->usable.d);
    sp->next.d = calloc(sp->all_rows, sizeof *sp->next.d);
    return sp->usable.d && sp->next.d ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void fallback_free(fallback *sp)
{
    free(sp->templates);
    free(sp->spacings);
    free(sp->usable.d);
    free(sp->next.d);
    *sp = (fallback){.ops = NULL};
}

void fallback_reset(fallback *sp)
{
    sp->usable.position = sp->next.position = 0;
}

/* Columns become usable `overlap` frames after their position at the latest, or one step later,
 * and the next ones are taken when a multiple of the widest spacing goes by. Steps longer than
 * both together give usable ones at once. */
size_t fallback_reach(const fallback *sp)
{
    return sp->ops ? 4 * (sp->overlap + sp->widest) : 0;
}

/* The next columns. What is usable stays so until they are all here. */
static sigrep_status read_next(fallback *sp, const kernel_ops *of, void *kernel, uint64_t position)
{
    sp->next.position = 0;
    const sigrep_status status =
        kernel_checkpoints(of, kernel, sp->templates, sp->plan.n_templates, position, sp->next.d);
    if (!status) sp->next.position = position;
    return status;
}

static void use_next(fallback *sp)
{
    const fallback_checkpoints usable = sp->usable;
    sp->usable = sp->next;
    sp->next = (fallback_checkpoints){.d = usable.d};
}

static uint64_t multiple(const fallback *sp, uint64_t position)
{
    return position / sp->widest * sp->widest;
}

/* Only positions within the step are asked for: those every kernel has. Should one fail, what is
 * usable then lies at or before `from`. */
sigrep_status fallback_store(fallback *sp, const kernel_ops *of, void *kernel, uint64_t from,
                             uint64_t to)
{
    sigrep_status status = SIGREP_OK;
    const uint64_t old = to > sp->overlap ? multiple(sp, to - sp->overlap) : 0;
    const uint64_t newest = multiple(sp, to);
    if (old > from) {
        status = read_next(sp, of, kernel, old);
        if (!status) use_next(sp);
        return status;
    }
    if (sp->next.position && sp->next.position <= old) use_next(sp);
    if (!sp->next.position && newest > from && newest > sp->usable.position)
        status = read_next(sp, of, kernel, newest);
    return status;
}

/* Its columns lie at every multiple that searches ask for, and the window has the frames. */
static bool can_take_over(const fallback *sp, const void *kernel, uint64_t to)
{
    for (size_t j = 0; j < sp->plan.n_templates; j++)
        if (sp->ops->spacing(kernel, j) > sp->spacings[j]) return false;
    return sp->usable.position + sp->overlap + fallback_reach(sp) >= to;
}

sigrep_status fallback_take_over(const fallback *sp, void **kernel, const window *frames,
                                 uint64_t to, const kernel_output *out)
{
    *kernel = NULL;
    sigrep_status status = sp->ops->create(kernel, &sp->plan);
    if (status) return status;
    if (!can_take_over(sp, *kernel, to)) return SIGREP_DEVICE_FAILED;
    uint64_t at = sp->usable.position;
    if (at) status = sp->ops->seek(*kernel, at, sp->usable.d);
    while (at < to && !status) {
        const size_t n = to - at < sp->plan.max_chunk ? (size_t)(to - at) : sp->plan.max_chunk;
        const kernel_output unwanted = {.minima = out->minima, .minima_stride = out->minima_stride};
        status = sp->ops->sweep(*kernel, window_at(frames, at), n, &unwanted);
        at += n;
    }
    return status;
}
