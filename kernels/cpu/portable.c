/* portable.c - the vector kernel in 128 bits, which x86-64 and AArch64 always have. */
#define LANES 4
#include "kernels/cpu/body.h"

const kernel_ops kernel_portable = SIMD_OPS("portable", usable_anywhere);
