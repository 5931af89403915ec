/*
 * portable.c - the vector kernel for any machine: 128 bits, the least that x86-64 and
 * AArch64 have. Proves the kernel interface; wider instruction sets get files of their own
 * over the same body.
 */
#define LANES 4
#include "kernels/adsm_simd.h"
#include "kernels/cpu.h"

static bool portable_usable(void)
{
    return true;
}

static size_t portable_chunk(const kernel_plan *plan)
{
    return columns_chunk(plan, 1);
}

const kernel_ops kernel_portable = {
    .name = "portable",
    .device = "cpu",
    .usable = portable_usable,
    .chunk = portable_chunk,
    .spacing = simd_spacing,
    .create = simd_create,
    .destroy = simd_destroy,
    .step = simd_step,
    .reset = simd_reset,
    .column = simd_column,
};
