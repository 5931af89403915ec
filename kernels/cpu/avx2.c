/* avx2.c - the vector kernel in 256 bits, for x86-64. */
#include "kernels/kernel.h"

#if defined(__x86_64__)

#define LANES 8
#include "kernels/cpu/body.h"

const kernel_ops kernel_avx2 = SIMD_OPS("avx2", usable_avx2);

#endif
