/* cpu.h - the CPU's kernels, for kernels/registry.c. */
#ifndef KERNELS_CPU_CPU_H
#define KERNELS_CPU_CPU_H

#include "kernels/kernel.h"

#if defined(__x86_64__)
#define KERNELS_X86
extern const kernel_ops kernel_avx512;
extern const kernel_ops kernel_avx2;
#endif

extern const kernel_ops kernel_scalar;   /* the reference */
extern const kernel_ops kernel_portable; /* 128-bit vectors on any machine */

#endif
