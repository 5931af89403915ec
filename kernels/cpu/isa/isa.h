/* isa.h - what this processor can run, for files that are compiled for more than the least
 * of its kind: the same sets as the flags AVX512 and AVX2 of the Makefile. */
#ifndef KERNELS_CPU_ISA_ISA_H
#define KERNELS_CPU_ISA_ISA_H

#include <stdbool.h>

#if defined(__x86_64__)

static inline bool isa_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

static inline bool isa_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif

#endif
