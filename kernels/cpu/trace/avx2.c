/* avx2.c - the trace in 256 bits, for x86-64. */
#include "kernels/trace_kernel.h"

#if defined(__x86_64__)

#define LANES 8
#include "kernels/cpu/trace/body.h"

const trace_kernel trace_avx2 = TRACE_OPS("avx2", usable_avx2);

#endif
