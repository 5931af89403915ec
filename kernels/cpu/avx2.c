/* avx2.c - the vector kernel in 256 bits: x86-64-v3. */
#include "kernels/cpu/cpu.h"

#ifdef KERNELS_X86

#define LANES 8
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernel_body.h"

const kernel_ops kernel_avx2 = SIMD_OPS("avx2", isa_avx2);

#endif
