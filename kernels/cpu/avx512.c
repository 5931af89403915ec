/* avx512.c - the vector kernel in 512 bits, for x86-64. */
#include "kernels/cpu/cpu.h"

#ifdef KERNELS_X86

#define LANES 16
#include "kernels/cpu/body.h"
#include "kernels/cpu/isa/usable.h"

const kernel_ops kernel_avx512 = SIMD_OPS("avx512", usable_avx512);

#endif
