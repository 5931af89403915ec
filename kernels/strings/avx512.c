/* avx512.c - the vector kernel for strings in 512 bits, for x86-64. */
#include "kernels/strings/strings.h"

#ifdef STRINGS_X86

#define LANES 8
#include "kernels/strings/body.h"

const string_ops string_avx512 = STRING_OPS("avx512", usable_avx512);

#endif
