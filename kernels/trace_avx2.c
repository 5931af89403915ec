/* trace_avx2.c - the trace in vectors of 256 bits; the Makefile gives it the flags. */
typedef int trace_avx2_is_for_x86_64; /* a translation unit is never empty */
#if defined(__x86_64__)
#define LANES 8
#include "kernels/trace_simd.h"

static bool avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

const trace_kernel trace_avx2 = {
    .name = "avx2", .strip = ROWS, .usable = avx2_usable, .run = trace_run};
#endif
