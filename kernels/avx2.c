/* avx2.c - the vector kernel in 256 bits: x86-64-v3. */
#include "kernels/cpu.h"

#ifdef KERNELS_X86

#define LANES 8
#include "kernels/kernel_simd.h"

static bool avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

const kernel_ops kernel_avx2 = {
    .name = "avx2",
    .device = "cpu",
    .usable = avx2_usable,
    .chunk = simd_chunk,
    .create = simd_create,
    .destroy = simd_destroy,
    .step = simd_step,
    .reset = simd_reset,
    .spacing = simd_spacing,
    .column = simd_column,
};

#endif
