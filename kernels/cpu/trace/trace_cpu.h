/* trace_cpu.h - the CPU's trace kernels, for kernels/trace_kernel.c. */
#ifndef KERNELS_CPU_TRACE_TRACE_CPU_H
#define KERNELS_CPU_TRACE_TRACE_CPU_H

#include "kernels/trace_kernel.h"

extern const trace_kernel trace_scalar;   /* the reference */
extern const trace_kernel trace_portable; /* 128-bit vectors on any machine */
extern const trace_kernel trace_avx2;     /* x86-64 alone, like the next one */
extern const trace_kernel trace_avx512;

#endif
