/* no_sweep.c - the kernel of searches that need no sweep: those of zmatch/zmatch.h compute D
 * themselves. It is in no table, so nobody can name it. */
#include "kernels/kernel.h"

enum { CHUNK = 1 << 14 }; /* frames */

static bool usable(void)
{
    return true;
}

static size_t best_chunk(const kernel_plan *plan)
{
    (void)plan;
    return CHUNK;
}

static sigrep_status create(void **kernel, const kernel_plan *plan)
{
    (void)plan;
    *kernel = NULL;
    return SIGREP_OK;
}

static void destroy(void *kernel)
{
    (void)kernel;
}

static sigrep_status sweep(void *kernel, const float *frames, size_t n, const kernel_output *out)
{
    (void)kernel, (void)frames, (void)n, (void)out;
    return SIGREP_OK;
}

static void reset(void *kernel)
{
    (void)kernel;
}

static size_t spacing(const void *kernel, size_t index)
{
    (void)kernel, (void)index;
    return KERNEL_BLOCK;
}

static sigrep_status checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    (void)kernel, (void)index, (void)position, (void)d;
    return SIGREP_BAD_CONFIG;
}

const kernel_ops kernel_no_sweep = {.name = "zmatch",
                                    .device = "cpu",
                                    .usable = usable,
                                    .best_chunk = best_chunk,
                                    .create = create,
                                    .destroy = destroy,
                                    .sweep = sweep,
                                    .reset = reset,
                                    .spacing = spacing,
                                    .checkpoint = checkpoint};
