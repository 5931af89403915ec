/* avx2.c - the vector kernel in 256 bits: x86-64-v3. */
#include "kernels/cpu.h"

#ifdef KERNELS_X86

#define LANES 8
#include "kernels/isa.h"
#include "kernels/kernel_simd.h"

const kernel_ops kernel_avx2 = {
    .name = "avx2",
    .device = "cpu",
    .usable = isa_avx2,
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

#endif
