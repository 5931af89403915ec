#include "filter/search/fallback.h"

#include <stdlib.h>

#include "filter/search/window.h"

sigrep_status fallback_create(fallback *fb, const kernel_ops *ops, const kernel_ops *of,
                              const void *kernel, const kernel_plan *plan, size_t overlap)
{
    *fb = (fallback){.ops = ops, .plan = *plan, .overlap = overlap, .widest = KERNEL_BLOCK};
    fb->templates = calloc(plan->n_templates, sizeof *fb->templates);
    fb->spacings = calloc(plan->n_templates, sizeof *fb->spacings);
    if (!fb->templates || !fb->spacings) return SIGREP_NO_MEMORY;
    for (size_t j = 0; j < plan->n_templates; j++) {
        fb->spacings[j] = of->spacing(kernel, j);
        fb->templates[j] = plan->templates[j];
        fb->templates[j].history += fb->spacings[j];
        fb->all_rows += plan->templates[j].length;
        if (fb->spacings[j] > fb->widest) fb->widest = fb->spacings[j];
    }
    fb->plan.templates = fb->templates;
    fb->usable.d = calloc(fb->all_rows, sizeof *fb->usable.d);
    fb->next.d = calloc(fb->all_rows, sizeof *fb->next.d);
    return fb->usable.d && fb->next.d ? SIGREP_OK : SIGREP_NO_MEMORY;
}

void fallback_free(fallback *fb)
{
    free(fb->templates);
    free(fb->spacings);
    free(fb->usable.d);
    free(fb->next.d);
    *fb = (fallback){.ops = NULL};
}

void fallback_reset(fallback *fb, uint64_t base)
{
    fb->base = base;
    fb->usable.position = fb->next.position = 0;
}

/* Checkpoints become usable `overlap` frames after their position, or one chunk later. The next
 * ones are read once a multiple of the widest spacing has passed. A chunk that is longer than both
 * together gives usable ones at once. */
size_t fallback_reach(const fallback *fb)
{
    return fb->ops ? 4 * (fb->overlap + fb->widest) : 0;
}

/* Read the next checkpoints. The usable ones stay until all of these are there. */
static sigrep_status read_next(fallback *fb, const kernel_ops *of, void *kernel, uint64_t position)
{
    fb->next.position = 0;
    const sigrep_status status =
        kernel_checkpoints(of, kernel, fb->templates, fb->plan.n_templates, position, fb->next.d);
    if (!status) fb->next.position = position;
    return status;
}

static void use_next(fallback *fb)
{
    const fallback_checkpoints usable = fb->usable;
    fb->usable = fb->next;
    fb->next = (fallback_checkpoints){.d = usable.d};
}

static uint64_t multiple(const fallback *fb, uint64_t position)
{
    return position / fb->widest * fb->widest;
}

/* Reads only checkpoints within the chunk, which every kernel has. If that fails, the usable ones
 * lie at or before `from`. */
sigrep_status fallback_store(fallback *fb, const kernel_ops *of, void *kernel, uint64_t from,
                             uint64_t to)
{
    sigrep_status status = SIGREP_OK;
    const uint64_t old = to > fb->overlap ? multiple(fb, to - fb->overlap) : 0;
    const uint64_t newest = multiple(fb, to);
    if (old > from) {
        status = read_next(fb, of, kernel, old);
        if (!status) use_next(fb);
        return status;
    }
    if (fb->next.position && fb->next.position <= old) use_next(fb);
    if (!fb->next.position && newest > from && newest > fb->usable.position)
        status = read_next(fb, of, kernel, newest);
    return status;
}

/* Has it the checkpoints that searches ask for, and the window the frames? */
static bool can_take_over(const fallback *fb, const void *kernel, uint64_t to)
{
    for (size_t j = 0; j < fb->plan.n_templates; j++)
        if (fb->ops->spacing(kernel, j) > fb->spacings[j]) return false;
    return fb->usable.position + fb->overlap + fallback_reach(fb) >= to;
}

sigrep_status fallback_take_over(const fallback *fb, void **kernel, const window *frames,
                                 uint64_t to, const kernel_output *out)
{
    *kernel = NULL;
    sigrep_status status = fb->ops->create(kernel, &fb->plan);
    if (status) return status;
    if (!can_take_over(fb, *kernel, to)) return SIGREP_DEVICE_FAILED;
    uint64_t at = fb->usable.position;
    if (at) status = fb->ops->seek(*kernel, at, fb->usable.d);
    while (at < to && !status) {
        const size_t n = to - at < fb->plan.max_chunk ? (size_t)(to - at) : fb->plan.max_chunk;
        const kernel_output unwanted = {.minima = out->minima, .minima_stride = out->minima_stride};
        status = fb->ops->sweep(*kernel, window_at(frames, fb->base + at), n, &unwanted);
        at += n;
    }
    return status;
}
