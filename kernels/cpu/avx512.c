/* avx512.c - the vector kernel in 512 bits: x86-64-v4. */
#include "kernels/cpu/cpu.h"

#ifdef KERNELS_X86

#define LANES 16
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernel_body.h"

const kernel_ops kernel_avx512 = SIMD_OPS("avx512", isa_avx512);

#endif
