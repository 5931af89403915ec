/* unroll.h - UNROLL, for the vector kernels. */
#ifndef KERNELS_CPU_ISA_UNROLL_H
#define KERNELS_CPU_ISA_UNROLL_H

/* Before a short loop of constant length: unrolls it, so that the arrays it indexes can live in
 * registers. Under sanitizers clang would take minutes. */
#ifndef __clang__
#define UNROLL _Pragma("GCC unroll 16")
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLL
#else
#define UNROLL _Pragma("clang loop unroll(full)")
#endif

#endif
