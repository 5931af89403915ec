/* avx2.c - the vector kernel for strings in 256 bits, for x86-64. */
#include "kernels/strings/strings.h"

#ifdef STRINGS_X86

#define LANES 4
#include "kernels/strings/body.h"

const string_ops string_avx2 = STRING_OPS("avx2", usable_avx2);

#endif
