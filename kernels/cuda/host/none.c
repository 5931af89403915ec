/* none.c - stands for the CUDA kernels if the library is built without CUDA. */
#include "kernels/cuda/host/cuda.h"

#include <stdio.h>

bool cuda_usable(int index, sigrep_error *error)
{
    (void)index;
    if (error) snprintf(error->text, sizeof error->text, "built without CUDA");
    return false;
}

int cuda_count(void)
{
    return 0;
}

void cuda_time(void *kernel, int times, int segments)
{
    (void)kernel, (void)times, (void)segments;
}

cuda_timing cuda_timed(const void *kernel)
{
    (void)kernel;
    return (cuda_timing){.device_s = 0};
}

bool cuda_describe(int index, cuda_machine *machine)
{
    (void)index;
    *machine = (cuda_machine){.memory = 0};
    return false;
}

static bool none_usable(void)
{
    return false;
}

static size_t none_best_chunk(const kernel_plan *plan)
{
    (void)plan;
    return KERNEL_BLOCK;
}

static sigrep_status none_create(void **kernel, const kernel_plan *plan)
{
    (void)kernel, (void)plan;
    return SIGREP_NO_KERNEL;
}

static void none_destroy(void *kernel)
{
    (void)kernel;
}

static sigrep_status none_sweep(void *kernel, const float *frames, size_t n,
                                const kernel_output *out)
{
    (void)kernel, (void)frames, (void)n, (void)out;
    return SIGREP_NO_KERNEL;
}

static sigrep_status none_seek(void *kernel, uint64_t position, const float *checkpoints)
{
    (void)kernel, (void)position, (void)checkpoints;
    return SIGREP_NO_KERNEL;
}

static size_t none_spacing(const void *kernel, size_t index)
{
    (void)kernel, (void)index;
    return KERNEL_BLOCK;
}

static sigrep_status none_checkpoint(void *kernel, size_t index, uint64_t position, float *d)
{
    (void)kernel, (void)index, (void)position, (void)d;
    return SIGREP_NO_KERNEL;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): initializers */
#define NONE(NAME)                                                                                 \
    {                                                                                              \
        .name = NAME, .device = "cuda", .usable = none_usable, .best_chunk = none_best_chunk,      \
        .create = none_create, .destroy = none_destroy, .sweep = none_sweep,                       \
        .reset = none_destroy, .seek = none_seek, .spacing = none_spacing,                         \
        .checkpoint = none_checkpoint,                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

const kernel_ops kernel_cuda = NONE("cuda");
const kernel_ops kernel_handover = NONE("handover");
const kernel_ops kernel_band = NONE("band");
const kernel_ops kernel_wavefront = NONE("wavefront");
