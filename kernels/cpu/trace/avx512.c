/* trace_avx512.c - the trace in vectors of 512 bits; the Makefile gives it the flags. */
typedef int trace_avx512_is_for_x86_64; /* a translation unit is never empty */
#if defined(__x86_64__)
#define LANES 16
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/trace/body.h"

const trace_kernel trace_avx512 = TRACE_OPS("avx512", isa_avx512);
#endif
