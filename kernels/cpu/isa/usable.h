/*
 * usable.h - can this processor run the code that the Makefile's flags AVX2 and AVX512 produce?
 * The sets named here and there are the same.
 */
#ifndef KERNELS_CPU_ISA_USABLE_H
#define KERNELS_CPU_ISA_USABLE_H

#include <stdbool.h>

#if defined(__x86_64__)

static inline bool usable_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}

static inline bool usable_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif

#endif
