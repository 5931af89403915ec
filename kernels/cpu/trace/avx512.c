/* avx512.c - the trace in 512 bits, for x86-64. */
#include "kernels/trace_kernel.h"

#if defined(__x86_64__)

#define LANES 16
#include "kernels/cpu/trace/body.h"

const trace_kernel trace_avx512 = TRACE_OPS("avx512", usable_avx512);

#endif
