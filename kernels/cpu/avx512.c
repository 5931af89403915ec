/* avx512.c - the vector kernel in 512 bits, for x86-64. */
#include "kernels/kernel.h"

#if defined(__x86_64__)

#define LANES 16
#include "kernels/cpu/body.h"

const kernel_ops kernel_avx512 = SIMD_OPS("avx512", usable_avx512);

#endif
