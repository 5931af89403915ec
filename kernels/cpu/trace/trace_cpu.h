/* The trace kernels, for trace_kernel.c. */
#ifndef KERNELS_CPU_TRACE_TRACE_CPU_H
#define KERNELS_CPU_TRACE_TRACE_CPU_H

#include "kernels/trace_kernel.h"

extern const trace_kernel trace_scalar;   /* the reference */
extern const trace_kernel trace_portable; /* 128-bit vectors on any machine */
extern const trace_kernel trace_avx2;     /* x86-64 only, as the next */
extern const trace_kernel trace_avx512;

#endif
