/* trace_avx2.c - the trace in vectors of 256 bits; the Makefile gives it the flags. */
typedef int trace_avx2_is_for_x86_64; /* a translation unit is never empty */
#if defined(__x86_64__)
#define LANES 8
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/trace/body.h"

const trace_kernel trace_avx2 = TRACE_OPS("avx2", isa_avx2);
#endif
