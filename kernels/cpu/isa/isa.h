/* isa.h - for code that is compiled once for each instruction set: which of them this processor can
 * run, and UNROLL. */
#ifndef KERNELS_CPU_ISA_ISA_H
#define KERNELS_CPU_ISA_ISA_H

#include <stdbool.h>

/* Before a short loop of constant length: unrolls it, so that the arrays it indexes can live in
 * registers. Under sanitizers clang would take minutes. */
#ifndef __clang__
#define UNROLL _Pragma("GCC unroll 16")
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLL
#else
#define UNROLL _Pragma("clang loop unroll(full)")
#endif

static inline bool usable_anywhere(void)
{
    return true;
}

/* The sets are those that the Makefile's flags AVX2 and AVX512 name. */
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
