/* portable.c - the vector kernel for any machine: 128 bits, the least that x86-64 and AArch64 have.
 */
#define LANES 4
#include "kernels/cpu.h"
#include "kernels/kernel_simd.h"

static bool portable_usable(void)
{
    return true;
}

const kernel_ops kernel_portable = {
    .name = "portable",
    .device = "cpu",
    .usable = portable_usable,
    .chunk = simd_chunk,
    .create = simd_create,
    .destroy = simd_destroy,
    .step = simd_step,
    .reset = simd_reset,
    .seek = simd_seek,
    .spacing = simd_spacing,
    .column = simd_column,
    .carry = simd_carry,
    .ends = simd_ends,
    .column_starts = simd_column_starts,
};
