/* avx512.c - the vector kernel in 512 bits: x86-64-v4. */
#include "kernels/cpu.h"

#ifdef KERNELS_X86

#define LANES 16
#include "kernels/kernel_simd.h"

static bool avx512_usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

const kernel_ops kernel_avx512 = {
    .name = "avx512",
    .device = "cpu",
    .usable = avx512_usable,
    .chunk = simd_chunk,
    .create = simd_create,
    .destroy = simd_destroy,
    .step = simd_step,
    .reset = simd_reset,
    .spacing = simd_spacing,
    .column = simd_column,
};

#endif
