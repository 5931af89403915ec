/* cpu.h - the CPU's kernels for strings, for registry.c. */
#ifndef KERNELS_STRINGS_CPU_H
#define KERNELS_STRINGS_CPU_H

#include "kernels/strings/strings.h"

#if defined(__x86_64__)
#define STRINGS_X86
extern const string_ops string_avx512;
extern const string_ops string_avx2;
#endif

extern const string_ops string_scalar;   /* the reference */
extern const string_ops string_portable; /* 128-bit vectors on any machine */

#endif
